import { nameOfNode, type InsightQuery, type SeriesNode } from '../insight-query.ts';

/** A math of a series, and the field that it requires. */
export interface MathChoice {
  id: string;
  label: string;
  needs?: 'property' | 'expression';
}

const PROPERTY_MATHS = [
  ['sum', 'Sum'],
  ['avg', 'Average'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['median', 'Median'],
  ['p75', '75th percentile'],
  ['p90', '90th percentile'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
] as const;

const MATHS: readonly MathChoice[] = [
  { id: 'total', label: 'Total count' },
  { id: 'dau', label: 'Unique persons' },
  { id: 'weekly_active', label: 'Weekly active persons' },
  { id: 'monthly_active', label: 'Monthly active persons' },
  { id: 'unique_session', label: 'Unique sessions' },
  { id: 'first_time_for_user', label: 'First time for person' },
  { id: 'first_matching_event_for_user', label: 'First matching event for person' },
  ...PROPERTY_MATHS.map(([id, words]) => ({
    id,
    label: `${words} of property`,
    needs: 'property' as const,
  })),
  ...PROPERTY_MATHS.filter(([id]) => id !== 'sum').map(([id, words]) => ({
    id: `${id}_count_per_actor`,
    label: `${words} count per person`,
  })),
  { id: 'hogql', label: 'HogQL expression', needs: 'expression' },
];

/** Which times of its event take a step of a funnel. */
export const FIRST_TIMES: readonly MathChoice[] = [
  { id: 'total', label: 'Every time' },
  { id: 'first_time_for_user', label: 'First time for person' },
  { id: 'first_time_for_user_with_filters', label: 'First matching time' },
];

const GROUP = 'unique_group';

/** All maths, with one for each group type. */
export function mathChoices(kinds: readonly { index: number; name: string }[]): MathChoice[] {
  const groups = kinds.map(({ index, name }) => ({ id: `${GROUP} ${index}`, label: `Unique ${name}` }));
  return MATHS.flatMap((choice) => (choice.id === 'unique_session' ? [choice, ...groups] : [choice]));
}

/** The choice of a series. */
export function mathIdOf({ math, math_group_type_index: index }: SeriesNode): string {
  return math === GROUP ? `${GROUP} ${index ?? 0}` : (math ?? 'total');
}

/** The series with another math. */
export function withMath(node: SeriesNode, id: string): SeriesNode {
  const { math_group_type_index: _, ...rest } = node;
  const [math, index] = id.split(' ');
  return index === undefined ? { ...rest, math } : { ...rest, math, math_group_type_index: Number(index) };
}

const SHORT: Readonly<Record<string, string>> = {
  dau: 'unique persons',
  weekly_active: 'weekly active persons',
  monthly_active: 'monthly active persons',
  unique_session: 'unique sessions',
  unique_group: 'unique groups',
  first_time_for_user: 'first time',
  first_time_for_user_with_filters: 'first matching time',
  first_matching_event_for_user: 'first matching event',
  avg: 'average',
  hogql: 'HogQL',
};

/** A math beside the name of its event: `p90`, with its property `p90 of amount`; empty for a plain count. */
export function shortMath(math: string | null | undefined, property?: string | null): string {
  if (!math || math === 'total') return '';
  const [, statistic] = /^(.+)_count_per_actor$/.exec(math) ?? [];
  const name =
    statistic === undefined ? (SHORT[math] ?? math) : `${SHORT[statistic] ?? statistic} per person`;
  return property && needsOf(math) === 'property' ? `${name} of ${property}` : name;
}

/** Math whose numbers can be added up over time: events, sums, and what a person can do only once. */
const ADDITIVE: ReadonlySet<string> = new Set([
  'total',
  'sum',
  'first_time_for_user',
  'first_time_for_user_with_filters',
  'first_matching_event_for_user',
]);

/** Whether the sum of all intervals has a meaning: who comes every day is one person, and means have no sum. */
export function addsUp(math: string | null | undefined): boolean {
  return ADDITIVE.has(math ?? 'total');
}

/** What a math counts; empty where it is the value of a property. */
export function nounOfMath(math: string | null | undefined): string {
  if (!math || math === 'total') return 'events';
  if (math === 'unique_session') return 'sessions';
  if (math === 'unique_group') return 'groups';
  const isOfPersons = ['dau', 'weekly_active', 'monthly_active'].includes(math) || math.startsWith('first_');
  return isOfPersons ? 'persons' : '';
}

/** The field that a math requires. */
export function needsOf(math: string | null | undefined): MathChoice['needs'] {
  return MATHS.find(({ id }) => id === math)?.needs;
}

/** The field that the math of a series requires and lacks, as a sentence; empty for none. */
export function problemOfMath({ series = [], trendsFilter }: InsightQuery): string {
  const bare = series.find(({ math_property: property }) => !property);
  if (trendsFilter?.display === 'BoxPlot' && bare)
    return `A box plot shows the values of a property: aggregate ${nameOfNode(bare)} by one, such as its average.`;
  const lacking = series.find(
    ({ math, math_property: property, math_hogql: text }) =>
      (needsOf(math) === 'property' && !property) || (needsOf(math) === 'expression' && !text?.trim()),
  );
  if (!lacking) return '';
  return needsOf(lacking.math) === 'property'
    ? `Select a property for ${nameOfNode(lacking)}.`
    : `Enter a HogQL expression for ${nameOfNode(lacking)}.`;
}
