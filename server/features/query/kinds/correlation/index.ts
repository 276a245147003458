import type { Value } from '../../../../db/db.ts';
import { parseElementsChain } from '../../../../lib/elements-chain.ts';
import { defineKind } from '../../query-kind.ts';
import { correlationPoint, correlationQuery, type CorrelationQuery } from './schema.ts';
import { correlationActors, correlations, ELEMENTS_DIVIDER, planCorrelation, totals } from './to-hogql.ts';

/** What those have more often who convert, or do not, in a funnel: by the odds that they convert with it and without it. */
export const correlationKind = defineKind({
  kind: 'FunnelCorrelationQuery',
  role: 'table',
  schema: correlationQuery,
  override: () => ({}),
  point: correlationPoint,
  pointKind: 'FunnelCorrelationActorsQuery',
  plan: planCorrelation,
  async answer(plan, { runQuery }) {
    const [all, found] = await Promise.all([runQuery(totals(plan)), runQuery(correlations(plan))]);
    const [successes = 0, failures = 0] = (all.rows[0] ?? []).map(Number);
    const results = strongest(found.rows, { successes, failures }, plan.funnel.query.samplingFactor ?? 1);
    return {
      results: {
        events: results.events.map((one) => ({ ...one, event: shownEvent(one.event, plan.query) })),
        skewed: results.skewed,
      },
    };
  },
  actors: correlationActors,
});

interface Counts {
  readonly successes: number;
  readonly failures: number;
}

interface Correlation {
  readonly event: string;
  readonly success_count: number;
  readonly failure_count: number;
  readonly odds_ratio: number;
  readonly correlation_type: 'success' | 'failure';
}

/** Added to each count, so that none is zero. */
const PRIOR = 1;
/** With fewer persons than either, a correlation says nothing. */
const MIN_PERSONS = 25;
const MIN_SHARE = 0.02;
/** Between conversions and the others. */
const MAX_RATIO = 10;
const SHOWN = 10;

/** The ten that go most with conversion, then the ten that go least. */
function strongest(rows: readonly (readonly Value[])[], all: Counts, share: number) {
  const [successes, failures] = [Math.round(all.successes / share), Math.round(all.failures / share)];
  if (successes === 0 || failures === 0) return { events: [], skewed: true };
  const least = Math.min(MIN_PERSONS, MIN_SHARE * (all.successes + all.failures));
  const found = rows
    .map(([name, success, failure]) => correlationOf(String(name), Number(success), Number(failure), all))
    .filter(({ success_count, failure_count }) => success_count + failure_count >= least);
  const positive = found
    .filter((one) => one.correlation_type === 'success')
    .toSorted((a, b) => b.odds_ratio - a.odds_ratio || byName(a, b));
  const negative = found
    .filter((one) => one.correlation_type === 'failure')
    .toSorted((a, b) => a.odds_ratio - b.odds_ratio || byName(a, b));
  return {
    events: [...positive.slice(0, SHOWN), ...negative.slice(0, SHOWN)],
    skewed: successes / failures > MAX_RATIO || failures / successes > MAX_RATIO,
  };
}

function byName(a: Correlation, b: Correlation): number {
  return a.event < b.event ? -1 : 1;
}

/** The odds of those with it over the odds of those without it. */
function correlationOf(event: string, success: number, failure: number, all: Counts): Correlation {
  const odds =
    ((success + PRIOR) * (all.failures - failure + PRIOR)) /
    ((all.successes - success + PRIOR) * (failure + PRIOR));
  return {
    event,
    success_count: success,
    failure_count: failure,
    odds_ratio: odds,
    correlation_type: odds > 1 ? 'success' : 'failure',
  };
}

/** An event by its name, or `name::property::value`; of autocaptured events also their elements. */
function shownEvent(event: string, query: CorrelationQuery) {
  const isOfElements =
    query.funnelCorrelationType === 'event_with_properties' &&
    (query.funnelCorrelationEventNames ?? []).includes('$autocapture');
  const [name, property, value = ''] = event.split('::');
  if (!isOfElements || name !== '$autocapture' || property !== 'elements_chain') {
    return { event, properties: {}, elements: [] };
  }
  const [type = '', chain = ''] = value.split(ELEMENTS_DIVIDER);
  return { event, properties: { $event_type: type }, elements: parseElementsChain(chain) };
}
