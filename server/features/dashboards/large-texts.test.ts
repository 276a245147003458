// @module-tag deep
import { expect, test } from 'vitest';
import { openTestApp } from '../../../test/support/test-app.ts';

const DASHBOARDS = '/api/projects/1/dashboards/';

test(
  'a description as large as the request limit is stored, changed and shown',
  { timeout: 60_000 },
  async () => {
    const app = await openTestApp();
    const large = 'a'.repeat(20_000_000);
    const made = await app.ask(DASHBOARDS, { method: 'POST', body: { name: 'Large', description: large } });
    expect(made.status).toBe(201);
    const other = 'b'.repeat(20_000_000);
    const path = `${DASHBOARDS}${made.json.id}/`;
    const changed = await app.ask(path, { method: 'PATCH', body: { description: other } });
    expect(changed.status).toBe(200);
    expect((await app.ask(path)).json.description === other).toBe(true);
  },
);
