// @module-tag deep
import { expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { idOfPerson } from '../../../../test/support/app-persons.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

/** Who ask at the same time, and how often each of them sets something and asks for it. */
const CLIENTS = 20;
const TURNS = 50;

async function isOn(app: TestApp, key: string, distinct_id: string): Promise<boolean> {
  const body = { token: TEST_TOKEN, distinct_id, groups: { company: distinct_id } };
  const answer = await app.ask('/flags/?v=2', { method: 'POST', key: null, body });
  expect(answer.status).toBe(200);
  return answer.json.flags[key].enabled;
}

/** Events of other persons, in separate commits, until it is stopped. */
function startWriters(app: TestApp): () => Promise<void> {
  let isStopped = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !isStopped; n++) {
      const distinct_id = `writer-${writer}-${n % 50}`;
      await sendEvents(app, [
        { distinct_id, properties: { $set: { turn: n } } },
        { distinct_id: `${distinct_id}-anonymous` },
        { event: '$identify', distinct_id, properties: { $anon_distinct_id: `${distinct_id}-anonymous` } },
      ]);
      await isOn(app, 'even', distinct_id);
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(writers);
  };
}

/** A person is changed and evaluated; sometimes groups, new persons, merges and deletions too. */
async function turn(app: TestApp, client: number, n: number): Promise<void> {
  const user = `user-${client}`;
  const parity = n % 2 === 0 ? 'even' : 'odd';
  await sendEvents(app, [{ distinct_id: user, properties: { $set: { parity } } }]);
  expect(await isOn(app, 'even', user)).toBe(n % 2 === 0);

  if (n % 5 === 0) await turnOfGroup(app, user, n);
  if (n % 5 === 1) await turnOfBirth(app, `${user}-${n}`, n % 10 === 1);
}

async function turnOfGroup(app: TestApp, user: string, n: number): Promise<void> {
  const isEven = n % 10 === 0;
  const $group_set = { parity: isEven ? 'even' : 'odd' };
  const properties = { $group_type: 'company', $group_key: user, $group_set };
  await sendEvents(app, [{ event: '$groupidentify', distinct_id: user, properties }]);
  expect(await isOn(app, 'even-company', user)).toBe(isEven);
}

/** A person is unknown, created, changed, merged, and perhaps deleted. */
async function turnOfBirth(app: TestApp, born: string, isDeleted: boolean): Promise<void> {
  expect(await isOn(app, 'born', born)).toBe(false);
  await sendEvents(app, [{ distinct_id: born }]);
  expect(await isOn(app, 'born', born)).toBe(false);
  await sendEvents(app, [{ distinct_id: born, properties: { $set: { born: 'yes' } } }]);
  expect(await isOn(app, 'born', born)).toBe(true);
  const other = `${born}-other`;
  expect(await isOn(app, 'born', other)).toBe(false);
  await sendEvents(app, [
    { event: '$identify', distinct_id: born, properties: { $anon_distinct_id: other } },
  ]);
  expect(await isOn(app, 'born', other)).toBe(true);
  if (!isDeleted) return;
  const path = `/api/projects/1/persons/${await idOfPerson(app, born)}/`;
  expect((await app.ask(path, { method: 'DELETE' })).status).toBeLessThan(300);
  for (const id of [born, other]) expect(await isOn(app, 'born', id)).toBe(false);
}

test('7.10 acknowledged events are used by the next flags request, a thousand times, during writes, merges and deletions', async () => {
  const app = await openTestApp();
  const even = { key: 'parity', value: 'even', operator: 'exact' };
  await createFlag(app, 'even', { filters: filtersOn([{ ...even, type: 'person' }]) });
  await createFlag(app, 'born', {
    filters: filtersOn([{ key: 'born', value: 'yes', operator: 'exact', type: 'person' }]),
  });
  await sendEvents(app, [{ properties: { $groups: { company: 'acme' } } }]);
  await createFlag(app, 'even-company', {
    filters: {
      ...filtersOn([{ ...even, type: 'group', group_type_index: 0 }]),
      aggregation_group_type_index: 0,
    },
  });
  const stop = startWriters(app);
  let turns = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; n < TURNS; n++, turns++) await turn(app, client, n);
    }),
  );
  await stop();
  expect(turns).toBe(1_000);
}, 300_000);
