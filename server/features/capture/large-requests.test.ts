import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** More than one piece, and more than from which a request is stored in pieces. */
const EVENTS = 10_500;

const uuidOf = (index: number): string => `0190a000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

/** Plain events, with one that does something else at each of these indexes. */
function makeBatch(others: Readonly<Record<number, object>>): object[] {
  return Array.from({ length: EVENTS }, (_, index) => ({
    event: 'plain',
    distinct_id: `u${index % 50}`,
    uuid: uuidOf(index),
    properties: { $lib: index < 6_000 ? 'web' : 'posthog-node', n: index },
    ...others[index],
  }));
}

function send(app: TestApp, batch: object[]) {
  return app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

async function countOf(app: TestApp, where: string): Promise<number> {
  const [row] = await app.store.db.all<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM all_events ${where}`,
  );
  return row!.n;
}

test('A-11 a request of many events is stored once, with the contents of each of its chunks', async () => {
  const app = await openTestApp();
  const batch = makeBatch({
    10: { event: '$set', properties: { $lib: 'web', $set: { plan: 'free' } } },
    5_000: { event: '$identify', distinct_id: 'ann', properties: { $lib: 'web', $anon_distinct_id: 'u10' } },
    5_001: { event: '' },
    9_000: { event: '$set', distinct_id: 'ann', properties: { $lib: 'posthog-node', $set: { seats: 3 } } },
    10_499: { event: 'x'.repeat(300) },
  });
  expect((await send(app, batch)).json).toEqual({ status: 1 });
  expect((await send(app, batch)).json).toEqual({ status: 1 });
  expect(await countOf(app, '')).toBe(EVENTS - 1);
  const person = (await app.ask('/api/projects/1/persons/?distinct_id=ann')).json.results[0];
  expect(person.properties).toMatchObject({ plan: 'free', seats: 3 });
  expect(person.distinct_ids).toEqual(expect.arrayContaining(['ann', 'u10']));
  const report = (await app.ask('/api/projects/1/burrow/ingestion/')).json;
  expect(report).toMatchObject({ received: 2 * EVENTS, stored: EVENTS - 1, duplicates: EVENTS - 1 });
  expect(report.dropped_by_reason).toMatchObject([{ reason: 'missing_event_name', count: 2 }]);
  const libraries = Object.fromEntries(
    report.libraries.map((row: { lib: string; stored: number }) => [row.lib, row.stored]),
  );
  expect(libraries).toEqual({ web: 6_000 - 1, 'posthog-node': EVENTS - 6_000 });
});

test('A-11 a row that cannot be stored is dropped, all others are stored', async () => {
  const app = await openTestApp();
  const batch = makeBatch({ 7_000: { timestamp: '+275760-09-12T00:00:00Z' } });
  expect((await send(app, batch)).status).toBe(200);
  expect(await countOf(app, '')).toBeGreaterThanOrEqual(EVENTS - 1);
});
