import type { Expr } from '../../../../hogql/ast.ts';
import { call, compare, constant, field, from, or, select } from '../../../../hogql/build.ts';

/** Properties that people search persons by. */
const SEARCHED = ['email', 'name'] as const;

/** Whose name, address or id holds the text, whatever the case; nothing when there is no text. */
export function searchOf(text: string | null | undefined, of: 'persons' | 'groups'): Expr[] {
  const wanted = text?.trim() ?? '';
  if (wanted === '') return [];
  const holds = (expr: Expr): Expr =>
    compare('>', call('position', call('lower', expr), call('lower', constant(wanted))), constant(0));
  const named = SEARCHED.map((name) => holds(field('properties', name)));
  if (of === 'groups') return [or(holds(field('key')), ...named)];
  const withDistinctId = select({
    select: [field('person_id')],
    from: from('person_distinct_ids'),
    where: holds(field('distinct_id')),
  });
  return [or(...named, holds(call('toString', field('id'))), compare('in', field('id'), withDistinctId))];
}
