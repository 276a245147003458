import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  field,
  from,
  join,
  keptCte,
  select,
} from '../../../../hogql/build.ts';
import { personBits } from '../../../../hogql/print/duckdb/fast/person-bits.ts';
import type { KindContext } from '../../query-kind.ts';
import { bucketOf, rolesOf, seenEvents } from './to-hogql.ts';
import type { RetentionPlan } from './plan.ts';

const BUCKET = field('bucket');
const START = field('start');
const PLACE = field('place');
const PERSONS = field('persons');
const ZERO = constant(0);
/** Of an interval: who begins, and who comes back. */
const MOST_SETS = 2;

/**
 * Whether a retention is one for `quickRetention`: persons who start in every calendar interval, without further
 * options.
 */
export function isQuick(
  { beginning, dates, aggregated, minimum, isCumulative, actor, breakdown }: RetentionPlan,
  { personLimit }: Pick<KindContext, 'personLimit'>,
): boolean {
  const { buckets, places, windowMs } = dates;
  const isPlain = aggregated === null && minimum === 1 && !isCumulative && breakdown?.kind !== 'values';
  const isOfCalendar = windowMs === null && places.every(({ from: first, to }) => to - first === 1);
  return (
    beginning === 'each' &&
    isPlain &&
    isOfCalendar &&
    actor.groupTypeIndex === null &&
    personBits(personLimit, buckets.starts.length * MOST_SETS) !== null
  );
}

/**
 * The cells of a plain retention, as `retentionStatement` gives them. Who was seen in an interval is one set, and a cell is how
 * many persons two of them share: events are read once, and no persons are joined.
 */
export function quickRetention(plan: RetentionPlan): SelectQuery {
  const { begins, returns } = rolesOf(plan);
  const { rows, places, buckets } = plan.dates;
  const setOf = (condition: Expr | null): Expr =>
    condition === null ? call('personSet', plan.actor.id) : call('personSetIf', plan.actor.id, condition);
  const isOfOne = begins === null && returns === null;
  const sets = select({
    ...seenEvents(plan),
    select: [
      bucketOf(plan),
      alias(setOf(begins), 'begun'),
      ...(isOfOne ? [] : [alias(setOf(returns), 'others')]),
    ],
    groupBy: [BUCKET],
    mostGroups: buckets.starts.length * MOST_SETS,
  });
  const start = field('starts', 'bucket');
  const gap = arithmetic('-', field('seen', 'bucket'), start);
  const begun = field('starts', 'begun');
  // The first column counts start events, even if they are no return events.
  const isFirst = compare('==', gap, ZERO);
  const other = isOfOne ? field('seen', 'begun') : call('if', isFirst, begun, field('seen', 'others'));
  const cells = select({
    select: [
      alias(start, 'start'),
      alias(gap, 'place'),
      alias(call('personsInBoth', begun, other), 'persons'),
    ],
    // No condition on what they share, which DuckDB would look at first, for each pair of intervals.
    from: join(from('sets', 'starts'), 'CROSS JOIN', from('sets', 'seen')),
    where: and(
      compare('>=', gap, ZERO),
      compare('<', gap, constant(places.length)),
      compare('<', start, constant(rows)),
    ),
  });
  return {
    ...select({
      select: [START, call('groupArray', PLACE), call('groupArray', PERSONS)],
      from: from(cells),
      groupBy: [START],
    }),
    ctes: [keptCte('sets', sets)],
  };
}
