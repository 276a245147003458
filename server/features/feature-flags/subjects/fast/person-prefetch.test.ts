// @module-tag fast
import { expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../../test/support/app-flags.ts';
import { countMessages } from '../../../../../test/support/counted-channel.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { TEST_TOKEN, openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { createFlagSubjects } from '../flag-subjects.service.ts';
import { createPersonPrefetch, type PrefetchSource } from './person-prefetch.ts';

/** So many persons, each with one distinct id and ten characters, and the numbers that were read. */
function personsOf(count: number) {
  const read: [from: number, to: number][] = [];
  const source: PrefetchSource = {
    lastPersonId: async () => count,
    async read(from, to) {
      read.push([from, to]);
      const names = to - Math.max(1, from) + 1;
      return { names, characters: 10 * names };
    },
  };
  return { source, read };
}

const atOnce = (work: () => Promise<void>): Promise<void> => work();
const NO_LIMITS = { names: 1e9, characters: 1e9, passedIds: 1e9 };

test('all are prefetched from the newest to the oldest after the first request, each once', async () => {
  const { source, read } = personsOf(10_000);
  const ahead = createPersonPrefetch(source, NO_LIMITS);
  await ahead.requested(0, atOnce);
  expect(read).toEqual([]);
  await ahead.requested(1, atOnce);
  await ahead.requested(5_000, atOnce);
  expect(read.map(([, to]) => to)).toEqual([10_000, 5_904, 1_808]);
  expect(read.map(([from]) => from)).toEqual([5_905, 1_809, -2_287]);
});

test.each([
  ['names', { ...NO_LIMITS, names: 5_000 }],
  ['characters', { ...NO_LIMITS, characters: 50_000 }],
  ['numbers passed over', { ...NO_LIMITS, passedIds: 4_097 }],
])('prefetching stops at the limit of %s', async (_, limits) => {
  const { source, read } = personsOf(50_000);
  await createPersonPrefetch(source, limits).requested(1, atOnce);
  expect(read.map(([, to]) => to)).toEqual([50_000, 45_904]);
});

test('stale entries are prefetched again from the newest on, after a thousand requests', async () => {
  const { source, read } = personsOf(4_096);
  const ahead = createPersonPrefetch(source, NO_LIMITS);
  await ahead.requested(1, atOnce);
  ahead.invalidate();
  await ahead.requested(600, atOnce);
  ahead.invalidate();
  await ahead.requested(399, atOnce);
  expect(read).toHaveLength(1);
  await ahead.requested(1, atOnce);
  expect(read).toEqual([
    [1, 4_096],
    [1, 4_096],
  ]);
});

test.each(['invalidate', 'stop'] as const)('%s cancels the running prefetch', async (way) => {
  const { source, read } = personsOf(50_000);
  const ahead = createPersonPrefetch(source, NO_LIMITS);
  await ahead.requested(1, async (work) => {
    await work();
    if (read.length === 2) ahead[way]();
  });
  expect(read).toHaveLength(2);
});

test('7.10 a prefetched person needs no lookup, under each distinct id, and so does an unknown id', async () => {
  const app = await openTestApp();
  await sendEvents(app, [
    { distinct_id: 'asked', properties: { $set: { n: 1 } } },
    { distinct_id: 'ana', properties: { $set: { n: 2 } } },
    { event: '$create_alias', distinct_id: 'ana', properties: { alias: 'anonymous-7' } },
    { distinct_id: 'nobody', properties: { $process_person_profile: false } },
  ]);
  const { channel, sent } = countMessages(app.store.service('flag-subjects'));
  const subjects = createFlagSubjects(channel);
  expect((await subjects.person(1, 'asked'))?.properties).toEqual({ n: 1 });
  // Long enough for what follows the first answer.
  await app.ask('/api/projects/1/persons/');
  const names = ['ana', 'anonymous-7', 'nobody'];
  const ahead = names.map((name) => subjects.person(1, name));
  expect(sent()).toBe(1);
  subjects.forgetCohorts();
  const asked = names.map((name) => subjects.person(1, name));
  expect(asked.every((one) => one instanceof Promise)).toBe(true);
  expect(ahead).toEqual(await Promise.all(asked.map(async (one) => await one)));
  expect(ahead).toMatchObject([{ properties: { n: 2 } }, { properties: { n: 2 } }, { uuid: null }]);
});

test('7.10 a prefetched person is invalidated when a commit changes it, before the first request', async () => {
  const app = await openTestApp();
  await createFlag(app, 'pro', { filters: filtersOn([{ key: 'plan', value: 'pro', type: 'person' }]) });
  const set = (id: string, plan: string) =>
    app.ask('/capture/', {
      method: 'POST',
      key: null,
      body: { api_key: TEST_TOKEN, event: '$set', distinct_id: id, $set: { plan } },
    });
  /** Takes what commits remember of others out of their memory, which would answer instead. */
  const pushOut = async () => {
    for (let n = 0; n < 10; n++) await set(`large-${n}`, 'x'.repeat(900_000));
  };
  await set('asked', 'solo');
  await set('waits', 'solo');
  await pushOut();
  expect(await isPro(app, 'asked')).toBe(false);
  // Long enough for what follows the first answer.
  await app.ask('/api/projects/1/persons/');
  await set('waits', 'pro');
  await pushOut();
  expect(await isPro(app, 'waits')).toBe(true);
});

async function isPro(app: TestApp, id: string): Promise<unknown> {
  const body = { api_key: TEST_TOKEN, distinct_id: id };
  return (await app.ask('/decide/?v=3', { method: 'POST', key: null, body })).json.featureFlags.pro;
}
