import { beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

interface Person {
  id: number;
  uuid: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  created_at: string;
}

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});

const T0 = Date.UTC(2026, 10, 20, 8);
let second = 0;

/** One event; each a second after the one before. */
function event(name: string, distinctId: string, properties: Record<string, unknown> = {}) {
  const timestamp = new Date(T0 + 1_000 * second++).toISOString();
  return { event: name, distinct_id: distinctId, timestamp, properties };
}

const anonymous = (name: string, distinctId: string, properties = {}) =>
  event(name, distinctId, { ...properties, $process_person_profile: false });
const identify = (id: string, anonId: string, properties = {}) =>
  event('$identify', id, { ...properties, $anon_distinct_id: anonId });
const alias = (id: string, aliasId: string) => event('$create_alias', id, { alias: aliasId });

async function send(...batch: object[]): Promise<void> {
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, batch },
  });
  expect(answer.text).toBe('{"status":1}');
}

/** All persons, oldest first. */
async function persons(): Promise<Person[]> {
  const answer = await app.ask('/api/projects/1/persons/');
  expect(answer.status).toBe(200);
  return (answer.json.results as Person[]).toReversed();
}

/** The distinct ids of each person, in the order of the contract (before the API sorts those that look anonymous). */
async function idsOfPersons(): Promise<string[][]> {
  const rows = await app.store.db.all<{ ids: string }>(
    `SELECT to_json(list(distinct_id ORDER BY position)) AS ids FROM person_distinct_ids
     WHERE person_id IN (SELECT id FROM persons) GROUP BY person_id ORDER BY person_id`,
  );
  return rows.map(({ ids }) => JSON.parse(ids) as string[]);
}

async function eventsOf(person: Person): Promise<string[]> {
  const answer = await app.ask(`/api/projects/1/events/?person_id=${person.uuid}&orderBy=["timestamp"]`);
  expect(answer.status).toBe(200);
  return (answer.json.results as { event: string }[]).map((one) => one.event);
}

async function warnings(): Promise<string[]> {
  const answer = await app.ask('/api/projects/1/burrow/ingestion_warnings/');
  return (answer.json.results as { type: string }[]).map(({ type }) => type);
}

describe('3.3/distinct-id, 6.7 ids that are numbers', () => {
  // One in a batch, which is read from its bytes, and one in an array, which is not.
  const IDS = ['1234567890123456789', '1234567890123456790'];
  const event = (id: string, properties: string) =>
    `{"api_key":"${TEST_TOKEN}","event":"visit","distinct_id":${id},"properties":${properties}}`;

  test('are distinguished by every digit', async () => {
    await app.ask('/e/', { method: 'POST', key: null, body: event(IDS[0]!, '{}') });
    await app.ask('/e/', { method: 'POST', key: null, body: `[${event(IDS[1]!, '{}')}]` });
    expect(await idsOfPersons()).toEqual(IDS.map((id) => [id]));
  });

  test('have all digits as anonymous id, alias and group key', async () => {
    const groups = `"$groups":{"guild":${IDS[0]},"text":": ${IDS[0]} ,"}`;
    const body = `{"api_key":"${TEST_TOKEN}","batch":[
      {"event":"$identify","distinct_id":"ada","properties":{"$anon_distinct_id":${IDS[0]},${groups}}},
      {"event":"$create_alias","distinct_id":"ada","properties":{"alias":${IDS[1]}}},
      {"event":"$groupidentify","distinct_id":"ada","properties":{"$group_type":"guild","$group_key":${IDS[0]}}}]}`;
    await app.ask('/batch/', { method: 'POST', key: null, body });
    expect(await idsOfPersons()).toEqual([[IDS[1], 'ada', IDS[0]]]);
    const all = await app.ask('/api/projects/1/groups/?group_type_index=0');
    expect(all.json.results.map((group: { group_key: string }) => group.group_key)).toEqual([IDS[0]]);
  });
});

describe('6.1 an event', () => {
  test('creates the person of its distinct id, with the time of the event', async () => {
    await send(event('signup', 'ada', { $set: { plan: 'pro' }, $set_once: { plan: 'free', from: 'ad' } }));
    await send(event('login', 'ada'));
    const [ada, ...others] = await persons();
    expect(others).toEqual([]);
    expect(ada).toMatchObject({ distinct_ids: ['ada'], properties: { plan: 'pro', from: 'ad' } });
    expect(Date.parse(ada!.created_at)).toBe(T0 + 1_000 * (second - 2));
  });
});

describe('6.2 an anonymous event', () => {
  test('creates no person and changes none', async () => {
    await send(event('signup', 'ada'));
    await send(anonymous('read', 'ada', { $set: { plan: 'pro' } }), anonymous('read', 'bob'));
    expect((await persons()).map((person) => person.properties)).toEqual([{}]);
  });

  test('belongs to the person of its id, also when that is created later', async () => {
    await send(anonymous('before', 'ada'), event('signup', 'ada'), anonymous('after', 'ada'));
    expect(await eventsOf((await persons())[0]!)).toEqual(['before', 'signup', 'after']);
  });

  test.each(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'])(
    'called %s is not stored, with a warning',
    async (name) => {
      await send(anonymous(name, 'ada', { alias: 'x', $anon_distinct_id: 'x' }));
      expect((await app.ask('/api/projects/1/events/')).json.results).toEqual([]);
      expect(await persons()).toEqual([]);
      await expect.poll(warnings).toContain('skipping_event_invalid_process_person_profile');
    },
  );

  test('keeps the property $process_person_profile: false; an identified one loses it', async () => {
    await send(
      anonymous('a', 'u'),
      event('b', 'u', { $process_person_profile: true }),
      event('c', 'u', { $process_person_profile: 'yes' }),
    );
    const answer = await app.ask('/api/projects/1/events/?orderBy=["timestamp"]');
    const profiles = (answer.json.results as { properties: string }[]).map(
      (one) => JSON.parse(one.properties).$process_person_profile,
    );
    expect(profiles).toEqual([false, undefined, 'yes']);
  });
});

describe('6.3 updates', () => {
  test('are applied as set_once, set, unset', async () => {
    await send(event('$set', 'ada', { $set: { a: 1, b: 1, c: 1 } }));
    await send(
      event('$set', 'ada', { $set_once: { a: 2, d: 2, e: null }, $set: { b: 2 }, $unset: ['c', 'missing'] }),
    );
    expect((await persons())[0]!.properties).toEqual({ a: 1, b: 2, d: 2 });
  });

  test('a null in $set_once does not block a later value', async () => {
    await send(event('$identify', 'ada', { $set_once: { $initial_referrer: null } }));
    await send(event('$identify', 'ada', { $set_once: { $initial_referrer: 'a.example' } }));
    expect((await persons())[0]!.properties).toEqual({ $initial_referrer: 'a.example' });
  });

  test('of $exception are ignored', async () => {
    await send(event('$exception', 'ada', { $set: { plan: 'pro' } }));
    expect((await persons())[0]!.properties).toEqual({});
  });

  test('beside the properties are applied like those within (Python, posthog-js)', async () => {
    await send({
      ...event('$identify', 'ada', { $set: { a: 1 } }),
      $set: { a: 0, b: 2 },
      $set_once: { c: 3 },
    });
    expect((await persons())[0]!.properties).toEqual({ a: 1, b: 2, c: 3 });
  });
});

describe('6.4 $identify', () => {
  test('after anonymous pageviews: one person with all of them (posthog-js, by default)', async () => {
    await send(anonymous('$pageview', 'anon-1'), anonymous('$pageview', 'anon-1'));
    expect(await persons()).toEqual([]);
    await send(identify('ada@shop.example', 'anon-1', { $set: { plan: 'pro' } }));
    await send(event('$pageview', 'ada@shop.example', { $process_person_profile: true }));
    const all = await persons();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      distinct_ids: ['ada@shop.example', 'anon-1'],
      properties: { plan: 'pro' },
    });
    expect(await eventsOf(all[0]!)).toEqual(['$pageview', '$pageview', '$identify', '$pageview']);
  });

  test('before the pageviews that preceded it', async () => {
    await send(identify('ada', 'anon-1'));
    await send(anonymous('$pageview', 'anon-1'), event('$pageview', 'ada'));
    const all = await persons();
    expect(all).toHaveLength(1);
    expect(await eventsOf(all[0]!)).toEqual(['$identify', '$pageview', '$pageview']);
  });

  test('without an anonymous id only updates properties', async () => {
    await send(event('$identify', 'ada', { $set: { plan: 'pro' } }));
    await send(identify('bob', 'ada'));
    expect(await persons()).toHaveLength(1);
    expect(await idsOfPersons()).toEqual([['ada', 'bob']]);
  });
});

describe('6.5 an alias', () => {
  test.each([
    ['neither exists', []],
    ['the distinct id exists', ['new']],
    ['the alias exists', ['main']],
    ['both exist', ['new', 'main']],
  ])('becomes the main id when %s', async (_, known) => {
    if (known.length > 0) await send(...known.map((id) => event('seen', id, { $set: { [id]: 1, who: id } })));
    await send(alias('new', 'main'));
    expect(await idsOfPersons()).toEqual([['main', 'new']]);
    if (known.length === 2) {
      expect((await persons())[0]!.properties).toEqual({ new: 1, main: 1, who: 'main' });
    }
  });

  test('merges an identified person with an anonymous one, on either side', async () => {
    await send(identify('a', 'a-anon'), event('seen', 'b'), alias('a', 'b'));
    await send(identify('c', 'c-anon'), event('seen', 'd'), alias('d', 'c'));
    expect(await idsOfPersons()).toEqual(
      [
        ['b', 'a', 'a-anon'],
        ['c', 'c-anon', 'd'],
      ].toSorted((x, y) => (x[0]! < y[0]! ? -1 : 1)),
    );
  });

  test('of two identified persons is refused', async () => {
    await send(identify('a', 'a-anon'), identify('b', 'b-anon'), alias('a', 'b'));
    expect(await persons()).toHaveLength(2);
    await expect.poll(warnings).toContain('cannot_merge_already_identified');
  });
});

describe('6.6 merges', () => {
  test('6.6.1 equal ids are not a merge', async () => {
    await send(identify('ada', 'ada'), alias('ada', 'ada'));
    expect(await idsOfPersons()).toEqual([['ada']]);
  });

  test.each(['anonymous', 'GUEST', 'null', '"undefined"', "'0'", '[object Object]', ' '])(
    '6.6.2 the illegal id %j is not merged; the event is stored, with a warning',
    async (illegal) => {
      await send(identify('ada', illegal));
      expect(await idsOfPersons()).toEqual([['ada']]);
      expect(await eventsOf((await persons())[0]!)).toEqual(['$identify']);
      await expect.poll(warnings).toEqual(['cannot_merge_with_illegal_distinct_id']);
    },
  );

  test.each(['NULL', 'Nan', 'idx'])('6.6.2 %j is a valid id', async (legal) => {
    await send(identify('ada', legal));
    expect(await idsOfPersons()).toEqual([['ada', legal]]);
  });

  test('6.6.3 an existing person gains the other id and is identified', async () => {
    await send(event('seen', 'anon'), identify('ada', 'anon'), event('seen', 'eve'), identify('eve', 'ada'));
    expect(await idsOfPersons()).toEqual([['anon', 'ada'], ['eve']]);
    await expect.poll(warnings).toEqual(['cannot_merge_already_identified']);
  });

  test("6.6.4 the survivor's properties win, the older age is kept, and the event's own properties win over both", async () => {
    await send(event('seen', 'anon', { $set: { a: 'anon', b: 'anon', c: 'anon' } }));
    await send(event('seen', 'ada', { $set: { b: 'ada' } }));
    await send(identify('ada', 'anon', { $set: { c: 'event' } }));
    const all = await persons();
    expect(all).toHaveLength(1);
    expect(all[0]!.properties).toEqual({ a: 'anon', b: 'ada', c: 'event' });
    expect(Date.parse(all[0]!.created_at)).toBe(T0 + 1_000 * (second - 3));
    expect(await idsOfPersons()).toEqual([['ada', 'anon']]);
  });

  test('6.6.4 $merge_dangerously joins identified persons', async () => {
    await send(identify('a', 'a-anon'), identify('b', 'b-anon'));
    await send(event('$merge_dangerously', 'a', { alias: 'b' }));
    expect(await idsOfPersons()).toEqual([['a', 'a-anon', 'b', 'b-anon']]);
  });

  test('6.6.5 past events follow immediately, through several merges', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await send(event(`by ${id}`, id));
    await send(event('$merge_dangerously', 'b', { alias: 'a' }));
    await send(event('$merge_dangerously', 'c', { alias: 'b' }));
    await send(event('$merge_dangerously', 'd', { alias: 'a' }));
    const all = await persons();
    expect(all).toHaveLength(1);
    expect(await eventsOf(all[0]!)).toHaveLength(7);
  });
});

describe('6.6.5 several merges in one request', () => {
  test('assign every event to the last survivor', async () => {
    for (const id of ['c', 'd', 'a']) await send(event(`by ${id}`, id));
    await send(identify('a', 'c'), alias('a', 'd'));
    const all = await persons();
    expect(all).toHaveLength(1);
    expect(await eventsOf(all[0]!)).toHaveLength(5);
  });
});

describe('6.7a the order of arrival', () => {
  test("is used, not the events' own time", async () => {
    const later = event('$set', 'ada', { $set: { plan: 'written later' } });
    const sooner = event('$set', 'ada', { $set: { plan: 'written sooner' } });
    await send(sooner, later);
    await send({ ...sooner, timestamp: '2020-01-01T00:00:00Z' });
    expect((await persons())[0]!.properties).toEqual({ plan: 'written sooner' });
  });

  test('a retry is not applied again', async () => {
    const uuid = '0190f0c1-2222-7000-8000-0000000000aa';
    const first = { ...event('$set', 'ada', { $set: { plan: 'free' } }), uuid };
    await send(first);
    await send(event('$set', 'ada', { $set: { plan: 'pro' } }));
    await send(first);
    expect((await persons())[0]!.properties).toEqual({ plan: 'pro' });
  });
});
