import type { ServerResponse } from 'node:http';
import type { DashboardJson, TileJson } from './dashboards.contract.ts';

/**
 * Writes a dashboard as server-sent events: `metadata` (all but the tiles) at once, a `tile` for each as soon as it is
 * answered, `complete` (management contract 3.9).
 */
export async function streamTiles(
  res: ServerResponse,
  { dashboard, tiles }: { dashboard: DashboardJson; tiles: AsyncIterable<TileJson> },
): Promise<void> {
  const send = (message: object) => res.write(`data: ${JSON.stringify(message)}\n\n`);
  const { tiles: _unanswered, ...metadata } = dashboard;
  send({ type: 'metadata', dashboard: metadata });
  for await (const tile of tiles) send({ type: 'tile', order: tile.order, tile });
  send({ type: 'complete' });
  res.end();
}
