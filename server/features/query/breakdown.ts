import { fail, type ApiError } from '../../errors.ts';
import type { Expr } from '../../hogql/ast.ts';
import { call, compare, constant, isNull, or } from '../../hogql/build.ts';
import { rewrite, visit } from '../../hogql/rewrite.ts';
import {
  type FilterContext,
  groupOperand,
  propertyOperand,
  metadataOperand,
  sessionOperand,
} from './filters.ts';
import { textOperand, type Operand } from '../../conditions/to-hogql.ts';
import { cleanedPath, readRules, type PathRule } from './path-cleaning.ts';
import type { KindContext, NamedCohort } from './query-kind.ts';

/** The values beyond the limit, brought together (management contract 9.9.1). */
export const OTHER_VALUE = '$$_posthog_breakdown_other_$$';
/** All groups of a funnel together, where one of them is picked. */
export const BASELINE_VALUE = '$$_posthog_breakdown_baseline_$$';
/** What has no value, or an empty one. */
export const NULL_VALUE = '$$_posthog_breakdown_null_$$';
/** The bin of a histogram for events without a number. */
export const NO_BIN = '["",""]';
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1_000;
const MAX_DIMENSIONS = 3;
const MAX_BINS = 100;

/** The condition that there is no value, or an empty one. */
export function isMissing(value: Expr): Expr {
  return or(isNull(value), compare('==', value, constant('')));
}

/** What properties that a query is broken down by can belong to. */
export const BREAKDOWN_TYPES = [
  'event',
  'person',
  'group',
  'session',
  'event_metadata',
  'hogql',
  'cohort',
] as const;

/** The field `breakdownFilter` of a query. */
interface BreakdownFilter {
  readonly breakdown?: string | number | readonly (string | number)[] | null | undefined;
  readonly breakdown_type?: string | null | undefined;
  readonly breakdown_limit?: number | null | undefined;
  readonly breakdown_group_type_index?: number | null | undefined;
  readonly breakdown_normalize_url?: boolean | null | undefined;
  readonly breakdown_histogram_bin_count?: number | null | undefined;
  readonly breakdown_hide_other_aggregation?: boolean | null | undefined;
  readonly breakdown_path_cleaning?: boolean | null | undefined;
  readonly breakdowns?: readonly BreakdownItem[] | null | undefined;
}

interface BreakdownItem {
  readonly property: string | number;
  readonly type?: string | null | undefined;
  readonly group_type_index?: unknown;
  readonly normalize_url?: unknown;
  readonly histogram_bin_count?: unknown;
}

/** One property of a breakdown. */
export interface BreakdownDimension {
  /** Its text; NULL, or empty, where it is missing. */
  readonly text: Expr;
  /** As a number. */
  readonly number: Expr;
  /** How many bins its numbers are sorted into; null: each value for itself. */
  readonly bins: number | null;
}

/** A breakdown of events. */
export type Breakdown =
  | {
      readonly kind: 'values';
      readonly dimensions: readonly BreakdownDimension[];
      /** Several values to a series, in a list, even when it is a list of one. */
      readonly isList: boolean;
      /** How many values have a series of their own. */
      readonly limit: number;
      readonly hidesOther: boolean;
    }
  /** A series per cohort; null: all users. */
  | { readonly kind: 'cohorts'; readonly cohorts: readonly (NamedCohort | null)[] };

/** Reads what a query is broken down by; null: nothing. Throws invalid_input, HogqlError. */
export async function readBreakdown(
  filter: BreakdownFilter | null | undefined,
  context: FilterContext,
  defaultLimit = DEFAULT_LIMIT,
): Promise<Breakdown | null> {
  if (!filter) return null;
  const items = checkedItems(filter);
  if (items.length === 0) return null;
  if (items.some(({ type }) => type === 'cohort'))
    return { kind: 'cohorts', cohorts: readCohorts(items, context) };
  const rules = filter.breakdown_path_cleaning === true ? readRules(context.pathCleaningFilters) : [];
  return {
    kind: 'values',
    dimensions: await Promise.all(items.map((item) => readDimension(item, rules, context))),
    isList: (filter.breakdowns ?? []).length > 0 || Array.isArray(filter.breakdown),
    limit: Math.min(filter.breakdown_limit ?? defaultLimit, MAX_LIMIT),
    hidesOther: filter.breakdown_hide_other_aggregation ?? false,
  };
}

/** What a query is broken down by, one for one. Throws invalid_input for what no query can be, whatever its project. */
export function checkedItems(filter: BreakdownFilter): readonly BreakdownItem[] {
  const several = filter.breakdowns ?? [];
  const items = several.length > 0 ? several : legacyItems(filter);
  const cohorts = items.filter(({ type }) => type === 'cohort');
  if (cohorts.length > 0 && cohorts.length < items.length) {
    throw refusal('Cohort and property breakdowns cannot be combined.');
  }
  if (cohorts.length === 0 && items.length > MAX_DIMENSIONS) {
    throw refusal(`A query can have up to ${MAX_DIMENSIONS} breakdowns.`);
  }
  for (const item of items) checkItem(item);
  return items;
}

function checkItem({ type, group_type_index: index, histogram_bin_count: bins }: BreakdownItem): void {
  if (!(BREAKDOWN_TYPES as readonly unknown[]).includes(type ?? 'event')) {
    throw refusal(`Breakdown type ${type} is not supported. Supported types: ${BREAKDOWN_TYPES.join(', ')}.`);
  }
  if (type === 'group' && !(typeof index === 'number' && index >= 0 && index <= 4)) {
    throw refusal('A breakdown by a group property requires group_type_index.');
  }
  if (bins === undefined || bins === null) return;
  if (!(Number.isInteger(bins) && Number(bins) >= 1 && Number(bins) <= MAX_BINS)) {
    throw refusal(`A histogram can have 1 to ${MAX_BINS} bins.`);
  }
}

/** The older form, in which one type goes for all values. */
function legacyItems(filter: BreakdownFilter): BreakdownItem[] {
  const { breakdown } = filter;
  if (breakdown === null || breakdown === undefined || breakdown === '') return [];
  const properties = Array.isArray(breakdown)
    ? (breakdown as readonly (string | number)[])
    : [breakdown as string];
  return properties.map((property) => ({
    property,
    type: filter.breakdown_type,
    group_type_index: filter.breakdown_group_type_index,
    normalize_url: filter.breakdown_normalize_url,
    histogram_bin_count: filter.breakdown_histogram_bin_count,
  }));
}

function readCohorts(items: readonly BreakdownItem[], context: Pick<KindContext, 'cohort'>) {
  return items.flatMap(({ property }) => {
    if (property === 'all' || property === 0 || property === '0') return [null];
    const cohort = context.cohort(Number(property));
    if (cohort === null) throw refusal(`Cohort ${property} does not exist in this project.`);
    return [cohort];
  });
}

async function readDimension(
  item: BreakdownItem,
  rules: readonly PathRule[],
  context: FilterContext,
): Promise<BreakdownDimension> {
  const { text: raw, number } = await operandOf(item, context);
  const text = cleanedPath(raw, rules);
  const bins = item.histogram_bin_count ?? null;
  return {
    text: item.normalize_url === true ? withoutEnd(text) : text,
    number,
    bins: bins === null ? null : Number(bins),
  };
}

async function operandOf(item: BreakdownItem, context: FilterContext): Promise<Operand> {
  const key = String(item.property);
  switch ((item.type ?? 'event') as (typeof BREAKDOWN_TYPES)[number]) {
    case 'event':
      return propertyOperand('event', ['properties', key], context);
    case 'person':
      return propertyOperand('person', ['person', 'properties', key], context);
    case 'group':
      return groupOperand(key, Number(item.group_type_index), context);
    case 'session':
      return sessionOperand(key, context);
    case 'event_metadata':
      return metadataOperand(key, context);
    default: {
      const value = withoutNames(await context.parse.expression(key));
      return { ...textOperand(call('toString', value)), number: value };
    }
  }
}

/** An expression without the names that it gives to its parts: a breakdown has no use for them, and they could be those of columns. */
function withoutNames(value: Expr): Expr {
  let hasQuery = false;
  visit(value, ({ node }) => (hasQuery ||= node === 'SelectQuery'));
  if (hasQuery) return value.node === 'Alias' ? value.expr : value;
  return rewrite(value, (node) => (node.node === 'Alias' ? node.expr : node));
}

/** An address without what usually follows its path by chance; `/` where nothing else is left. */
function withoutEnd(text: Expr): Expr {
  const short = call('replaceRegexpOne', text, constant('[/?#]+$'), constant(''));
  return call('if', compare('==', short, constant('')), constant('/'), short);
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}
