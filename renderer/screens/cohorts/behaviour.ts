import type { RuleLeaf as CohortLeaf } from '../../../server/features/cohorts/cohorts.contract.ts';

export type Interval = 'hour' | 'day' | 'week' | 'month';
export type CountOperator = 'gte' | 'lte' | 'exact';

/** That an event happened, how often and within which time. */
export interface Behaviour {
  event: string;
  /** `null`: never. */
  count: { operator: CountOperator; times: number } | null;
  time: { value: number; interval: Interval };
}

const COUNTS: Readonly<Record<CountOperator, string>> = {
  gte: 'at least',
  lte: 'at most',
  exact: 'exactly',
};
const WORDS: Readonly<Record<string, string>> = {
  performed_event: 'happened',
  performed_event_multiple: 'happened',
  performed_event_first_time: 'happened for the first time',
  performed_event_sequence: 'happened, then another,',
  performed_event_regularly: 'happened regularly',
  stopped_performing_event: 'stopped happening',
  restarted_performing_event: 'restarted happening',
};

/** How often, in words: `at least 3 times`, `at least once`, `never`. */
export function countLabel(count: Behaviour['count']): string {
  if (count === null) return 'never';
  const { operator, times } = count;
  return `${COUNTS[operator]} ${times === 1 ? 'once' : `${times} times`}`;
}

/** Within which time, in words: `in the last 30 days`. */
export function timeLabel({ value, interval }: Behaviour['time']): string {
  return value === 1 ? `in the last ${interval}` : `in the last ${value} ${interval}s`;
}

/** The condition as a cohort stores it. */
export function leafOfBehaviour({ event, count, time }: Behaviour): CohortLeaf {
  const base = {
    type: 'behavioral' as const,
    key: event,
    event_type: 'events',
    negation: count === null,
    time_value: time.value,
    time_interval: time.interval,
  };
  if (count === null || (count.operator === 'gte' && count.times === 1))
    return { ...base, value: 'performed_event' };
  return {
    ...base,
    value: 'performed_event_multiple',
    operator: count.operator,
    operator_value: count.times,
  };
}

/** The draft of such a condition; `null` for one of another kind, which is shown and kept unchanged. */
export function behaviourOfLeaf(leaf: CohortLeaf): Behaviour | null {
  if (leaf.type !== 'behavioral' || leaf['event_type'] === 'actions' || hasMore(leaf)) return null;
  const time = timeOf(leaf);
  if (time === null) return null;
  if (leaf.value === 'performed_event') {
    const count = leaf.negation ? null : ({ operator: 'gte', times: 1 } as const);
    return { event: leaf.key, count, time };
  }
  const operator = OPERATORS[String(leaf.operator ?? 'gte')];
  const times = leaf['operator_value'];
  const isPlain = leaf.value === 'performed_event_multiple' && !leaf.negation;
  if (!isPlain || operator === undefined || typeof times !== 'number') return null;
  return { event: leaf.key, count: { operator, times }, time };
}

const OPERATORS: Readonly<Record<string, CountOperator>> = {
  gte: 'gte',
  lte: 'lte',
  eq: 'exact',
  exact: 'exact',
};

/** Conditions on the events, or a time between two days. */
function hasMore(leaf: CohortLeaf): boolean {
  const filters = leaf['event_filters'];
  const isFiltered = Array.isArray(filters) ? filters.length > 0 : filters !== null && filters !== undefined;
  return isFiltered || Boolean(leaf['explicit_datetime']) || Boolean(leaf['explicit_datetime_to']);
}

function timeOf(leaf: CohortLeaf): Behaviour['time'] | null {
  const { time_value: value, time_interval: interval } = leaf;
  const number = typeof value === 'string' ? Number(value) : value;
  const isKnown = interval === 'hour' || interval === 'day' || interval === 'week' || interval === 'month';
  return typeof number === 'number' && number > 0 && isKnown ? { value: number, interval } : null;
}

/** The words of a chip, also of behaviours that are not edited here. */
export function behaviourLabel(leaf: CohortLeaf): {
  field: string;
  relation: string;
  value: string | undefined;
} {
  const known = behaviourOfLeaf(leaf);
  const field = leaf['event_type'] === 'actions' ? `action ${leaf.key}` : leaf.key;
  if (known !== null) {
    const often = known.count === null ? 'never happened' : `happened ${countLabel(known.count)}`;
    return { field, relation: often, value: timeLabel(known.time) };
  }
  const what = WORDS[String(leaf.value)] ?? String(leaf.value);
  const time = timeOf(leaf);
  return {
    field,
    relation: leaf.negation ? `not: ${what}` : what,
    value: time ? timeLabel(time) : undefined,
  };
}

const SPAN = /^(\d{1,4})\s*(h|hours?|d|days?|w|weeks?|months?)?$/i;
const INTERVALS: Readonly<Record<string, Interval>> = { h: 'hour', d: 'day', w: 'week', m: 'month' };

/** The durations that a typed text may mean: `45` days, weeks or months; `2 weeks`. Empty for other texts. */
export function timesOf(text: string): Behaviour['time'][] {
  const [, digits, unit] = SPAN.exec(text.trim()) ?? [];
  const value = Number(digits);
  if (digits === undefined || value === 0) return [];
  const interval = unit && INTERVALS[unit[0]!.toLowerCase()];
  if (interval) return [{ value, interval }];
  return (['day', 'week', 'month', 'hour'] as const).map((each) => ({ value, interval: each }));
}

/** The counts that a typed text may mean: `3` at least, exactly or at most three times. */
export function countsOf(text: string): NonNullable<Behaviour['count']>[] {
  const times = Number(/^(\d{1,6})/.exec(text.trim())?.[1] ?? '0');
  if (times === 0) return [];
  return (['gte', 'exact', 'lte'] as const).map((operator) => ({ operator, times }));
}
