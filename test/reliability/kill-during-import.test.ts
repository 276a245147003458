// @module-tag deep
import { expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { newDataFolder } from './data-folder.ts';

const KILLS = 10;
const ROWS = 1_000_000;
/** Rows that come again as they are, each of which is an event of its own. */
const EQUAL = 1_000;
const PATH = '/api/projects/1/burrow/imports/';

function table(): string {
  const lines = ['time,user,event,n'];
  for (let n = 0; n < ROWS - EQUAL; n++) {
    // Some rows are none, and are to be reported one time.
    const time =
      n % 10_000 === 77
        ? ''
        : `2026-01-${String(1 + (n % 28)).padStart(2, '0')} 10:00:${String(n % 60).padStart(2, '0')}`;
    lines.push(`${time},u${n % 5_000},${n % 3 === 0 ? 'paid' : 'seen'},${n}`);
  }
  for (let n = 0; n < EQUAL; n++) lines.push('2026-02-01 10:00:00,same,same,1');
  return `${lines.join('\n')}\n`;
}

test('M9.12/once an import that is killed ten times ends exactly right, and by itself', async () => {
  const dataDir = await newDataFolder();
  let server = await startServer({ dataDir });
  const ask = async (path: string, init: RequestInit = {}): Promise<any> => {
    const headers = { Authorization: `Bearer ${server.personalApiKey}`, ...init.headers };
    const answer = await fetch(`${server.url}${path}`, { ...init, headers });
    return await answer.json();
  };
  const { id } = await ask(`${PATH}?name=table.csv`, {
    method: 'POST',
    body: table(),
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  await ask(`${PATH}${id}/start/`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  const rowsOf = async (): Promise<number> => (await ask(`${PATH}${id}/`)).report?.rows ?? 0;
  let before = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    // Each of them in the middle: further than the last one, and at moments that no batch decides.
    const least = (ROWS * kill) / (KILLS + 3);
    await expect
      .poll(rowsOf, { interval: 5 + 13 * kill, timeout: 120_000 })
      .toBeGreaterThan(Math.max(before, least));
    expect((await ask(`${PATH}${id}/`)).state).toBe('running');
    before = await rowsOf();
    server = await killAndStart(server, dataDir);
  }
  await expect
    .poll(async () => (await ask(`${PATH}${id}/`)).state, { timeout: 240_000, interval: 200 })
    .toBe('done');
  const rejected = (ROWS - EQUAL) / 10_000;
  const events = ROWS - Math.ceil(rejected);
  expect((await ask(`${PATH}${id}/`)).report).toMatchObject({
    rows: ROWS,
    events,
    known_events: 0,
    rejected: ROWS - events,
    problems: [{ reason: 'There is no time', count: ROWS - events, row: 79 }],
  });
  const query = async (sql: string): Promise<unknown> =>
    (
      await ask('/api/projects/1/query/', {
        method: 'POST',
        body: JSON.stringify({ query: { kind: 'HogQLQuery', query: sql }, refresh: 'force_blocking' }),
        headers: { 'Content-Type': 'application/json' },
      })
    ).results;
  expect(
    await query(
      `select count(), count(distinct uuid), countIf(event = 'same'), count(distinct person_id), sum(if(event = 'same', 0, toInt(properties.n))) from events`,
    ),
  ).toEqual([[events, events, EQUAL, 5_001, sumOfNumbers()]]);
  const kept = await fetch(`${server.url}${PATH}${id}/rejected/`, {
    headers: { Authorization: `Bearer ${server.personalApiKey}` },
  });
  expect((await kept.text()).trim().split('\n')).toHaveLength(1 + ROWS - events);
  await server.stop();
});

function sumOfNumbers(): number {
  let sum = 0;
  for (let n = 0; n < ROWS - EQUAL; n++) if (n % 10_000 !== 77) sum += n;
  return sum;
}

async function killAndStart(server: RunningServer, dataDir: string): Promise<RunningServer> {
  await server.kill();
  return await startServer({ dataDir });
}
