import type { lifecyclePoint } from './schema.ts';
import { pickedInterval } from '../../buckets.ts';
import type { ActorsSelect, KindContext } from '../../query-kind.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { type LifecyclePlan, STATUS, BUCKET, ACTOR, ctesOf } from './to-hogql.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { alias, and, call, compare, constant, from, select } from '../../../../hogql/build.ts';

/** Who has a status in the interval of a day; without them in any. Throws invalid_input for an interval that is not there. */
export async function lifecycleActors(
  plan: LifecyclePlan,
  { day, status }: ActorsPoint<typeof lifecyclePoint>,
  context: KindContext,
): Promise<ActorsSelect> {
  const isAny = day === null || day === undefined;
  const bucket = isAny ? null : pickedInterval(plan.buckets, day, plan.zone, context) + 1;
  return {
    select: actorsWith(plan, { status: status ?? null, bucket }),
    groupTypeIndex: plan.sight.actor.groupTypeIndex,
  };
}

/** Who has a status in an interval; null: any. */
function actorsWith(
  plan: LifecyclePlan,
  point: { status: string | null; bucket: number | null },
): SelectQuery {
  const conditions = [
    ...(point.status === null ? [] : [compare('==', STATUS, constant(point.status))]),
    ...(point.bucket === null ? [] : [compare('==', BUCKET, constant(point.bucket))]),
  ];
  return {
    ...select({
      select: [alias(ACTOR, 'actor_id'), alias(call('count'), 'interval_count')],
      from: from('statuses'),
      ...(conditions.length > 0 && { where: and(...conditions) }),
      groupBy: [ACTOR],
    }),
    ctes: ctesOf(plan),
  };
}
