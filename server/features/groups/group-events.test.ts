import { beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});

async function send(...batch: object[]): Promise<void> {
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, batch },
  });
  expect(answer.text).toBe('{"status":1}');
}

const event = (name: string, properties: object) => ({ event: name, distinct_id: 'ada', properties });
const groupIdentify = (type: unknown, key: unknown, set?: object) =>
  event('$groupidentify', { $group_type: type, $group_key: key, ...(set && { $group_set: set }) });

async function types(): Promise<string[]> {
  const answer = await app.ask('/api/projects/1/groups_types/');
  return (answer.json as { group_type: string }[]).map((one) => one.group_type);
}

async function groups(index = 0): Promise<{ group_key: string; group_properties: object }[]> {
  return (await app.ask(`/api/projects/1/groups/?group_type_index=${index}`)).json.results;
}

/** The stored properties of the only event of a name. */
async function propertiesOf(name: string): Promise<Record<string, unknown>> {
  const answer = await app.ask(`/api/projects/1/events/?event=${encodeURIComponent(name)}`);
  expect(answer.json.results).toHaveLength(1);
  return JSON.parse(answer.json.results[0].properties);
}

describe('6.7 $groupidentify', () => {
  test('creates a group, and merges its properties key by key', async () => {
    await send(groupIdentify('company', 'acme', { seats: 3, plan: { name: 'free' } }));
    await send(groupIdentify('company', 'acme', { plan: 'pro' }), groupIdentify('company', 5));
    const all = (await groups()).map(({ group_key, group_properties }) => [group_key, group_properties]);
    expect(Object.fromEntries(all)).toEqual({ acme: { seats: 3, plan: 'pro' }, 5: {} });
  });

  test.each([
    ['no type', '', 'acme'],
    ['no key', 'company', null],
  ])('with %s creates none, and is stored', async (_, type, key) => {
    await send(groupIdentify(type, key));
    expect(await types()).toEqual([]);
    await propertiesOf('$groupidentify');
  });

  test.each([
    ['a key of 300 characters', 'company', 'k'.repeat(300)],
    ['a type of 300 characters', 't'.repeat(300), 'acme'],
    ['NUL in its names', 'comp\0any', 'ac\0me'],
    ['half a character in its names', 'comp\ud800any', 'ac\ud800me'],
  ])('with %s creates the group that $groups of other events name', async (_, type, key) => {
    await send(event('visit', { $groups: { [type]: key } }), groupIdentify(type, key, { seats: 3 }));
    expect(await types()).toHaveLength(1);
    const [group, ...others] = await groups();
    expect([group!.group_properties, others]).toEqual([{ seats: 3 }, []]);
    expect((await propertiesOf('visit'))['$group_0']).toBe(group!.group_key);
  });

  test('with a key of more than 400 characters creates none, with a warning', async () => {
    await send(groupIdentify('company', 'k'.repeat(401)));
    expect(await groups()).toEqual([]);
    const answer = await app.ask('/api/projects/1/burrow/ingestion_warnings/');
    expect((answer.json.results as { type: string }[]).map(({ type }) => type)).toEqual([
      'group_key_too_long',
    ]);
  });

  test('a date in its properties is stored as it was sent', async () => {
    await send(groupIdentify('company', 'acme', { renewal: '2027-01-31T00:00:00Z' }));
    expect((await groups())[0]!.group_properties).toEqual({ renewal: '2027-01-31T00:00:00Z' });
  });
});

describe('6.7 $groups of an event', () => {
  test('set $group_N and create no group', async () => {
    await send(event('signup', { $groups: { company: 'acme', team: 7 }, plan: 'pro' }));
    expect(await types()).toEqual(['company', 'team']);
    expect(await groups(0)).toEqual([]);
    expect(await propertiesOf('signup')).toMatchObject({
      $groups: { company: 'acme', team: 7 },
      $group_0: 'acme',
      $group_1: '7',
      plan: 'pro',
    });
  });

  test('override a $group_N that was sent', async () => {
    await send(event('signup', { $group_0: 'mine', $group_1: 'kept', $groups: { company: 'acme' } }));
    expect(await propertiesOf('signup')).toMatchObject({ $group_0: 'acme', $group_1: 'kept' });
  });

  test('are ignored when they are not an object, or the event is anonymous', async () => {
    await send(
      event('list', { $groups: ['acme'] }),
      event('anonymous', { $groups: { company: 'acme' }, $process_person_profile: false }),
    );
    expect(await types()).toEqual([]);
    expect(await propertiesOf('anonymous')).toMatchObject({ $groups: { company: 'acme' } });
    expect((await propertiesOf('anonymous')).$group_0).toBe(undefined);
  });

  test('a key of more than 400 characters is ignored with a warning', async () => {
    await send(
      event('long', { $groups: { company: 'x'.repeat(401) } }),
      event('just right', { $groups: { company: 'x'.repeat(400) } }),
    );
    expect((await propertiesOf('long')).$group_0).toBe(undefined);
    expect((await propertiesOf('just right')).$group_0).toHaveLength(400);
    await expect.poll(() => warned()).toEqual(['group_key_too_long']);
  });

  test('a sixth type is ignored with a warning', async () => {
    const $groups = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((type) => [type, 'k']));
    await send(event('many', { $groups }), groupIdentify('g', 'k', { a: 1 }));
    expect(await types()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const stored = await propertiesOf('many');
    expect(Object.keys(stored).filter((name) => name.startsWith('$group_'))).toHaveLength(5);
    await expect.poll(() => warned()).toEqual(['group_type_limit_reached']);
  });

  test('types are numbered in order of first use, in each project, in $groupidentify and $groups alike', async () => {
    await send(groupIdentify('team', 't'), event('signup', { $groups: { company: 'acme' } }));
    expect(await types()).toEqual(['team', 'company']);
    expect(await propertiesOf('signup')).toMatchObject({ $group_1: 'acme' });
  });

  async function warned(): Promise<string[]> {
    const answer = await app.ask('/api/projects/1/burrow/ingestion_warnings/');
    return [...new Set((answer.json.results as { type: string }[]).map(({ type }) => type))];
  }
});

test('a group type deleted while events use it leaves no group', async () => {
  const identify = (n: number) =>
    send(groupIdentify('company', `key${n}`), groupIdentify('other', `key${n}`));
  await identify(0);
  for (let round = 1; round <= 20; round++) {
    const [first] = (await app.ask('/api/projects/1/groups_types/')).json as { group_type_index: number }[];
    const sent = [1, 2, 3, 4, 5].map((n) => identify(round * 10 + n));
    const path = `/api/projects/1/groups_types/${first!.group_type_index}/`;
    await Promise.all([...sent, app.ask(path, { method: 'DELETE' })]);
    const orphans = await app.store.db.all(
      'SELECT group_key FROM groups ANTI JOIN group_types USING (project_id, group_type_index)',
    );
    expect(orphans).toEqual([]);
  }
});
