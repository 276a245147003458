import type { SeriesNode } from '../kinds/series.contract.ts';

/** The field `action` of a result: its series (management contract 9.9). */
export function seriesAction(
  node: SeriesNode,
  order: number,
  name: string,
  days: readonly (string | number)[],
): object {
  const isAction = node.kind === 'ActionsNode';
  return {
    days,
    id: isAction ? node.id : (node.event ?? null),
    type: isAction ? 'actions' : 'events',
    order,
    name,
    custom_name: node.custom_name ?? null,
    math: node.math ?? null,
    math_property: node.math_property ?? null,
    math_hogql: node.math_hogql ?? null,
    math_group_type_index: node.math_group_type_index ?? null,
    properties: node.properties ?? {},
  };
}
