import { scalar, type ValueType } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asMoment, asNumber } from '../read-argument.ts';
import { runningList } from '../running-list.ts';

const COUNT = scalar('UInt64');

/** A place on a line: a number, or a moment. */
function asPlace(value: Printed, call: CallContext, at: number): Printed {
  const isTime = value.type.name === 'Date' || value.type.name === 'DateTime';
  return isTime ? asMoment(value, call, at) : asNumber(value, call, at);
}

/**
 * An aggregate of intervals (start, end): begins and ends in the order of their places, where one that ends makes room for
 * one that begins there, and beside each how many intervals it lies in.
 */
function sweeping(
  name: string,
  typeOf: (place: ValueType) => ValueType,
  pick: (depths: string, edges: string) => string,
): FunctionRow {
  return aggregate(name, 2, (args, call) => {
    const [start, end] = args.map((one, at) => asPlace(one, call, at));
    if (start!.type.name !== end!.type.name) return call.refuse('Start and end must have the same type.', 1);
    const edge = (place: Printed, by: 1 | -1): string => `{'at': ${place.sql}, 'by': ${by}}`;
    const known = [start!, end!].map(({ sql }) => `${sql} IS NOT NULL`).join(' AND ');
    const both = aggregateCall(call, `list([${edge(start!, 1)}, ${edge(end!, -1)}])`, known);
    const sql = once(`list_sort(flatten(coalesce(${both}, [])))`, call, (edges) => {
      const one = call.fresh();
      const changes = `list_transform(${edges}, lambda ${one}: ${one}.by)`;
      return once(
        runningList(changes, call, (a, b) => `${a} + ${b}`),
        call,
        (depths) => pick(depths, edges),
      );
    });
    return { sql, type: typeOf(start!.type) };
  });
}

/** How many intervals overlap where most of them do, and where that is first. */
export const intersections: readonly FunctionRow[] = [
  sweeping(
    'maxIntersections',
    () => COUNT,
    (depths) => `CAST(coalesce(list_max(${depths}), 0) AS BIGINT)`,
  ),
  sweeping(
    'maxIntersectionsPosition',
    (type) => (type.name === 'Lambda' ? type : { ...type, nullable: true }),
    (depths, edges) => `${edges}[list_position(${depths}, list_max(${depths}))].at`,
  ),
];
