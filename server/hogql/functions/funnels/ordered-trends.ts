import { tupleSql } from '../../tuple-sql.ts';
import type { CallContext } from '../function-row.ts';
import { foldedList } from '../fold.ts';
import { limitOf, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { stepsOf, structSql, withItem, type FunnelCall } from './funnel-call.ts';
import { carried, withKept, withoutOthers } from './ordered-funnel.ts';

/** The steps between which a conversion is counted, from 1. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Steps of the events times intervals: each interval is a walk of its own. */
const MOST_STEPS_OF_INTERVALS = 1_000_000;

/** How an attempt is excluded: not, where it is now, or on the way to where it is. */
const [NOT, PARTLY, FULLY] = [0, 1, 2];

const BEST = 'STRUCT(step BIGINT, "at" DOUBLE, event BIGINT, excluded INTEGER)';

/** The steps of the events one by one, the last step of an event first. */
function operations(events: string, funnel: FunnelCall, call: CallContext): string {
  const [event, at, step, place] = [call.fresh(), call.fresh(), call.fresh(), call.fresh()];
  const isStrict = funnel.order === 'strict';
  const fields = {
    at: `${event}.at`,
    interval: `${event}.interval`,
    step,
    event: at,
    ...(funnel.attributedTo !== null && { matches: `${event}.matches` }),
    ...(isStrict && { clears: `${place} >= len(${event}.steps)`, kept: `${event}.kept` }),
  };
  // An event that is no step breaks a strict funnel too.
  const steps = isStrict
    ? `CASE WHEN len(${event}.steps) = 0 THEN [CAST(0 AS BIGINT)] ELSE list_reverse(${event}.steps) END`
    : `list_reverse(${event}.steps)`;
  return `flatten(list_transform(${withKept(events, funnel, call)}, lambda ${event}, ${at}: list_transform(${steps}, lambda ${step}, ${place}: ${structSql(fields)})))`;
}

/** The state of an interval after an operation. */
function next(
  [state, one]: readonly [string, string],
  operation: Readonly<Record<string, string>>,
  interval: string,
  { to }: Span,
  funnel: FunnelCall,
  call: CallContext,
): string {
  const { steps, window, order, attributedTo } = funnel;
  const best = `${state}.best`;
  const from = `(abs(${one}.step) - 1)`;
  const begin = `${state}.starts[${from}]`;
  const isExcluded = `coalesce(${state}.excluded[${from}], false)`;
  const matches = attributedTo === null ? 'true' : `(${one}.matches OR ${from} <> ${attributedTo})`;
  const enters = `${state}.won IS NULL AND ${one}.step = 1 AND ${one}.interval = ${interval} AND ${one}.at <> 0 AND ${matches}`;
  const isNew = `(${best}.step = 0 OR ${best}.step = 1 AND ${best}.excluded <> ${NOT})`;
  const isNext =
    `${state}.won IS NULL AND abs(${one}.step) > 1 AND ${one}.at - ${begin} <= ${window} ` +
    `AND ${state}.starts[abs(${one}.step)] IS DISTINCT FROM ${begin}`;
  const takes = `${one}.step > 1 AND ${isNext} AND ${matches}`;
  const excludes = `${one}.step < 0 AND ${isNext} AND NOT ${isExcluded}`;
  const wins = `(${one}.step = ${to} AND NOT ${isExcluded} OR ${state}.starts[${to}] IS NOT NULL)`;
  const none = (item: string): string => Array.from({ length: steps - 1 }, () => `, ${item}`).join('');
  const starts =
    `CASE WHEN ${enters} AND ${isNew} THEN [${one}.at${none('NULL')}] WHEN ${enters} THEN ${withItem(`${state}.starts`, '1', `${one}.at`)} ` +
    `WHEN ${takes} AND NOT ${isExcluded} THEN ${withItem(`${state}.starts`, `${one}.step`, begin)} ELSE ${state}.starts END`;
  return structSql({
    ...operation,
    starts:
      order === 'strict'
        ? `CASE WHEN ${one}.clears THEN ${withoutOthers(`(${starts})`, `${one}.kept`, call)} ELSE ${starts} END`
        : starts,
    excluded:
      `CASE WHEN ${enters} AND ${isNew} THEN [false${none('false')}] WHEN ${enters} THEN ${withItem(`${state}.excluded`, '1', 'false')} ` +
      `WHEN ${takes} AND NOT ${isExcluded} THEN ${withItem(`${state}.excluded`, `${one}.step`, 'false')} ` +
      `WHEN ${excludes} THEN ${withItem(`${state}.excluded`, from, 'true')} ELSE ${state}.excluded END`,
    best:
      `CASE WHEN ${enters} AND ${isNew} THEN {'step': CAST(1 AS BIGINT), 'at': ${one}.at, 'event': ${one}.event, 'excluded': ${NOT}} ` +
      `WHEN ${takes} AND NOT ${wins} AND (${one}.step > ${best}.step OR ${one}.step = ${best}.step AND ${best}.excluded = ${PARTLY}) ` +
      `THEN {'step': ${one}.step, 'at': ${one}.at, 'event': ${one}.event, 'excluded': CASE WHEN ${isExcluded} THEN ${FULLY} ELSE ${NOT} END} ` +
      `WHEN ${best}.step = ${from} AND ${one}.at - ${best}.at <= ${window} AND ${excludes} ` +
      `THEN {'step': ${best}.step, 'at': ${best}.at, 'event': ${best}.event, 'excluded': ${PARTLY}} ELSE ${best} END`,
    won: `CASE WHEN ${takes} AND ${wins} THEN ${one}.event ELSE ${state}.won END`,
  });
}

/**
 * The intervals in which the person of the events began a funnel whose steps follow each other, as tuples: 1 where an
 * attempt of the interval came to the last step, -1 where it came to the first one.
 */
export function orderedTrends(
  value: string,
  events: string,
  span: Span,
  funnel: FunnelCall,
  call: CallContext,
): string {
  const [one, state, interval, end] = [call.fresh(), call.fresh(), call.fresh(), call.fresh()];
  return once(events, call, (all) => {
    const begins = `list_filter(${all}, lambda ${one}: list_contains(${one}.steps, 1))`;
    const intervals = `list_sort(list_distinct(list_transform(${begins}, lambda ${one}: ${one}.interval)))`;
    const operation = carried(one, ['at', 'interval', 'step', 'event'], funnel);
    const none = (item: string): string => Array.from({ length: funnel.steps }, () => item).join(', ');
    const item = structSql({
      ...operation,
      starts: 'CAST([] AS DOUBLE[])',
      excluded: 'CAST([] AS BOOLEAN[])',
      best: `CAST(NULL AS ${BEST})`,
      won: 'CAST(NULL AS BIGINT)',
    });
    const seed = structSql({
      ...Object.fromEntries(Object.keys(operation).map((name) => [name, 'NULL'])),
      starts: `CAST([${none('NULL')}] AS DOUBLE[])`,
      excluded: `[${none('false')}]`,
      best: `CAST({'step': 0, 'at': 0, 'event': NULL, 'excluded': ${NOT}} AS ${BEST})`,
      won: 'CAST(NULL AS BIGINT)',
    });
    const after = next([state, one], operation, interval, span, funnel, call);
    const walks = once(operations(all, funnel, call), call, (steps) => {
      // Other intervals begin attempts of their own.
      const own = `list_filter(${steps}, lambda ${one}: ${one}.step <> 1 OR ${one}.interval = ${interval})`;
      const items = `list_transform(${own}, lambda ${one}: ${item})`;
      const walk = foldedList(items, seed, `${state}, ${one}: ${after}`);
      return `list_transform(${intervals}, lambda ${interval}: {'interval': ${interval}, 'end': ${walk}})`;
    });
    const steps = stepsOf(all, (event) => `${event}.steps`, call);
    const bounded = unlessTooLarge(
      `len(${intervals}) * ${steps} > ${MOST_STEPS_OF_INTERVALS}`,
      walks,
      limitOf(call, MOST_STEPS_OF_INTERVALS, 'steps of events, times intervals'),
    );
    return once(bounded, call, (ends) => {
      const best = `${end}.end.best`;
      const isVoid = `len(list_filter(${ends}, lambda ${end}: ${end}.end.won IS NULL AND ${best}.excluded = ${FULLY})) > 0`;
      const isEntry = `${best}.step >= ${span.from} AND ${best}.excluded <> ${PARTLY}`;
      const counted = `list_filter(${ends}, lambda ${end}: ${end}.end.won IS NOT NULL OR ${isEntry} AND NOT ${isVoid.replaceAll(end, `${end}v`)})`;
      const event = `coalesce(${end}.end.won, ${best}.event)`;
      const result = tupleSql([
        `${end}.interval`,
        `CAST(CASE WHEN ${end}.end.won IS NULL THEN -1 ELSE 1 END AS BIGINT)`,
        value,
        `${all}[${event}].uuid`,
      ]);
      return `list_transform(${counted}, lambda ${end}: ${result})`;
    });
  });
}
