import { z } from 'zod';
import { BASELINE_VALUE, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { isFields, listOf, type Fields } from '../../legacy-filters.ts';
import { describe, ON_EVERY_NODE, sourceQuery } from '../../node-schema.ts';
import { defineKind, type KindAnswer } from '../../query-kind.ts';
import type { ActorsOption, ActorsOptions } from './actors-options.contract.ts';

const optionsQuery = describe(
  z.looseObject({
    kind: z.literal('InsightActorsQueryOptions'),
    /** The point of an insight whose other points are listed. */
    source: sourceQuery,
  }),
  { name: 'InsightActorsQueryOptions', withoutEffect: ON_EVERY_NODE },
);

const NONE: ActorsOptions = {
  day: null,
  status: null,
  interval: null,
  breakdown: null,
  breakdowns: null,
  series: null,
  compare: null,
};

/** The points of an insight beside the one whose persons are listed. */
export const actorsOptionsKind = defineKind({
  kind: 'InsightActorsQueryOptions',
  role: 'tool',
  schema: optionsQuery,
  async plan({ source }) {
    // Only a point of an insight has an insight in it.
    const inner = (source as Fields)['source'];
    return isFields(inner) ? inner : source;
  },
  async answer(insight, { answerOf }) {
    return { results: null, ...(await optionsOf(insight, () => answerOf(insight))) };
  },
});

const STATUSES = ['dormant', 'new', 'resurrecting', 'returning'];

async function optionsOf(insight: Fields, answer: () => Promise<KindAnswer>): Promise<ActorsOptions> {
  const compare = isComparing(insight) ? namedOptions(['current', 'previous']) : null;
  switch (insight['kind']) {
    case 'TrendsQuery': {
      const lines = listOf((await answer()).results).filter(isFields);
      return { ...NONE, day: daysOf(lines), series: seriesOf(insight), compare, ...valuesOf(lines) };
    }
    case 'LifecycleQuery': {
      const lines = listOf((await answer()).results).filter(isFields);
      return { ...NONE, day: daysOf(lines), status: namedOptions(STATUSES) };
    }
    case 'FunnelsQuery': {
      const breakdown = hasBreakdown(insight) ? groupsOf(listOf((await answer()).results), insight) : null;
      return { ...NONE, breakdown, compare: isOverTime(insight) ? null : compare };
    }
    default:
      return NONE;
  }
}

function isComparing({ compareFilter }: Fields & { compareFilter?: unknown }): boolean {
  return isFields(compareFilter) && compareFilter['compare'] === true;
}

function isOverTime({ funnelsFilter }: Fields & { funnelsFilter?: unknown }): boolean {
  return isFields(funnelsFilter) && funnelsFilter['funnelVizType'] === 'trends';
}

function hasBreakdown({ breakdownFilter: filter }: Fields & { breakdownFilter?: unknown }): boolean {
  return isFields(filter) && (Boolean(filter['breakdown']) || listOf(filter['breakdowns']).length > 0);
}

function namedOptions(values: readonly string[]): ActorsOption[] {
  return values.map((value) => ({ label: `${value[0]!.toUpperCase()}${value.slice(1)}`, value }));
}

/** The intervals of a chart; null: it shows one number. */
function daysOf([line]: readonly Fields[]): ActorsOption[] | null {
  const days = listOf(line?.['days']);
  const labels = listOf(line?.['labels']);
  if (days.length === 0) return null;
  return days.map((day, at) => ({ label: String(labels[at] ?? day), value: String(day) }));
}

function seriesOf(insight: Fields): ActorsOption[] {
  return listOf(insight['series'])
    .filter(isFields)
    .map((node, at) => ({ label: String(node['event'] ?? node['name'] ?? 'All events'), value: at }));
}

/** The values of a breakdown, each once: of one property, or of each of several. */
function valuesOf(lines: readonly Fields[]): Pick<ActorsOptions, 'breakdown' | 'breakdowns'> {
  const found = lines.flatMap((line) => line['breakdown_value'] ?? []) as unknown[];
  const values = lines
    .map((line) => line['breakdown_value'])
    .filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return { breakdown: null, breakdowns: null };
  const width = Math.max(...values.map((value) => (Array.isArray(value) ? value.length : 1)));
  if (width === 1) return { breakdown: optionsOfValues(found), breakdowns: null };
  const breakdowns = Array.from({ length: width }, (_, at) => ({
    values: optionsOfValues(values.flatMap((value) => (Array.isArray(value) ? [value[at]] : []))),
  }));
  return { breakdown: null, breakdowns };
}

/** The groups of a funnel together. */
const BASELINE: ActorsOption = { label: 'Baseline', value: BASELINE_VALUE };

/** The groups of a funnel, each once: several values as one, and cohorts in the order of the breakdown. */
function groupsOf(results: readonly unknown[], insight: Fields): ActorsOption[] {
  const groups = results.map((group) => (Array.isArray(group) ? group[0] : group)).filter(isFields);
  const found = groups.map(({ breakdown, breakdown_value: value }: Fields & GroupFields): ActorsOption => {
    if (!Array.isArray(value)) return { label: String(breakdown), value: value as string | number };
    const labels = value.map(labelOf);
    return { label: labels.join(', '), value: value.length === 1 ? value[0] : JSON.stringify(value) };
  });
  const cohorts = cohortsOf(insight);
  const placeOf = ({ value }: ActorsOption): number =>
    cohorts.includes(value) ? cohorts.indexOf(value) : cohorts.length;
  const unique = [...new Map(found.map((one) => [one.value, one])).values()];
  return [BASELINE, ...unique.toSorted((a, b) => placeOf(a) - placeOf(b))];
}

/** The cohorts of a breakdown, as values of its groups. */
function cohortsOf({ breakdownFilter: filter }: Fields & { breakdownFilter?: unknown }): unknown[] {
  if (!isFields(filter) || filter['breakdown_type'] !== 'cohort') return [];
  return [filter['breakdown']].flat().map((one) => (one === 'all' ? 0 : Number(one)));
}

interface GroupFields {
  readonly breakdown?: unknown;
  readonly breakdown_value?: unknown;
}

function optionsOfValues(values: readonly unknown[]): ActorsOption[] {
  const unique = [...new Set(values)].filter((value) => value !== undefined) as (string | number)[];
  return unique.map((value) => ({ label: labelOf(value), value }));
}

function labelOf(value: string | number): string {
  if (value === NULL_VALUE || value === '') return 'None (i.e. no value)';
  return value === OTHER_VALUE || value === 'Other' ? 'Other (i.e. all remaining values)' : String(value);
}
