import type { Expr } from '../../../../hogql/ast.ts';
import { compare, constant, field, or } from '../../../../hogql/build.ts';
import type { ActorsPoint } from '../actors-point.contract.ts';
import type { PathsQuery } from '../insight-kinds.contract.ts';

/**
 * The condition of the steps that the keys pick (`pathStartKey` and `pathEndKey`, such as `1_/a`; `pathDropoffKey`, where
 * paths end), which stand in `pathsFilter` or beside the point.
 */
export function pickedSteps(filter: NonNullable<PathsQuery['pathsFilter']>, point: ActorsPoint): Expr[] {
  const start = point.pathStartKey ?? filter.pathStartKey;
  const end = point.pathEndKey ?? filter.pathEndKey;
  const dropoff = point.pathDropoffKey ?? filter.pathDropoffKey;
  const is = (name: string, key: string): Expr => compare('==', field(name), constant(key));
  return [
    ...(start ? [end ? is('source', start) : or(is('source', start), is('target', start))] : []),
    ...(end ? [is('target', end)] : []),
    ...(dropoff ? [is('target', dropoff), compare('==', field('next'), constant(''))] : []),
  ];
}
