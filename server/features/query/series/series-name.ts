import type { KindContext } from '../query-kind.ts';
import type { SeriesNode } from '../kinds/series.contract.ts';

/** What a series is called where people see it: its event or action. */
export async function seriesName(node: SeriesNode, context: Pick<KindContext, 'action'>): Promise<string> {
  if (node.kind === 'EventsNode') return node.event ?? 'All events';
  return (await context.action(node.id))?.name ?? node.name ?? `Action ${node.id}`;
}
