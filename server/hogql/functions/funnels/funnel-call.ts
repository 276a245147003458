import { tuplePartSql } from '../../tuple-sql.ts';
import { arrayOf, duckdbType, isNumeric, scalar, withNull, type ValueType } from '../../value-type.ts';
import { commonType } from '../common-type.ts';
import type { CallContext, Printed } from '../function-row.ts';
import { limitOf, onceEach, unlessTooLarge } from '../growth.ts';
import { asArray, writtenText, writtenWhole, writtenWithin } from '../read-argument.ts';

/** As many steps as a set of them has bits. */
const MOST_STEPS = 32;

const ORDERS = ['ordered', 'strict', 'unordered'] as const;

/** What a call of a funnel function says. */
export interface FunnelCall {
  readonly steps: number;
  /** In seconds. */
  readonly window: number;
  readonly order: (typeof ORDERS)[number];
  /** Whether only events of the breakdown value count at all. */
  readonly isOfAllEvents: boolean;
  /** After how many steps an event must have the breakdown value; null: after none. */
  readonly attributedTo: number | null;
  /** The steps, from 1, that may be left out. */
  readonly optional: readonly number[];
  /** The breakdown values, a list. */
  readonly values: string;
  readonly valueType: ValueType;
  readonly events: Events;
}

/** The tuples of a call. */
interface Events {
  readonly sql: string;
  readonly hasIntervals: boolean;
  readonly uuid: ValueType;
  readonly breakdown: ValueType;
  readonly interval: ValueType;
}

/** How many steps a funnel has. */
export function stepCount(args: readonly Printed[], at: number, call: CallContext): number {
  return writtenWithin(args, at, call, ['The number of steps', 1, MOST_STEPS]);
}

/** Reads the arguments that all funnel functions share: the window and what comes after it. */
export function readFunnel(
  args: readonly Printed[],
  call: CallContext,
  given: { readonly steps: number; readonly windowAt: number; readonly hasIntervals: boolean },
): FunnelCall {
  const { steps, windowAt, hasIntervals } = given;
  const last = args.length - 1;
  const attribution = writtenText(args, windowAt + 1, call, 'The attribution');
  const step = /^step_(\d{1,2})$/.exec(attribution)?.[1];
  if (step === undefined && !['first_touch', 'last_touch', 'all_events'].includes(attribution))
    call.refuse(
      'The attribution must be first_touch, last_touch, all_events or step_ and a number.',
      windowAt + 1,
    );
  const name = writtenText(args, windowAt + 2, call, 'The order');
  const values = asArray(args[windowAt + 3]!, call, windowAt + 3);
  const events = eventsOf(args[last]!, last, call, hasIntervals);
  const item = values.type.name === 'Array' ? values.type.item : scalar('Nothing', true);
  const valueType =
    commonType(item, events.breakdown) ??
    call.refuse('The breakdown values and those of the events have no common type.', windowAt + 3);
  return {
    steps,
    window: writtenWithin(args, windowAt, call, ['The window', 0, Number.MAX_SAFE_INTEGER]),
    order:
      ORDERS.find((one) => one === name) ??
      call.refuse(`The order must be one of ${ORDERS.join(', ')}.`, windowAt + 2),
    isOfAllEvents: attribution === 'all_events',
    attributedTo: step === undefined ? null : Number(step),
    optional: last === windowAt + 5 ? optionalSteps(args[last - 1]!, last - 1, steps, call) : [],
    values: `CAST(${values.sql} AS ${duckdbType(arrayOf(valueType))})`,
    valueType,
    events,
  };
}

/** The optional steps, each once and without those that the funnel does not have. */
function optionalSteps({ parts }: Printed, at: number, steps: number, call: CallContext): number[] {
  if (parts === undefined) return call.refuse('The optional steps must be a constant array.', at);
  const listed = new Set(parts.map((_, part) => writtenWhole(parts, part, call, 'An optional step')));
  return Array.from(listed).filter((step) => step >= 1 && step <= steps);
}

const NO_EVENTS = 'CAST([] AS STRUCT(f1 DOUBLE, f2 BIGINT, f3 UUID, f4 VARCHAR, f5 BIGINT[])[])';

/** Tuples of time, interval where there is one, UUID, breakdown value and steps. */
function eventsOf(argument: Printed, at: number, call: CallContext, hasIntervals: boolean): Events {
  const { sql, type } = asArray(argument, call, at);
  const item = type.name === 'Array' ? type.item : scalar('Nothing', true);
  const [uuid, interval] = [scalar('UUID'), scalar('UInt64')];
  if (item.name === 'Nothing')
    return { sql: NO_EVENTS, hasIntervals: true, uuid, interval, breakdown: scalar('Nothing', true) };
  const count = hasIntervals ? 5 : 4;
  if (item.name !== 'Tuple' || item.items.length !== count)
    return call.refuse(`The events must be an array of tuples with ${count} parts.`, at);
  const types = item.items;
  const steps = types.at(-1)!;
  if (!isNumeric(types[0]!)) return call.refuse('The time of an event must be a number.', at);
  if (steps.name !== 'Array' || !(isNumeric(steps.item) || steps.item.name === 'Nothing'))
    return call.refuse('The steps of an event must be an array of numbers.', at);
  return {
    sql,
    hasIntervals,
    uuid: types.at(-3)!,
    interval: hasIntervals ? types[1]! : interval,
    breakdown: withNull(types.at(-2)!),
  };
}

/** The events that a walk for one breakdown value looks at: `at`, `interval`, `uuid`, `matches` and `steps`. */
function eventsFor(value: string, events: string, funnel: FunnelCall, call: CallContext): string {
  const [event, step] = [call.fresh(), call.fresh()];
  const { hasIntervals } = funnel.events;
  const shift = hasIntervals ? 1 : 0;
  const part = (place: number): string => tuplePartSql(event, place);
  const breakdown = `CAST(${part(3 + shift)} AS ${duckdbType(funnel.valueType)})`;
  const matches = `${breakdown} IS NOT DISTINCT FROM ${value}`;
  const isCounted = funnel.isOfAllEvents ? `${part(1)} IS NOT NULL AND ${matches}` : `${part(1)} IS NOT NULL`;
  // Nothing lies before the first step that could be excluded.
  const isStep = `(${step} BETWEEN 1 AND ${funnel.steps} OR ${step} BETWEEN ${-funnel.steps} AND -2)`;
  const fields = [
    `'at': CAST(${part(1)} AS DOUBLE)`,
    ...(hasIntervals ? [`'interval': ${part(2)}`] : []),
    `'uuid': ${part(2 + shift)}`,
    ...(funnel.attributedTo === null ? [] : [`'matches': ${matches}`]),
    `'steps': list_filter(CAST(${part(4 + shift)} AS BIGINT[]), lambda ${step}: ${isStep})`,
  ];
  const counted = `list_filter(${events}, lambda ${event}: ${isCounted})`;
  return `list_transform(${counted}, lambda ${event}: {${fields.join(', ')}})`;
}

/** How many steps a list of events has in all; an event without steps counts as one. */
export function stepsOf(events: string, steps: (event: string) => string, call: CallContext): string {
  const event = call.fresh();
  return `coalesce(list_sum(list_transform(${events}, lambda ${event}: greatest(len(${steps(event)}), 1))), 0)`;
}

/** SQL that makes something of the events for each breakdown value; so many of their steps, times the values, are too many. */
export function perValue(
  funnel: FunnelCall,
  mostSteps: number,
  call: CallContext,
  use: (value: string, events: string) => string,
): string {
  const value = call.fresh();
  const stepsAt = funnel.events.hasIntervals ? 5 : 4;
  return onceEach([funnel.events.sql, funnel.values], call, (...[events, values]) => {
    const made = use(value, eventsFor(value, events!, funnel, call));
    const steps = stepsOf(events!, (event) => tuplePartSql(event, stepsAt), call);
    return unlessTooLarge(
      `${steps} * len(${values!}) > ${mostSteps}`,
      `list_transform(${values!}, lambda ${value}: ${made})`,
      limitOf(call, mostSteps, 'steps of events, times breakdown values'),
    );
  });
}

/** A list with another value at a place, from 1. */
export function withItem(list: string, place: string, value: string): string {
  return `(${list}[1:${place} - 1] || [${value}] || ${list}[${place} + 1:])`;
}

/** A struct of named fields. */
export function structSql(fields: Readonly<Record<string, string>>): string {
  return `{${Object.entries(fields)
    .map(([name, sql]) => `'${name}': ${sql}`)
    .join(', ')}}`;
}
