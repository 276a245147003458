import { tupleOf, type ValueType } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach } from '../growth.ts';
import { shifted, startOfInterval } from './date-intervals.ts';

/** From when to when a window of time is. */
interface TimeWindow {
  readonly start: Printed;
  readonly end: Printed;
}

/** `tumble(time, interval, [zone])`: windows follow each other, and each moment is in one of them. */
function tumbling(args: readonly Printed[], call: CallContext): TimeWindow {
  const start = startOfInterval(args, call);
  return { start, end: shifted(start, '+', args[1]!, call) };
}

/** `hop(time, hop, window, [zone])`: windows begin one hop after another; of those that a moment is in the first one. */
function hopping([time, hop, size, ...zone]: readonly Printed[], call: CallContext): TimeWindow {
  if (size!.type.name !== 'Interval') return call.refuse('Expected an interval.', 2);
  const { end } = tumbling([time!, hop!, ...zone], call);
  return { start: shifted(end, '-', size!, call), end };
}

function both({ start, end }: TimeWindow, call: CallContext): Printed {
  const types: ValueType[] = [start.type, end.type];
  const sql = onceEach([start.sql, end.sql], call, (from, to) => tupleSql([from!, to!]));
  return { sql, type: tupleOf(types) };
}

/** A window itself, its beginning and its end, which is not part of it. */
function family(
  name: string,
  arity: readonly [number, number],
  windowOf: (args: readonly Printed[], call: CallContext) => TimeWindow,
): FunctionRow[] {
  return [
    typed(name, arity, (args, call) => both(windowOf(args, call), call)),
    typed(`${name}Start`, arity, (args, call) => windowOf(args, call).start),
    typed(`${name}End`, arity, (args, call) => windowOf(args, call).end),
  ];
}

/** Windows of time that moments are in. */
export const timeWindows: readonly FunctionRow[] = [
  ...family('tumble', [2, 3], tumbling),
  ...family('hop', [3, 4], hopping),
];
