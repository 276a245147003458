import type { Query } from '../../../hogql/ast.ts';
import { field, from, select } from '../../../hogql/build.ts';
import type { ActorsSelect } from '../query-kind.ts';

/** The ids alone of those who stand behind a point, as IN takes them. */
export function actorIds({ select: actors }: ActorsSelect): Query {
  return select({ select: [field('actor_id')], from: from(actors, 'actors') });
}
