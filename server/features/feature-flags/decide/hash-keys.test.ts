import { describe, expect, test } from 'vitest';
import { createFlag } from '../../../../test/support/app-flags.ts';
import { idOfPerson } from '../../../../test/support/app-persons.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

/** Two anonymous ids that the flag below counts to different sides, and one user who belongs to neither by itself. */
const FILTERS = { groups: [{ properties: [], rollout_percentage: 50 }] };

async function open(): Promise<TestApp> {
  const app = await openTestApp();
  await createFlag(app, 'sticky', { filters: FILTERS, ensure_experience_continuity: true });
  await createFlag(app, 'loose', { filters: FILTERS });
  return app;
}

async function isOn(app: TestApp, distinct_id: string, anonymous?: string, key = 'sticky'): Promise<boolean> {
  const body = { token: TEST_TOKEN, distinct_id, $anon_distinct_id: anonymous };
  const answer = await app.ask('/flags/?v=2', { method: 'POST', key: null, body });
  expect(answer.status).toBe(200);
  return answer.json.flags[key].enabled;
}

/** An id of this kind that the flag is on, or off, for when nothing is kept of it. */
async function idFor(app: TestApp, kind: string, wanted: boolean): Promise<string> {
  for (let n = 0; n < 100; n++) if ((await isOn(app, `${kind}-${n}`)) === wanted) return `${kind}-${n}`;
  throw new Error('No id falls to that side');
}

async function rows(app: TestApp): Promise<unknown[]> {
  return await app.store.db.all('SELECT flag_key AS "flagKey", hash_key AS "hashKey" FROM flag_hash_keys');
}

describe('F-8 a flag with continuity across identification', () => {
  test('F-8 hashes the anonymous id of the first request from then on, and stores it once', async () => {
    const app = await open();
    const anonymous = await idFor(app, 'anon', true);
    const user = await idFor(app, 'user', false);
    await sendEvents(app, [{ distinct_id: user }, { distinct_id: anonymous }]);
    expect(await isOn(app, user)).toBe(false);
    expect(await isOn(app, user, anonymous)).toBe(true);
    expect(await rows(app)).toEqual([{ flagKey: 'sticky', hashKey: anonymous }]);
    const other = await idFor(app, 'other', false);
    for (const later of [undefined, anonymous, other]) expect(await isOn(app, user, later)).toBe(true);
    expect(await rows(app)).toHaveLength(1);
    expect(await isOn(app, user, anonymous, 'loose')).toBe(await isOn(app, user, undefined, 'loose'));
  });

  test('F-8 stored hash keys survive merges, and those of the surviving person win', async () => {
    const app = await open();
    const [yes, no] = [await idFor(app, 'anon', true), await idFor(app, 'anon', false)];
    const user = await idFor(app, 'user', false);
    // The user is not known yet: it is stored of the anonymous id, of which only anonymous events came.
    await sendEvents(app, [{ distinct_id: yes, properties: { $process_person_profile: false } }]);
    expect(await isOn(app, user, yes)).toBe(true);
    expect(await rows(app)).toHaveLength(1);
    await sendEvents(app, [
      { event: '$identify', distinct_id: user, properties: { $anon_distinct_id: yes } },
    ]);
    expect(await isOn(app, user)).toBe(true);
    // Another device, whose own answer was off.
    await sendEvents(app, [{ distinct_id: no }]);
    expect(await isOn(app, no, no)).toBe(false);
    await sendEvents(app, [{ event: '$identify', distinct_id: user, properties: { $anon_distinct_id: no } }]);
    expect(await isOn(app, user)).toBe(true);
    expect(await isOn(app, no)).toBe(true);
  });

  test('F-8 is not stored for ids without events, nor without an anonymous id', async () => {
    const app = await open();
    const anonymous = await idFor(app, 'anon', true);
    const user = await idFor(app, 'user', false);
    expect(await isOn(app, user, anonymous)).toBe(true);
    expect(await isOn(app, user)).toBe(false);
    await sendEvents(app, [{ distinct_id: user }]);
    expect(await isOn(app, user)).toBe(false);
    expect(await rows(app)).toEqual([]);
  });

  test('F-8 is deleted with the person', async () => {
    const app = await open();
    const anonymous = await idFor(app, 'anon', true);
    const user = await idFor(app, 'user', false);
    await sendEvents(app, [{ distinct_id: user }]);
    expect(await isOn(app, user, anonymous)).toBe(true);
    const path = `/api/projects/1/persons/${await idOfPerson(app, user)}/`;
    expect((await app.ask(path, { method: 'DELETE' })).status).toBeLessThan(300);
    expect(await rows(app)).toEqual([]);
    await sendEvents(app, [{ distinct_id: user }]);
    expect(await isOn(app, user)).toBe(false);
  });

  test('F-8 a hundred concurrent first requests store one hash key', async () => {
    const app = await open();
    const user = await idFor(app, 'user', false);
    await sendEvents(app, [{ distinct_id: user }]);
    await Promise.all(Array.from({ length: 100 }, (_, n) => isOn(app, user, `device-${n}`)));
    expect(await rows(app)).toHaveLength(1);
  });
});
