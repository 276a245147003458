// @module-tag browser
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { sendSales } from '../support/console-dashboards.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

const open = shareBrowser();
const BOUGHT = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'bought' }],
  dateRange: { date_from: '-7d' },
};

/** A server on a folder whose insight was stored when the field was still accepted. */
async function startWithOldQuery(): Promise<{ server: RunningServer; dashboard: number; insight: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burrow-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startServer({ dataDir });
  const post = async (path: string, body: object) => {
    const response = await fetch(`${first.url}/api/projects/${first.projectId}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${first.personalApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: number; short_id: string };
  };
  const { id: dashboard } = await post('dashboards/', { name: 'Shop' });
  const query = { kind: 'InsightVizNode', source: BOUGHT };
  const made = await post('insights/', { name: 'Bought', saved: true, query, dashboards: [dashboard] });
  await first.stop();
  const instance = await DuckDBInstance.create(join(dataDir, 'burrow.duckdb'));
  const connection = await instance.connect();
  const old = { ...query, source: { ...BOUGHT, excludeIncompletePeriods: true } };
  await connection.run('UPDATE insights SET query = $1 WHERE id = $2', [JSON.stringify(old), made.id]);
  connection.closeSync();
  instance.closeSync();
  return { server: await startServer({ dataDir }), dashboard, insight: made.short_id };
}

test('A-1 a stored query with an unsupported field shows its result and a warning, on the tile and in the editor', async () => {
  const { server, dashboard, insight } = await startWithOldQuery();
  const view = await open(server);
  const { page } = view;
  await sendSales(view);
  const warning = page
    .getByRole('note')
    .filter({ hasText: '"excludeIncompletePeriods" is not supported yet' });

  await page.goto(view.at(`/dashboards/${dashboard}`));
  await expect.poll(() => warning.count()).toBe(1);
  await expect
    .poll(() => page.getByRole('article', { name: 'Bought' }).getByText('bought').count())
    .toBeGreaterThan(0);
  expect(await view.violationsInEveryLook('tile-warning')).toEqual([]);

  await page.goto(view.at(`/insights/${insight}`));
  await expect.poll(() => warning.count()).toBe(1);
  await expect
    .poll(() => page.getByRole('region', { name: 'Chart and series' }).getByText('3').count())
    .toBeGreaterThan(0);
  expect(await view.violationsInEveryLook('insight-warning')).toEqual([]);
  expect(await view.close()).toEqual([]);
}, 120_000);
