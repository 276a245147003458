import { describe, expect, test } from 'vitest';
import { createFlag, patchFlag } from '../../../test/support/app-flags.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { createFlagCallBuffer, MAX_KEYS } from './feature-flags-thread.ts';

function send(app: TestApp, ...batch: object[]) {
  return app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

const called = (flag: unknown, more: object = {}) => ({
  event: '$feature_flag_called',
  distinct_id: 'ada',
  properties: { $feature_flag: flag, $feature_flag_response: true },
  ...more,
});

/** When each flag was last called, by its id, once all of it is saved. */
async function lastCalled(app: TestApp): Promise<Record<string, string>> {
  await app.store.service('capture').call({ kind: 'flag_calls.save' });
  const rows = await app.store.db.all<{ id: number; at: string }>(
    'SELECT flag_id AS id, last_called_at AS at FROM flag_calls',
  );
  return Object.fromEntries(rows.map(({ id, at }) => [id, at]));
}

describe('an accepted $feature_flag_called sets the time when its flag was last called', () => {
  test('the latest of several calls is stored, in any order', async () => {
    const app = await openTestApp();
    const { id: one } = await createFlag(app, 'one');
    const { id: other } = await createFlag(app, 'other');
    await send(
      app,
      called('one', { timestamp: '2026-11-20T09:20:00Z' }),
      called('one', { timestamp: '2026-11-20T09:10:00Z' }),
    );
    expect(await lastCalled(app)).toEqual({ [one]: '2026-11-20T09:20:00.000000Z' });
    await send(
      app,
      called('one', { timestamp: '2026-11-20T09:15:00Z' }),
      called('other', { timestamp: '2026-11-20T09:25:00Z' }),
    );
    expect(await lastCalled(app)).toEqual({
      [one]: '2026-11-20T09:20:00.000000Z',
      [other]: '2026-11-20T09:25:00.000000Z',
    });
  });

  test('a time in the future is stored as now', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'one');
    await send(app, called('one', { timestamp: '2026-11-20T18:00:00Z' }));
    expect(await lastCalled(app)).toEqual({ [id]: '2026-11-20T09:30:00.000000Z' });
  });

  test('an event that was stored before is not a call', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'one');
    const uuid = '019aa0a5-0000-7000-8000-000000000001';
    await send(app, called('one', { uuid, timestamp: '2026-11-20T09:00:00Z' }));
    await send(app, called('one', { uuid, timestamp: '2026-11-20T09:20:00Z' }));
    expect(await lastCalled(app)).toEqual({ [id]: '2026-11-20T09:00:00.000000Z' });
  });

  test('an event with another name, without a flag, or with a flag of another project changes no time', async () => {
    const app = await openTestApp();
    await createFlag(app, 'one');
    await app.store.db.run('UPDATE feature_flags SET project_id = 2');
    await createFlag(app, 'gone');
    await app.store.db.run("UPDATE feature_flags SET deleted = true WHERE key = 'gone'");
    const answer = await send(
      app,
      ...[
        undefined,
        null,
        7,
        true,
        '',
        ['one'],
        { key: 'one' },
        'x'.repeat(401),
        '__proto__',
        '\ud800',
        'gone',
      ].map((flag) => called(flag)),
      called('one'),
      { event: '$feature_flag_called', distinct_id: 'ada' },
      { ...called('one'), event: 'seen' },
    );
    expect(answer.status).toBe(200);
    expect(await lastCalled(app)).toEqual({});
  });

  test('a flag that is deleted permanently, because another has its key, leaves no row', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'one');
    await send(app, called('one', { timestamp: '2026-11-20T09:00:00Z' }));
    expect(Object.keys(await lastCalled(app))).toEqual([String(id)]);
    await patchFlag(app, id, { deleted: true });
    const { id: other } = await createFlag(app, 'one');
    await send(app, called('one', { timestamp: '2026-11-20T09:10:00Z' }));
    expect(await lastCalled(app)).toEqual({ [other]: '2026-11-20T09:10:00.000000Z' });
  });

  test('it is saved within moments, without a request', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'one');
    await send(app, called('one'));
    const find = () => app.store.db.first('SELECT flag_id FROM flag_calls WHERE flag_id = $id', { id });
    await expect.poll(find).toEqual({ flag_id: id });
  });
});

describe('memory for keys without a flag is bounded', () => {
  test('the number of unsaved keys of a project is limited, and waiting ones are still updated', () => {
    const book = createFlagCallBuffer();
    for (let n = 0; n < MAX_KEYS + 10; n++) book.note({ projectId: 1, key: `flag-${n}`, at: 1 });
    book.note({ projectId: 1, key: 'flag-0', at: 2 });
    book.note({ projectId: 2, key: 'flag-0', at: 1 });
    const calls = book.drain();
    expect(calls).toHaveLength(MAX_KEYS + 1);
    expect(calls).toContainEqual({ projectId: 1, key: 'flag-0', at: 2 });
    expect(calls).toContainEqual({ projectId: 2, key: 'flag-0', at: 1 });
    expect(book.isEmpty).toBe(true);
  });
});
