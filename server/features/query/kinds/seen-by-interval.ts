import type { Expr, SelectQuery } from '../../../hogql/ast.ts';
import { alias, and, compare, dateTime, field, select } from '../../../hogql/build.ts';
import { bucketIndex, type Buckets } from '../dates/buckets.ts';
import type { DateSpan } from '../dates/date-span.ts';
import { eventsFrom, type ScopedQuery } from '../series/query-scope.ts';
import type { Actor } from './actor.ts';

/** The events in which actors are seen, and their intervals. */
export interface Sight {
  readonly actor: Actor;
  readonly span: DateSpan;
  readonly buckets: Pick<Buckets, 'starts' | 'end'>;
  readonly conditions: readonly Expr[];
}

/** Who was seen in which interval: a row for each actor and `bucket`, if the group of events passes `having`. */
export function seenByInterval(
  query: ScopedQuery,
  { actor, span, buckets, conditions }: Sight,
  having?: Expr,
): SelectQuery {
  const timestamp = field('timestamp');
  return select({
    select: [alias(actor.id, 'actor'), alias(bucketIndex(timestamp, buckets), 'bucket')],
    from: eventsFrom(query),
    where: and(
      compare('>=', timestamp, dateTime(span.from)),
      compare('<', timestamp, dateTime(span.to)),
      ...conditions,
      ...actor.isKnown,
    ),
    groupBy: [field('actor'), field('bucket')],
    ...(having && { having }),
  });
}
