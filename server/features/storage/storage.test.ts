import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';
import { storageReport } from './storage.contract.ts';

test('every project is shown with its stored data', async () => {
  const app = await openTestApp();
  await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Empty' } });
  const batch = ['2026-11-01T08:00:00.000Z', '2026-11-03T08:00:00.000Z'].map((timestamp) => ({
    event: 'seen',
    distinct_id: 'u1',
    timestamp,
  }));
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  const report = storageReport.parse((await app.ask('/api/burrow/storage/')).json);
  expect(report).toMatchObject({
    file_bytes: 0,
    wal_bytes: 0,
    erasures: { pending: 0, oldest_requested_at: null },
    projects: [
      { id: 1, name: 'Default', events: 2, oldest: batch[0]!.timestamp, newest: batch[1]!.timestamp },
      { id: 2, name: 'Empty', events: 0, oldest: null, newest: null, estimated_bytes: 0 },
    ],
  });
  expect(report.projects[0]!.estimated_bytes).toBeGreaterThan(0);
  expect((await app.ask('/api/burrow/storage/', { key: null })).status).toBe(401);
});
