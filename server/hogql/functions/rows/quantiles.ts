import { arrayOf, scalar, withNull, type ValueType } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asMoment, asNumber, asWhole } from '../read-argument.ts';
import { runningList } from '../running-list.ts';
import { distinctly } from './aggregates.ts';

/** How a quantile between two values is settled. */
interface Settle {
  (value: string, level: number, call: CallContext): string;
  /** The same of a list that has no NULL. */
  ofList(list: string, level: number): string;
}

/** By an aggregate of DuckDB. */
function byAggregate(duckdb: 'quantile_cont' | 'quantile_disc'): Settle {
  return Object.assign(
    (value: string, level: number, call: CallContext) =>
      aggregateCall(call, `${duckdb}(${distinctly(call, value)}, ${level})`),
    { ofList: (list: string, level: number) => `list_aggregate(${list}, '${duckdb}', ${level})` },
  );
}

/** By the place in the sorted list of all values. */
function byPlace(find: (sorted: string, level: number) => string): Settle {
  const ofList = (list: string, level: number): string => find(`list_sort(${list})`, level);
  return Object.assign(
    (value: string, level: number, call: CallContext) =>
      ofList(aggregateCall(call, `list(${distinctly(call, value)})`, `${value} IS NOT NULL`), level),
    { ofList },
  );
}

/** Linear between neighbours, as ClickHouse's quantile does where it has seen all values. */
const between = byAggregate('quantile_cont');

/** The first value at which a share of all is reached. */
const reached = byAggregate('quantile_disc');

/** The place of an element at `floor(level * count)`. */
function elementAt(sorted: string, level: number): string {
  return `${sorted}[least(CAST(floor(CAST(${level} AS DOUBLE) * len(${sorted})) AS BIGINT), len(${sorted}) - 1) + 1]`;
}

/** An element that is there, as quantileExact takes it. */
const element = byPlace(elementAt);

/** Of an even number of values the lower one of the middle; other levels as `element`. */
const lower = byPlace((sorted, level) =>
  level === 0.5 ? `${sorted}[(len(${sorted}) + 1) // 2]` : elementAt(sorted, level),
);

/** Between neighbours at the place `level * (count + 1)`. */
const exclusive = byPlace((sorted, level) => {
  const place = `(CAST(${level} AS DOUBLE) * (len(${sorted}) + 1))`;
  const at = `least(greatest(CAST(floor(${place}) AS BIGINT), 1), len(${sorted}))`;
  const next = `least(${at} + 1, len(${sorted}))`;
  const part = `least(greatest(${place} - ${at}, 0), 1)`;
  return `(${sorted}[${at}] + ${part} * (${sorted}[${next}] - ${sorted}[${at}]))`;
});

const KINDS: readonly (readonly [suffix: string, settle: Settle, keepsType: boolean])[] = [
  ['', between, false],
  // Of few values these are exact in ClickHouse too, and take one of them.
  ['TDigest', reached, false],
  ['BFloat16', reached, false],
  ['Timing', element, false],
  ['ExactInclusive', between, false],
  ['ExactExclusive', exclusive, false],
  ['Exact', element, true],
  ['ExactHigh', element, true],
  ['ExactLow', lower, true],
];

/** Whether the aggregate is a quantile, or several, of one column. */
export function isQuantile(name: string): boolean {
  return settleOf(name) !== null;
}

function settleOf(name: string): Settle | null {
  const [, suffix] = /^(?:quantiles?|median)(.*)$/.exec(name) ?? [];
  return KINDS.find(([known]) => known === suffix)?.[1] ?? null;
}

/** SQL for what a quantile, or several, is of a list without NULL. */
export function quantileOfList(name: string, list: string, call: CallContext): string {
  const settle = settleOf(name)!;
  const levels = call.params.map((param) => level(param, call));
  return once(list, call, (all) =>
    name.startsWith('quantiles')
      ? `[${levels.map((one) => settle.ofList(all, one)).join(', ')}]`
      : settle.ofList(all, levels[0] ?? 0.5),
  );
}

/** What a quantile is computed of: moments and days as moments, all else as numbers. */
export function measurable(value: Printed, call: CallContext): Printed {
  const isTime = value.type.name === 'Date' || value.type.name === 'DateTime';
  return isTime ? asMoment(value, call, 0) : asNumber(value, call, 0);
}

function level(argument: Printed | undefined, call: CallContext): number {
  const value = argument === undefined ? 0.5 : argument.constant;
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= 1)) {
    return call.refuse('A quantile must be a constant number from 0 to 1.');
  }
  return number;
}

function measured(
  value: Printed,
  settle: (value: string, level: number, call: CallContext) => string,
  keepsType: boolean,
  at: number,
  call: CallContext,
): Printed {
  const read = measurable(value, call);
  const isTime = read.type.name === 'DateTime';
  const type: ValueType = isTime || keepsType ? read.type : scalar('Float64', value.type.nullable);
  return { sql: settle(read.sql, at, call), type };
}

function one(name: string, settle: Parameters<typeof measured>[1], keepsType: boolean): FunctionRow {
  const row = aggregate(name, 1, ([value], call) =>
    measured(value!, settle, keepsType, level(call.params[0], call), call),
  );
  return { ...row, minParams: 0, maxParams: 1 };
}

function several(name: string, settle: Settle, keepsType: boolean): FunctionRow {
  const row = aggregate(name, 1, ([value], call) => {
    const all = call.params.map((param) => measured(value!, settle, keepsType, level(param, call), call));
    return { sql: `[${all.map(({ sql }) => sql).join(', ')}]`, type: arrayOf(all[0]!.type) };
  });
  return { ...row, minParams: 1, maxParams: 100 };
}

function middle(name: string, settle: Settle, keepsType: boolean): FunctionRow {
  return aggregate(name, 1, ([value], call) => measured(value!, settle, keepsType, 0.5, call));
}

/** A value counts as often as its weight, a whole number, says: the first at which a share of all is reached. */
function weighted(value: Printed, weight: Printed, at: number, call: CallContext): Printed {
  const [x, times] = [asNumber(value, call, 0), asWhole(weight, call, 1)];
  const pairs = aggregateCall(
    call,
    `list({'x': ${x.sql}, 'w': ${times.sql}})`,
    `${x.sql} IS NOT NULL AND ${times.sql} > 0`,
  );
  const sql = once(`list_sort(${pairs})`, call, (sorted) => {
    const one = call.fresh();
    const weights = `list_transform(${sorted}, lambda ${one}: ${one}.w)`;
    return once(
      runningList(weights, call, (a, b) => `${a} + ${b}`),
      call,
      (sums) => {
        const wanted = `greatest(ceil(CAST(${at} AS DOUBLE) * ${sums}[-1]), 1)`;
        return `${sorted}[len(list_filter(${sums}, lambda ${one}: ${one} < ${wanted})) + 1].x`;
      },
    );
  });
  return { sql, type: withNull(x.type) };
}

/** The second argument only chooses which values ClickHouse keeps, here all. */
function determined(value: Printed, _: Printed, at: number, call: CallContext): Printed {
  return measured(value, between, false, at, call);
}

const OF_TWO: readonly (readonly [suffix: string, settle: typeof weighted])[] = [
  ['ExactWeighted', weighted],
  ['TimingWeighted', weighted],
  ['TDigestWeighted', weighted],
  ['Deterministic', determined],
];

/** `quantileExactWeighted(0.9)(x, weight)`, several of them, and the one in the middle. */
function ofTwo([suffix, settle]: (typeof OF_TWO)[number]): FunctionRow[] {
  const single = (name: string, params: number): FunctionRow => ({
    ...aggregate(name, 2, ([value, other], call) =>
      settle(value!, other!, level(call.params[0], call), call),
    ),
    minParams: 0,
    maxParams: params,
  });
  const all = aggregate(`quantiles${suffix}`, 2, ([value, other], call) => {
    const found = call.params.map((param) => settle(value!, other!, level(param, call), call));
    return { sql: `[${found.map(({ sql }) => sql).join(', ')}]`, type: arrayOf(found[0]!.type) };
  });
  return [
    single(`quantile${suffix}`, 1),
    single(`median${suffix}`, 0),
    { ...all, minParams: 1, maxParams: 100 },
  ];
}

/** `percentile_cont(0.9)(x)` of standard SQL, between two values or one of them; `'desc'` counts from the greatest. */
function percentile(name: string, duckdb: string, keepsType: boolean): FunctionRow {
  const settle = (value: string, at: number, call: CallContext): string => {
    const isFalling = call.params[1] !== undefined;
    if (isFalling && call.params[1]!.constant !== 'desc')
      return call.refuse(`Only 'desc' is allowed after the level.`);
    // DuckDB counts from the greatest where the level is negative; there is no negative 0.
    const place = isFalling && at > 0 ? -at : at;
    const [first, last] = [`min(${value})`, `max(${value})`];
    if (at === 0) return aggregateCall(call, isFalling ? last : first);
    return aggregateCall(call, `${duckdb}(${distinctly(call, value)}, ${place})`);
  };
  return { ...one(name, settle, keepsType), minParams: 1, maxParams: 2 };
}

/** Exact over all values, whatever the name says; NULL, where ClickHouse says nan, when there are none. */
export const quantiles: readonly FunctionRow[] = [
  ...KINDS.flatMap(([suffix, settle, keepsType]) => [
    one(`quantile${suffix}`, settle, keepsType),
    several(`quantiles${suffix}`, settle, keepsType),
    middle(`median${suffix}`, settle, keepsType),
  ]),
  ...OF_TWO.flatMap(ofTwo),
  percentile('percentile_cont', 'quantile_cont', false),
  percentile('percentile_disc', 'quantile_disc', true),
];
