import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  cte,
  field,
  from,
  isNull,
  join,
  order,
  select,
} from '../../../../hogql/build.ts';
import { OTHER_VALUE } from '../../breakdowns/breakdown.ts';
import { dimensionsOf, namesOf, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';

/** How many of a funnel's actors have a value, in the column `rank`. */
const RANK = 'rank';

/**
 * Rows whose values are those that most actors have; the others are brought together as one value, or left out. `names` are
 * their further columns. The rows stand twice in the statement, under a name.
 */
export function withShownValues(rows: SelectQuery, names: readonly string[], plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const { breakdown } = plan;
  if (breakdown?.kind !== 'values') return rows;
  const top = select({
    select: [...values.map((name) => field(name)), alias(call('uniq', field('actor')), RANK)],
    from: from('all_values'),
    groupBy: values.map((name) => field(name)),
    orderBy: [order(field(RANK), 'DESC'), ...values.map((name) => order(field(name)))],
    limit: breakdown.limit,
  });
  const isHidden = isNull(field('top', RANK));
  const shown = (name: string): Expr => call('if', isHidden, constant(OTHER_VALUE), field('one', name));
  const same = values.map((name) => compare('==', field('one', name), field('top', name)));
  return select({
    ctes: [cte('all_values', rows), cte('top_values', top)],
    select: [
      ...names.map((name) => alias(field('one', name), name)),
      ...values.map((name) => alias(shown(name), name)),
      alias(call('coalesce', field('top', RANK), constant(0)), RANK),
    ],
    from: join(
      from('all_values', 'one'),
      breakdown.hidesOther ? 'INNER JOIN' : 'LEFT JOIN',
      from('top_values', 'top'),
      and(...same),
    ),
  });
}

/** `to - from` in seconds, of times in microseconds. */
export function seconds(from: Expr, to: Expr): Expr {
  return arithmetic('/', arithmetic('-', to, from), constant(1_000_000));
}
