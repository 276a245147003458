import { tupleSql } from '../../tuple-sql.ts';
import { duckdbType } from '../../value-type.ts';
import type { CallContext } from '../function-row.ts';
import { foldedList } from '../fold.ts';
import { once } from '../local-time.ts';
import { structSql, type FunnelCall } from './funnel-call.ts';
import type { Span } from './ordered-trends.ts';

/** The steps that were taken and wait for the others, in the order of their time, and then of the steps. */
const WAITING = 'STRUCT("at" DOUBLE, step BIGINT, event BIGINT)[]';
/** The events that stopped waiting: how many steps waited with each, and at which event it stopped. */
const GONE = 'STRUCT(first BIGINT, steps BIGINT, event BIGINT)[]';

/** What an operation does: it counts what stops waiting at an event, or at the end; lets it go; takes the event. */
const [COUNT, COUNT_ALL, LEAVE, TAKE] = [0, 1, 2, 3];

/** How many different steps wait. */
function stepsIn(waiting: string, call: CallContext): string {
  const one = call.fresh();
  return `len(list_distinct(list_transform(${waiting}, lambda ${one}: ${one}.step)))`;
}

/** The first event that waits for each step, in the order of their time. */
function firstEvents(waiting: string, call: CallContext): string {
  const [one, place, other] = [call.fresh(), call.fresh(), call.fresh()];
  const before = `list_filter(${waiting}[1:${place} - 1], lambda ${other}: ${other}.step = ${one}.step)`;
  return `list_transform(list_filter(${waiting}, lambda ${one}, ${place}: len(${before}) = 0), lambda ${one}: ${one}.event)`;
}

/** The step that an event takes: of several, the one that was taken longest ago. */
function stepTaken(operation: string, waiting: string, call: CallContext): string {
  const [step, place, one] = [call.fresh(), call.fresh(), call.fresh()];
  const times = `list_transform(list_filter(${waiting}, lambda ${one}: ${one}.step = ${step}), lambda ${one}: ${one}.at)`;
  const ages = `list_transform(${operation}.took, lambda ${step}, ${place}: {'last': coalesce(list_max(${times}), 0), 'place': ${place}, 'step': ${step}})`;
  return `(CASE WHEN len(${operation}.took) = 1 THEN ${operation}.took[1] ELSE list_min(${ages}).step END)`;
}

/** How many of those that wait stop: all whose window is over, and the first ones as long as all steps wait. */
function leaving(
  operation: string,
  waiting: string,
  { steps, window }: FunnelCall,
  call: CallContext,
): string {
  const [one, step, place] = [call.fresh(), call.fresh(), call.fresh()];
  const over = `len(list_filter(${waiting}, lambda ${one}: ${one}.at + ${window} < ${operation}.at))`;
  const places = `list_transform(${waiting}, lambda ${one}, ${place}: CASE WHEN ${one}.step = ${step} THEN ${place} END)`;
  const lasts = `list_transform(range(1, ${steps + 1}), lambda ${step}: list_max(${places}))`;
  return (
    `CASE WHEN ${operation}.kind = ${COUNT_ALL} THEN len(${waiting}) ` +
    `WHEN ${stepsIn(waiting, call)} < ${steps} THEN ${over} ELSE greatest(${over}, list_min(${lasts})) END`
  );
}

/** The operations of a walk: three for each event, and two after the last one. */
function operations(events: string, funnel: FunnelCall, call: CallContext): string {
  const [event, at, step] = [call.fresh(), call.fresh(), call.fresh()];
  const one = (kind: number): string =>
    structSql({
      at: `${event}.at`,
      kind: String(kind),
      event: at,
      took: `list_filter(${event}.steps, lambda ${step}: ${step} > 0)`,
      ...(funnel.attributedTo !== null && { matches: `${event}.matches` }),
    });
  const own = `[${[COUNT, LEAVE, TAKE].map((kind) => one(kind)).join(', ')}]`;
  const end = `CASE WHEN ${at} = len(${events}) THEN [${one(COUNT_ALL)}, ${one(LEAVE)}] ELSE [] END`;
  return `flatten(list_transform(${events}, lambda ${event}, ${at}: ${own} || ${end}))`;
}

/** What a walk keeps: the most steps that waited concurrently, or all that stopped waiting. */
type Kept = 'best' | 'gone';

/** The state after an operation. */
function next(state: string, one: string, kept: Kept, funnel: FunnelCall, call: CallContext): string {
  const { attributedTo } = funnel;
  const { waiting, leaves } = { waiting: `${state}.waiting`, leaves: `${state}.leaves` };
  const left = `${waiting}[${leaves} + 1:]`;
  const isDone = kept === 'best' ? `len(${state}.best) >= ${funnel.steps}` : 'false';
  const taken = structSql({ at: `${one}.at`, step: stepTaken(one, waiting, call), event: `${one}.event` });
  const isRefused =
    attributedTo === null ? 'false' : `${state}.steps = ${attributedTo} AND NOT ${one}.matches`;
  const appended = `list_append(${waiting}, ${taken})`;
  const place = call.fresh();
  const stopped = structSql({
    first: `${waiting}[${place}].event`,
    steps: stepsIn(`${waiting}[${place}:]`, call),
    event: `${one}.event`,
  });
  return structSql({
    at: `${one}.at`,
    kind: `${one}.kind`,
    event: `${one}.event`,
    took: `${one}.took`,
    ...(attributedTo !== null && { matches: `${one}.matches` }),
    waiting:
      `CASE WHEN ${isDone} OR ${one}.kind < ${LEAVE} THEN ${waiting} WHEN ${one}.kind = ${LEAVE} THEN ${left} ` +
      // An event of no step is an exclusion.
      `WHEN len(${one}.took) = 0 THEN [] WHEN ${isRefused} THEN ${waiting} ` +
      `WHEN ${waiting}[-1].at < ${one}.at THEN ${appended} ELSE list_sort(${appended}) END`,
    steps:
      `CASE WHEN ${one}.kind < ${LEAVE} THEN ${stepsIn(waiting, call)} ` +
      `WHEN ${one}.kind = ${LEAVE} AND ${leaves} > 0 THEN ${stepsIn(left, call)} ELSE ${state}.steps END`,
    leaves: `CASE WHEN ${one}.kind < ${LEAVE} THEN ${leaving(one, waiting, funnel, call)} ELSE ${leaves} END`,
    [kept]:
      kept === 'best'
        ? `CASE WHEN ${one}.kind = ${LEAVE} AND ${leaves} > 0 AND ${state}.steps > len(${state}.best) THEN ${firstEvents(waiting, call)} ELSE ${state}.best END`
        : `CASE WHEN ${one}.kind = ${LEAVE} AND ${leaves} > 0 THEN ${state}.gone || list_transform(range(1, ${leaves} + 1), lambda ${place}: ${stopped}) ELSE ${state}.gone END`,
  });
}

/** What the walk over the events of a funnel keeps whose steps come in any order. */
function walk(events: string, kept: Kept, funnel: FunnelCall, call: CallContext): string {
  const [one, state] = [call.fresh(), call.fresh()];
  const names = ['at', 'kind', 'event', 'took', ...(funnel.attributedTo === null ? [] : ['matches'])];
  const empty = {
    waiting: `CAST([] AS ${WAITING})`,
    steps: 'CAST(0 AS BIGINT)',
    leaves: 'CAST(0 AS BIGINT)',
    [kept]: kept === 'best' ? 'CAST([] AS BIGINT[])' : `CAST([] AS ${GONE})`,
  };
  const item = structSql({
    ...Object.fromEntries(names.map((name) => [name, `${one}.${name}`])),
    ...empty,
  });
  const seed = structSql({ ...Object.fromEntries(names.map((name) => [name, 'NULL'])), ...empty });
  const items = `list_transform(${operations(events, funnel, call)}, lambda ${one}: ${item})`;
  const after = next(state, one, kept, funnel, call);
  return `${foldedList(items, seed, `${state}, ${one}: ${after}`)}.${kept}`;
}

/** How far the person of the events came in a funnel whose steps come in any order, as a tuple. */
export function unorderedResult(
  value: string,
  events: string,
  funnel: FunnelCall,
  call: CallContext,
): string {
  const [event, place] = [call.fresh(), call.fresh()];
  return once(events, call, (all) =>
    once(walk(all, 'best', funnel, call), call, (best) => {
      const timings = `list_transform(${best}[2:], lambda ${event}, ${place}: ${all}[${event}].at - ${all}[${best}[${place}]].at)`;
      const uuids = `list_transform(${best}, lambda ${event}: [${all}[${event}].uuid])`;
      return tupleSql([
        `CAST(len(${best}) - 1 AS BIGINT)`,
        value,
        `CAST(${timings} AS DOUBLE[])`,
        `CAST(${uuids} AS ${duckdbType(funnel.events.uuid)}[][])`,
        `(CAST(1 AS BIGINT) << len(${best})) - 1`,
      ]);
    }),
  );
}

/** The intervals in which the person of the events began a funnel whose steps come in any order, as tuples. */
export function unorderedTrends(
  value: string,
  events: string,
  { from, to }: Span,
  funnel: FunnelCall,
  call: CallContext,
): string {
  const [one, place] = [call.fresh(), call.fresh()];
  return once(events, call, (all) => {
    const fields = {
      interval: `${all}[${one}.first].interval`,
      missing: `${funnel.steps} - ${one}.steps`,
      place,
      event: `${one}.event`,
    };
    // Of an interval the one with the most steps, of several the first.
    const sorted = `list_sort(list_transform(${walk(all, 'gone', funnel, call)}, lambda ${one}, ${place}: ${structSql(fields)}))`;
    return once(sorted, call, (gone) => {
      const steps = `${funnel.steps} - ${one}.missing`;
      const isFirst = `${gone}[${place} - 1].interval IS DISTINCT FROM ${one}.interval`;
      const counted = `list_filter(${gone}, lambda ${one}, ${place}: ${isFirst} AND ${steps} >= ${from})`;
      const result = tupleSql([
        `${one}.interval`,
        `CAST(CASE WHEN ${steps} >= ${to} THEN 1 ELSE -1 END AS BIGINT)`,
        value,
        `${all}[${one}.event].uuid`,
      ]);
      return `list_transform(${counted}, lambda ${one}: ${result})`;
    });
  });
}
