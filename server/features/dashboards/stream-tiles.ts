import type { ServerResponse } from 'node:http';
import type { DashboardJson } from './dashboards.contract.ts';

/**
 * Writes a dashboard as server-sent events: `metadata` (all but the tiles), one `tile` for each, `complete`
 * (management contract 3.9).
 */
export function streamTiles(res: ServerResponse, { tiles, ...metadata }: DashboardJson): void {
  const send = (message: object) => res.write(`data: ${JSON.stringify(message)}\n\n`);
  send({ type: 'metadata', dashboard: metadata });
  for (const tile of tiles) send({ type: 'tile', order: tile.order, tile });
  send({ type: 'complete' });
  res.end();
}
