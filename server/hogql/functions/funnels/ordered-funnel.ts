import { tupleSql } from '../../tuple-sql.ts';
import { duckdbType } from '../../value-type.ts';
import type { CallContext } from '../function-row.ts';
import { foldedList } from '../fold.ts';
import { once } from '../local-time.ts';
import { structSql, withItem, type FunnelCall } from './funnel-call.ts';

/** Events of each step that a result names, beside the one that counts. */
const MOST_SEEN = 9;

/** What an operation does: it notes that its moment has different events, or is one of an event, or one of a moment. */
const [MARK, OF_EVENT, OF_MOMENT] = [0, 1, 2];

/** How far attempts came: the excluded ones, the events of the steps that must be taken, and a bit for each step. */
const REACHED = 'STRUCT(excluded BOOLEAN, path BIGINT[], bits BIGINT)';

/** What an operation says, the first fields in the order in which they run. */
const OPERATION = [
  'at',
  'kind',
  'major',
  'minor',
  'step',
  'event',
  'matches',
  'clears',
  'kept',
  'looks',
] as const;
type Operation = Readonly<Partial<Record<(typeof OPERATION)[number], string>>>;

/** The fields of an operation that the walk reads, and those it sorts by. */
function operationSql(operation: Operation): string {
  const fields = OPERATION.flatMap((name) => {
    const sql = operation[name];
    return sql === undefined ? [] : [[name, sql] as const];
  });
  return structSql(Object.fromEntries(fields));
}

/**
 * Steps of the events one by one, in their order. Events of one moment that fit different steps are simultaneous: they are
 * walked in the order of the steps, without exclusions; that they differ is noted before the first of them.
 */
function operations(events: string, funnel: FunnelCall, call: CallContext): string {
  const [event, at, step, place] = [call.fresh(), call.fresh(), call.fresh(), call.fresh()];
  const isStrict = funnel.order === 'strict';
  const one = (fields: Operation): string =>
    operationSql({
      at: `${event}.at`,
      event: at,
      ...(funnel.attributedTo !== null && { matches: `${event}.matches` }),
      ...(isStrict && { clears: 'false', kept: 'CAST(0 AS BIGINT)' }),
      ...(funnel.optional.length > 0 && { looks: 'false' }),
      ...fields,
    });
  return once(withKept(events, funnel, call), call, (all) => {
    const isTied = `(${all}[${at} - 1].at IS NOT DISTINCT FROM ${event}.at OR ${all}[${at} + 1].at IS NOT DISTINCT FROM ${event}.at)`;
    const isMarked = `${all}[${at} - 1].at = ${event}.at AND ${all}[${at} - 1].steps <> ${event}.steps`;
    const mark = one({ kind: `${MARK}`, major: at, minor: 'CAST(0 AS BIGINT)', step: 'CAST(0 AS BIGINT)' });
    const ofEvent = one({
      kind: `${OF_EVENT}`,
      major: at,
      minor: place,
      step,
      ...(isStrict && { clears: `${place} >= len(${event}.steps)`, kept: `${event}.kept` }),
    });
    const ofMoment = one({ kind: `${OF_MOMENT}`, major: step, minor: at, step });
    // An event that is no step breaks a strict funnel too.
    const steps = isStrict
      ? `CASE WHEN len(${event}.steps) = 0 THEN [CAST(0 AS BIGINT)] ELSE list_reverse(${event}.steps) END`
      : `list_reverse(${event}.steps)`;
    const made = [
      `list_transform(${steps}, lambda ${step}, ${place}: ${ofEvent})`,
      `CASE WHEN ${isMarked} THEN [${mark}] ELSE [] END`,
      `CASE WHEN ${isTied} THEN list_transform(list_filter(${event}.steps, lambda ${step}: ${step} > 0), lambda ${step}: ${ofMoment}) ELSE [] END`,
    ];
    return `list_sort(flatten(list_transform(${all}, lambda ${event}, ${at}: ${made.join(' || ')})))`;
  });
}

/** The events of a strict funnel with their steps as bits, once for each event, which may have many steps. */
export function withKept(events: string, { order }: FunnelCall, call: CallContext): string {
  if (order !== 'strict') return events;
  const event = call.fresh();
  return `list_transform(${events}, lambda ${event}: struct_insert(${event}, kept := ${keptSteps(`${event}.steps`, call)}))`;
}

/** The steps of an event as bits. */
function keptSteps(steps: string, call: CallContext): string {
  const step = call.fresh();
  return `coalesce(list_bit_or(list_transform(list_filter(${steps}, lambda ${step}: ${step} > 0), lambda ${step}: CAST(1 AS BIGINT) << (${step} - 1))), 0)`;
}

/** Starts that are forgotten where the event is none of their steps. */
export function withoutOthers(starts: string, kept: string, call: CallContext): string {
  const [start, place] = [call.fresh(), call.fresh()];
  return `list_transform(${starts}, lambda ${start}, ${place}: CASE WHEN (${kept} >> (${place} - 1)) & 1 = 1 THEN ${start} END)`;
}

/** The state before the first event; for each step when the attempt began that came there last, and what it has seen. */
function start({ steps, optional }: FunnelCall): Record<string, string> {
  const all = (item: string): string => `[${Array.from({ length: steps }, () => item).join(', ')}]`;
  return {
    starts: `CAST(${all('NULL')} AS DOUBLE[])`,
    reached: `CAST(${all('NULL')} AS ${REACHED}[])`,
    seen: `CAST(${all('[]')} AS BIGINT[][])`,
    best: `{'step': CAST(0 AS BIGINT), 'start': CAST(0 AS DOUBLE), 'excluded': false, 'path': CAST([] AS BIGINT[]), 'bits': CAST(0 AS BIGINT)}`,
    mixed: `CAST(NULL AS DOUBLE)`,
    done: `CAST(NULL AS DOUBLE)`,
    ...(optional.length > 0 && { from: `CAST(NULL AS BIGINT)` }),
  };
}

/** What the items of the list that is folded have of a state: nothing, in as little memory as may be. */
function noState({ optional }: FunnelCall): Record<string, string> {
  return {
    starts: `CAST([] AS DOUBLE[])`,
    reached: `CAST([] AS ${REACHED}[])`,
    seen: `CAST([] AS BIGINT[][])`,
    best: `CAST(NULL AS STRUCT(step BIGINT, start DOUBLE, excluded BOOLEAN, path BIGINT[], bits BIGINT))`,
    mixed: `CAST(NULL AS DOUBLE)`,
    done: `CAST(NULL AS DOUBLE)`,
    ...(optional.length > 0 && { from: `CAST(NULL AS BIGINT)` }),
  };
}

/**
 * The step from which an event takes another, 0 for none: the one before, or an earlier one where those in between may be
 * left out; NULL where no attempt is near enough.
 */
function fromSteps(state: string, one: string, { steps, optional, window }: FunnelCall): string {
  const isNear = (step: number): string =>
    step === 0 ? `${one}.at <> 0` : `${one}.at - ${state}.starts[${step}] <= ${window}`;
  const cases = Array.from({ length: steps }, (_, at) => at + 1).map((step) => {
    const candidates = [step - 1];
    while (candidates.at(-1)! > 0 && optional.includes(candidates.at(-1)!))
      candidates.push(candidates.at(-1)! - 1);
    const found = candidates.map((from) => `WHEN ${isNear(from)} THEN ${from}`);
    return `WHEN ${step} THEN CASE ${found.join(' ')} END`;
  });
  return `CASE abs(${one}.step) ${cases.join(' ')} END`;
}

/** The state after an operation. */
function next(state: string, one: string, funnel: FunnelCall, call: CallContext): Record<string, string> {
  const { steps, window, optional, attributedTo, order } = funnel;
  const isLooking = optional.length > 0;
  const from = isLooking ? `${state}.from` : `(abs(${one}.step) - 1)`;
  const begin = `(CASE WHEN ${from} = 0 THEN nullif(${one}.at, 0) ELSE ${state}.starts[${from}] END)`;
  const isExcluded = `coalesce(${state}.reached[${from}].excluded, false)`;
  const path = `coalesce(${state}.reached[${from}].path, [])`;
  const isLive =
    `(${state}.done IS NULL OR ${state}.done = ${one}.at) AND ` +
    `(${one}.kind = ${OF_EVENT} AND ${state}.mixed IS DISTINCT FROM ${one}.at OR ${one}.kind = ${OF_MOMENT} AND ${state}.mixed = ${one}.at)`;
  const isNext = [
    isLive,
    ...(isLooking ? [`NOT ${one}.looks`] : []),
    `${one}.at - ${begin} <= ${window}`,
    `${state}.starts[abs(${one}.step)] IS DISTINCT FROM ${begin}`,
  ].join(' AND ');
  const takes = [
    `${one}.step > 0`,
    isNext,
    `NOT (${one}.kind = ${OF_MOMENT} AND list_contains(${path}, ${one}.event))`,
    ...(attributedTo === null ? [] : [`(${one}.matches OR ${from} <> ${attributedTo})`]),
  ].join(' AND ');
  const excludes = `${one}.step < 0 AND ${from} > 0 AND ${isNext} AND NOT ${isExcluded}`;
  const isOptional = `${one}.step IN (${optional.join(', ')})`;
  const appended = `list_append(${path}, ${one}.event)`;
  const came = [
    `'path': ${isLooking ? `CASE WHEN ${isOptional} THEN ${path} ELSE ${appended} END` : appended}`,
    `'bits': coalesce(${state}.reached[${from}].bits, 0) | (CAST(1 AS BIGINT) << (${one}.step - 1))`,
  ].join(', ');
  const best = `${state}.best`;
  const fields = {
    starts: `CASE WHEN ${takes} AND NOT ${isExcluded} THEN ${withItem(`${state}.starts`, `${one}.step`, begin)} ELSE ${state}.starts END`,
    reached:
      `CASE WHEN ${takes} AND NOT ${isExcluded} THEN ${withItem(`${state}.reached`, `${one}.step`, `{'excluded': false, ${came}}`)} ` +
      `WHEN ${excludes} THEN ${withItem(`${state}.reached`, from, `{'excluded': true, 'path': ${path}, 'bits': ${state}.reached[${from}].bits}`)} ` +
      `ELSE ${state}.reached END`,
    seen:
      `CASE WHEN ${takes} AND NOT ${isExcluded} AND len(${state}.seen[${from} + 1]) < ${MOST_SEEN} ` +
      `THEN ${withItem(`${state}.seen`, `(${from} + 1)`, `list_append(${state}.seen[${from} + 1], ${one}.event)`)} ELSE ${state}.seen END`,
    best:
      `CASE WHEN ${takes} AND (${one}.step > ${best}.step OR ${one}.step = ${best}.step AND ${best}.excluded) ` +
      `THEN {'step': ${one}.step, 'start': ${begin}, 'excluded': ${isExcluded}, ${came}} ` +
      `WHEN ${best}.step = ${from} AND ${one}.at - ${best}.start <= ${window} AND ${excludes} ` +
      `THEN {'step': ${best}.step, 'start': ${best}.start, 'excluded': true, 'path': ${best}.path, 'bits': ${best}.bits} ELSE ${best} END`,
    mixed: `CASE WHEN ${one}.kind = ${MARK} THEN ${one}.at ELSE ${state}.mixed END`,
    done: `CASE WHEN ${one}.step = ${steps} AND ${takes} AND NOT ${isExcluded} AND ${begin} > 0 THEN ${one}.at ELSE ${state}.done END`,
    ...(isLooking && {
      from: `CASE WHEN ${one}.looks THEN ${fromSteps(state, one, funnel)} ELSE ${state}.from END`,
    }),
  };
  if (order === 'strict')
    fields.starts = `CASE WHEN ${one}.clears${isLooking ? ` AND NOT ${one}.looks` : ''} AND ${isLive} THEN ${withoutOthers(`(${fields.starts})`, `${one}.kept`, call)} ELSE ${fields.starts} END`;
  return fields;
}

/** The fields of an operation while it is folded: those that every operation has, and those of such a funnel. */
export function carried(
  one: string,
  always: readonly string[],
  { order, attributedTo }: FunnelCall,
): Record<string, string> {
  const names = [
    ...always,
    ...(attributedTo === null ? [] : ['matches']),
    ...(order === 'strict' ? ['clears', 'kept'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, `${one}.${name}`]));
}

/** How far the person of the events came in a funnel whose steps follow each other, as a tuple. */
export function orderedResult(value: string, events: string, funnel: FunnelCall, call: CallContext): string {
  const [one, state, index] = [call.fresh(), call.fresh(), call.fresh()];
  const isLooking = funnel.optional.length > 0;
  return once(events, call, (all) => {
    const fields = carried(one, ['at', 'kind', 'step', 'event', ...(isLooking ? ['looks'] : [])], funnel);
    const item = (looks?: string): string =>
      structSql({ ...fields, ...(looks !== undefined && { looks }), ...noState(funnel) });
    const listed = operations(all, funnel, call);
    const items = isLooking
      ? `flatten(list_transform(${listed}, lambda ${one}: [${item('true')}, ${item('false')}]))`
      : `list_transform(${listed}, lambda ${one}: ${item()})`;
    const none = Object.fromEntries(Object.keys(fields).map((name) => [name, 'NULL']));
    const seed = structSql({ ...none, ...start(funnel) });
    const after = structSql({ ...fields, ...next(state, one, funnel, call) });
    const folded = foldedList(items, seed, `${state}, ${one}: ${after}`);
    return once(folded, call, (end) => {
      const { best, taken } = { best: `${end}.best`, taken: call.fresh() };
      const left = funnel.optional.map((step) => `CASE WHEN ${best}.step >= ${step} THEN 1 ELSE 0 END`);
      const count = left.length === 0 ? `${best}.step` : `(${best}.step - (${left.join(' + ')}))`;
      const at = (event: string): string => `${all}[${event}].at`;
      const timings = `list_transform(${best}.path[2:], lambda ${index}, ${taken}: ${at(index)} - ${at(`${best}.path[${taken}]`)})`;
      const [list, event] = [call.fresh(), call.fresh()];
      const named = `CASE WHEN ${index} <= ${count} THEN [${best}.path[${index}]] || ${list} ELSE ${list} END`;
      const uuids = `list_transform(${end}.seen, lambda ${list}, ${index}: list_transform(${named}, lambda ${event}: ${all}[${event}].uuid))`;
      const uuidList = `${duckdbType(funnel.events.uuid)}[][]`;
      const reached = (step: string, times: string, ids: string, bits: string): string =>
        tupleSql([
          `CAST(${step} AS BIGINT)`,
          value,
          `CAST(${times} AS DOUBLE[])`,
          `CAST(${ids} AS ${uuidList})`,
          `CAST(${bits} AS BIGINT)`,
        ]);
      return `(CASE WHEN ${best}.excluded THEN ${reached('-1', '[]', '[]', '0')} ELSE ${reached(`${count} - 1`, timings, uuids, `${best}.bits`)} END)`;
    });
  });
}
