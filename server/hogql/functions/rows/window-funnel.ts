import { scalar } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asCondition, asMoment, asWhole, writtenText, writtenWhole } from '../read-argument.ts';

/** As many conditions as ClickHouse takes. */
const MOST_STEPS = 32;
/** Events of one group, which are processed one after the other: a few seconds for this many. */
const MOST_EVENTS = 50_000;

const MODES = ['strict_deduplication', 'strict_order', 'strict_increase'] as const;
type Mode = (typeof MODES)[number];

function modesOf(call: CallContext): ReadonlySet<Mode> {
  const names = call.params.slice(1).map((_, at) => writtenText(call.params, at + 1, call, 'The mode'));
  return new Set(
    names.map((name) => {
      const mode = MODES.find((one) => one === name);
      return mode ?? call.refuse(`Supported windowFunnel modes: ${MODES.join(', ')}.`);
    }),
  );
}

/** The time as a whole number, and how many of its units a unit of the window is: days of days, seconds of moments. */
function timeOf(argument: Printed, call: CallContext): { sql: string; perUnit: number; nullable: boolean } {
  const { type, sql } = argument;
  if (type.name === 'Date') {
    return { sql: `date_diff('day', DATE '1970-01-01', ${sql})`, perUnit: 1, nullable: type.nullable };
  }
  if (['Int64', 'UInt64', 'Float64'].includes(type.name)) {
    return { sql: asWhole(argument, call, 0).sql, perUnit: 1, nullable: type.nullable };
  }
  const moment = asMoment(argument, call, 0);
  return { sql: `epoch_us(${moment.sql})`, perUnit: 1_000_000, nullable: moment.type.nullable };
}

const isAt = (event: string, step: number): string => `${event}.step = ${step}`;

/** The parameters of a chain. */
interface Chains {
  readonly steps: number;
  readonly window: number;
  readonly modes: ReadonlySet<Mode>;
}

/** Numbers of the steps. */
function stepsOf({ steps }: Chains): number[] {
  return Array.from({ length: steps }, (_, at) => at + 1);
}

/** The chains before the first event. Each field costs time at each event, so that there are only those in need. */
function unbegun(chains: Chains): string {
  return [
    ...stepsOf(chains).map((step) => `'begin${step}': CAST(NULL AS BIGINT)`),
    ...(chains.modes.has('strict_increase')
      ? stepsOf(chains).map((step) => `'last${step}': CAST(NULL AS BIGINT)`)
      : []),
    `'done': false`,
  ].join(', ');
}

/** When an event is the next one of a chain that came to the step before. */
function isNext([chain, event]: readonly [string, string], step: number, { window, modes }: Chains): string {
  const conditions = [isAt(event, step)];
  if (modes.has('strict_order') || modes.has('strict_deduplication')) conditions.push(`NOT ${chain}.done`);
  if (step > 1) {
    conditions.push(`${event}.at <= ${chain}.begin${step - 1} + ${window}`);
    if (modes.has('strict_increase')) conditions.push(`${chain}.last${step - 1} < ${event}.at`);
    if (modes.has('strict_deduplication')) conditions.push(`${chain}.begin${step} IS NULL`);
  }
  return conditions.join(' AND ');
}

/** When an event ends all chains: a step again that one came to, or one for which it is too early. */
function interrupts([chain, event]: readonly [string, string], chains: Chains): string[] {
  const { modes } = chains;
  const later = stepsOf(chains).slice(1);
  const isBegun = `${chain}.begin1 IS NOT NULL`;
  return [
    ...(modes.has('strict_deduplication')
      ? later.map((step) => `(${isAt(event, step)} AND ${chain}.begin${step} IS NOT NULL)`)
      : []),
    ...(modes.has('strict_order')
      ? [
          `(${isAt(event, 0)} AND ${isBegun})`,
          ...later.map(
            (step) => `(${isAt(event, step)} AND ${isBegun} AND ${chain}.begin${step - 1} IS NULL)`,
          ),
        ]
      : []),
  ];
}

/**
 * The chains after an event: for each step when the chain began that came so far last, and when it came there; once
 * interrupted, nothing changes any more.
 */
function chainsAfter(names: readonly [string, string], chains: Chains): string {
  const [chain, event] = names;
  const field = (name: string, step: number, value: string): string =>
    `'${name}${step}': CASE WHEN ${isNext(names, step, chains)} THEN ${value} ELSE ${chain}.${name}${step} END`;
  const begins = stepsOf(chains).map((step) =>
    field('begin', step, step === 1 ? `${event}.at` : `${chain}.begin${step - 1}`),
  );
  const lasts = chains.modes.has('strict_increase')
    ? stepsOf(chains).map((step) => field('last', step, `${event}.at`))
    : [];
  const done = [`${chain}.done`, ...interrupts(names, chains)].join(' OR ');
  return `{'at': ${event}.at, 'step': ${event}.step, ${[...begins, ...lasts].join(', ')}, 'done': ${done}}`;
}

/** The last step that any chain came to. */
function longest(folded: string, chains: Chains, call: CallContext): string {
  return once(folded, call, (all) => {
    const cases = stepsOf(chains)
      .toReversed()
      .map((step) => `WHEN ${all}.begin${step} IS NOT NULL THEN ${step}`);
    return `(CASE ${cases.join(' ')} ELSE 0 END)`;
  });
}

/**
 * The events that make a difference: of several of one step beside each other it is the last one where chains begin, and
 * the first one of a later step.
 */
function telling(events: string, call: CallContext): string {
  const [event, at] = [call.fresh(), call.fresh()];
  return once(events, call, (all) => {
    const beside = `CASE WHEN ${event}.step = 1 THEN ${all}[${at} + 1].step ELSE ${all}[${at} - 1].step END`;
    // There is no place 0, and none behind the last one: both are NULL.
    return `list_filter(${all}, lambda ${event}, ${at}: (${beside}) IS DISTINCT FROM ${event}.step)`;
  });
}

/**
 * `windowFunnel(window, [mode, …])(time, step1, step2, …)`: how many steps the longest chain has whose events follow
 * each other within the window after its first one. A row is one event of each step whose condition it fulfils, the first
 * step first, so that one row can be several steps of a chain; of rows at the same time those of the first steps come first.
 */
function windowFunnel(args: readonly Printed[], call: CallContext): Printed {
  const length = writtenWhole(call.params, 0, call, 'The window');
  if (length < 0) return call.refuse('The window must be 0 or more.');
  const modes = modesOf(call);
  const time = timeOf(args[0]!, call);
  const conditions = args.slice(1).map((one, at) => {
    const { sql, type } = asCondition(one, call, at + 1);
    return type.nullable ? `coalesce(${sql}, false)` : sql;
  });
  const steps = conditions.length;
  const bits = conditions.map((sql, at) => `CASE WHEN ${sql} THEN ${2 ** at} ELSE 0 END`).join(' + ');
  const wanted = [
    ...(modes.has('strict_order') ? [] : [`(${conditions.join(' OR ')})`]),
    ...(time.nullable ? [`${time.sql} IS NOT NULL`] : []),
  ].join(' AND ');
  const list = `list({'at': ${time.sql}, 'bits': CAST(${bits} AS BIGINT)})`;
  const rows = `list_sort(coalesce(${aggregateCall(call, list, wanted === '' ? undefined : wanted)}, []))`;

  const [row, step, chain, event] = [call.fresh(), call.fresh(), call.fresh(), call.fresh()];
  const chains = { steps, window: length * time.perUnit, modes };
  const isAscending = modes.size === 0;
  const numbers = isAscending
    ? `range(1, ${steps + 1})`
    : `range(${steps}, ${modes.has('strict_order') ? -1 : 0}, -1)`;
  const holds = `CASE WHEN ${step} = 0 THEN ${row}.bits = 0 ELSE (${row}.bits >> (${step} - 1)) & 1 = 1 END`;
  const ofRow = `list_transform(list_filter(${numbers}, lambda ${step}: ${holds}), lambda ${step}: {'at': ${row}.at, 'step': ${step}, ${unbegun(chains)}})`;
  const sql = once(rows, call, (sorted) => {
    const events = `flatten(list_transform(${sorted}, lambda ${row}: ${ofRow}))`;
    return once(modes.size === 0 ? telling(events, call) : events, call, (all) => {
      const seed = `{'at': CAST(0 AS BIGINT), 'step': CAST(0 AS BIGINT), ${unbegun(chains)}}`;
      const after = chainsAfter([chain, event], chains);
      const folded = `list_reduce(${all}, lambda ${chain}, ${event}: ${after}, ${seed})`;
      return unlessTooLarge(`len(${all}) > ${MOST_EVENTS}`, longest(folded, chains, call));
    });
  });
  return { sql: `CAST(${sql} AS BIGINT)`, type: scalar('UInt64') };
}

/** How far chains of events come. */
export const windowFunnels: readonly FunctionRow[] = [
  {
    ...aggregate('windowFunnel', [2, MOST_STEPS + 1], windowFunnel),
    minParams: 1,
    maxParams: 1 + MODES.length,
  },
];
