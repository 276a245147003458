import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { EVENTS, iso, list, send, settle, walk } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { personUuid } from '../persons/person-uuid.ts';
import { tableOf, writeEventsCsv } from './event-csv.ts';
import type { EventWithPerson } from './event-row.ts';
import { storedEvent } from './events.contract.ts';

/** Four events, a to d, a second apart; b and d have lain in the store for a while. */
async function openWithFour(): Promise<TestApp> {
  const app = await openTestApp();
  await send(app, [
    { event: 'b', timestamp: iso(2), properties: { plan: 'free', seats: 3 } },
    { event: 'd', timestamp: iso(4), properties: { plan: 'Pro', seats: 10, $browser: 'Firefox' } },
  ]);
  await settle(app);
  await send(app, [
    { event: 'a', timestamp: iso(1), properties: { $browser: 'Firefox', seats: '7' } },
    { event: 'c', timestamp: iso(3), distinct_id: '7', properties: { plan: null } },
  ]);
  return app;
}

function encoded(name: string, ...values: unknown[]): string {
  return values.map((value) => `${name}=${encodeURIComponent(JSON.stringify(value))}`).join('&');
}

async function names(app: TestApp, search: string): Promise<string> {
  return (await walk(app, `?${search}`)).join('');
}

describe('the parameters of the list', () => {
  test('M7.1/after only later events, also counted back from now', async () => {
    const app = await openWithFour();
    expect(await names(app, `after=${iso(2)}`)).toBe('dc');
    expect(await names(app, 'after=2026-11-01T00:00:02.000000%2B00:00')).toBe('dc');
    expect(await names(app, 'after=-20d')).toBe('dcba');
    expect(await names(app, 'after=-24h')).toBe('');
    expect(await names(app, 'after=')).toBe('dcba');
  });

  test('M7.1/before only earlier events, and none ahead of now by more than five seconds unless asked for', async () => {
    const app = await openWithFour();
    await send(app, [{ event: 'z', timestamp: new Date(app.clock.now + 60_000).toISOString() }]);
    expect(await names(app, `before=${iso(2)}`)).toBe('a');
    expect(await names(app, 'before=-1d')).toBe('dcba');
    expect(await names(app, '')).toBe('dcba');
    expect(await names(app, 'before=2026-12-01')).toBe('zdcba');
  });

  test('M7.1/distinct_id exactly that one, a number is its text', async () => {
    const app = await openWithFour();
    expect(await names(app, 'distinct_id=7')).toBe('c');
    expect(await names(app, 'distinct_id=U1')).toBe('');
  });

  test('M7.1/event exactly that name; heatmaps are listed only by theirs', async () => {
    const app = await openWithFour();
    await send(app, [{ event: '$$heatmap', timestamp: iso(5) }]);
    expect(await names(app, 'event=b')).toBe('b');
    expect(await names(app, 'event=B')).toBe('');
    expect(await names(app, 'distinct_id=u1')).toBe('dba');
    expect(await names(app, 'event=$$heatmap')).toBe('$$heatmap');
  });

  describe('7.1 person_id', () => {
    async function openWithMerged(): Promise<{ app: TestApp; idOf(distinctId: string): Promise<number> }> {
      const app = await openTestApp();
      await send(app, [
        { event: 'a', distinct_id: 'anon', timestamp: iso(1) },
        { event: 'b', distinct_id: 'lin', timestamp: iso(2) },
        { event: 'x', distinct_id: 'other', timestamp: iso(3) },
        {
          event: 'p',
          distinct_id: 'nobody',
          timestamp: iso(4),
          properties: { $process_person_profile: false },
        },
      ]);
      const idOf = async (distinctId: string): Promise<number> => {
        const row = await app.store.db.first<{ id: number }>(
          'SELECT person_id AS id FROM person_distinct_ids WHERE distinct_id = $distinctId',
          { distinctId },
        );
        return row!.id;
      };
      return { app, idOf };
    }

    test('M7.1/person_id an integer or a UUID', async () => {
      const { app, idOf } = await openWithMerged();
      expect(await names(app, `person_id=${await idOf('lin')}`)).toBe('b');
      expect(await names(app, `person_id=${personUuid(1, 'lin')}`)).toBe('b');
      expect(await names(app, `person_id=${personUuid(1, 'lin').toUpperCase()}`)).toBe('b');
    });

    test('M7.1/person_id follows merges at once, from either side', async () => {
      const { app, idOf } = await openWithMerged();
      const old = await idOf('anon');
      const merge = { $anon_distinct_id: 'anon' };
      await send(app, [{ event: '$identify', distinct_id: 'lin', timestamp: iso(5), properties: merge }]);
      for (const person of [old, await idOf('lin'), personUuid(1, 'anon'), personUuid(1, 'lin')]) {
        expect(await names(app, `person_id=${person}`)).toBe('$identifyba');
      }
      await settle(app);
      expect(await names(app, `person_id=${old}&limit=1`)).toBe('$identifyba');
    });

    test('M7.1/person_id a placeholder is found by its UUID, and shows no person', async () => {
      const { app } = await openWithMerged();
      const { results } = await list(app, `?person_id=${personUuid(1, 'nobody')}`);
      expect(results).toMatchObject([{ event: 'p', person: '' }]);
    });

    test.each(['999', '99999999999999', '0190f0c1-2222-7000-8000-0000000000ff', 'lin', `1' OR '1'='1`])(
      'M7.1/person_id %j is nobody',
      async (person) => {
        const { app } = await openWithMerged();
        expect(await names(app, `person_id=${encodeURIComponent(person)}`)).toBe('');
      },
    );
  });

  describe('7.1 properties', () => {
    test('M7.1/properties a list of filters, of which all hold; without a type they are on the event', async () => {
      const app = await openWithFour();
      expect(await names(app, encoded('properties', [{ key: 'plan', value: 'pro' }]))).toBe('d');
      expect(await names(app, encoded('properties', [{ key: '$browser', value: 'Firefox' }]))).toBe('da');
      expect(await names(app, encoded('properties', [{ key: 'plan', operator: 'is_not_set' }]))).toBe('ca');
      expect(await names(app, encoded('properties', [{ key: 'seats', operator: 'gt', value: 5 }]))).toBe(
        'da',
      );
      const both = [
        { key: '$browser', value: 'Firefox' },
        { key: 'seats', operator: 'lt', value: '9' },
      ];
      expect(await names(app, encoded('properties', both))).toBe('a');
      expect(await names(app, encoded('properties', []))).toBe('dcba');
    });

    test('M7.1/properties a group', async () => {
      const app = await openWithFour();
      const group = {
        type: 'OR',
        values: [
          {
            type: 'AND',
            values: [
              { key: 'plan', value: ['free', 'pro'] },
              { key: 'seats', value: 3 },
            ],
          },
          { key: 'seats', type: 'event', operator: 'between', value: [5, 8] },
        ],
      };
      expect(await names(app, encoded('properties', group))).toBe('ba');
    });

    test('M7.1/properties given several times, and kept by next', async () => {
      const app = await openWithFour();
      const firefox = [{ key: '$browser', value: 'firefox' }];
      const search = encoded('properties', firefox, { key: 'seats', operator: 'is_set' });
      expect(await names(app, `${search}&limit=1`)).toBe('da');
      expect(await names(app, `${encoded('properties', firefox, [{ key: 'plan', value: 'pro' }])}`)).toBe(
        'd',
      );
    });

    test('M7.1/properties of the person as it is now, also after a merge', async () => {
      const app = await openTestApp();
      await send(app, [
        { event: 'a', distinct_id: 'anon', timestamp: iso(1) },
        { event: 'x', distinct_id: 'other', timestamp: iso(2) },
        { event: 'p', distinct_id: 'no', timestamp: iso(3), properties: { $process_person_profile: false } },
      ]);
      await settle(app);
      const identify = { $anon_distinct_id: 'anon', $set: { plan: 'Pro', since: '2026-03-04T10:00:00Z' } };
      await send(app, [{ event: 'i', distinct_id: 'lin', timestamp: iso(4) }]);
      await send(app, [{ event: '$identify', distinct_id: 'lin', timestamp: iso(5), properties: identify }]);
      const person = (filter: object): string => encoded('properties', [{ type: 'person', ...filter }]);
      expect(await names(app, person({ key: 'plan', value: 'pro' }))).toBe('$identifyia');
      expect(await names(app, person({ key: 'plan', operator: 'is_not', value: 'pro' }))).toBe('px');
      expect(await names(app, person({ key: 'plan', operator: 'is_not_set' }))).toBe('px');
      expect(
        await names(app, person({ key: 'since', operator: 'is_date_before', value: '2026-03-05' })),
      ).toBe('$identifyia');
    });

    test('M7.1/properties of a group, whose dates compare as dates', async () => {
      const app = await openTestApp();
      const groups = { $groups: { company: 'acme' } };
      const acme = {
        $group_type: 'company',
        $group_key: 'acme',
        $group_set: { since: '2026-03-04T23:00:00-05:00' },
      };
      await send(app, [
        { event: '$groupidentify', timestamp: iso(1), properties: acme },
        { event: 'a', timestamp: iso(2), properties: groups },
        { event: 'b', timestamp: iso(3) },
      ]);
      const group = (filter: object): string =>
        `event=a&${encoded('properties', [{ type: 'group', group_type_index: 0, key: 'since', ...filter }])}`;
      expect(await names(app, group({ operator: 'is_date_exact', value: '2026-03-05' }))).toBe('a');
      expect(await names(app, group({ operator: 'gt', value: '2026-03-05T03:00:00Z' }))).toBe('a');
      expect(await names(app, group({ operator: 'is_date_after', value: '2026-03-05' }))).toBe('');
      const key = { type: 'group', group_type_index: 0, key: '$group_key' };
      expect(await names(app, encoded('properties', [{ ...key, value: 'Acme' }]))).toBe('a');
      expect(await names(app, encoded('properties', [{ ...key, operator: 'is_not', value: 'acme' }]))).toBe(
        'b$groupidentify',
      );
    });

    test('M7.1/properties of the element that was clicked', async () => {
      const app = await openTestApp();
      const $elements = [{ tag_name: 'button', $el_text: 'Buy now' }, { tag_name: 'form' }];
      await send(app, [
        { event: 'a', timestamp: iso(1), properties: { $elements } },
        { event: 'b', timestamp: iso(2) },
      ]);
      const element = (filter: object): string => encoded('properties', [{ type: 'element', ...filter }]);
      expect(await names(app, element({ key: 'text', operator: 'icontains', value: 'BUY' }))).toBe('a');
      expect(await names(app, element({ key: 'tag_name', value: ['form'] }))).toBe('a');
      expect(await names(app, element({ key: 'text', operator: 'is_not', value: 'Buy now' }))).toBe('b');
    });

    test.each([
      ['M7.1/properties what is not JSON', 'properties=%7B', null],
      [
        'M7.1/properties an unknown operator',
        encoded('properties', [{ key: 'a', value: 1, operator: 'x' }]),
        'properties__0__operator',
      ],
      [
        'M7.1/properties a bad pattern',
        encoded('properties', [{ key: 'a', value: '(', operator: 'regex' }]),
        'properties',
      ],
      [
        'M7.1/properties a cohort',
        encoded('properties', [{ key: 'id', value: 1, type: 'cohort' }]),
        'properties',
      ],
      ['M7.1/properties HogQL', encoded('properties', [{ key: '1', type: 'hogql' }]), 'properties'],
    ])('%s is refused', async (_, search, attr) => {
      const { ask } = await openTestApp();
      expect(await ask(`${EVENTS}?${search}`)).toMatchObject({
        status: 400,
        json: { type: 'validation_error', attr },
      });
    });
  });

  /** Refused by its name until it does something, and passed over when empty. */
  async function expectLater(search: string, attr: string): Promise<void> {
    const app = await openWithFour();
    expect(await app.ask(`${EVENTS}?${search}`)).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', attr },
    });
    expect(await names(app, `${search.slice(0, search.indexOf('='))}=`)).toBe('dcba');
  }
  test('M7.1/select is refused until expressions are understood', () =>
    expectLater(encoded('select', ['event']), 'select'));
  test('M7.1/where is refused until expressions are understood', () =>
    expectLater(encoded('where', ['1 = 1']), 'where'));
  test('M7.1/action_id only events that fit one of the steps of the action', async () => {
    const app = await openWithFour();
    const elements = 'a.buy:href="/pay"nth-child="1"text="Buy now";div:nth-child="2"';
    const $current_url = 'https://shop.example/pricing?x=1';
    await send(app, [
      { event: 'e', timestamp: iso(5), properties: { $current_url } },
      { event: '$autocapture', timestamp: iso(6), properties: { $elements_chain: elements } },
    ]);
    const byAction = async (...steps: object[]): Promise<string> => {
      const body = { name: JSON.stringify(steps), steps };
      const { id } = (await app.ask('/api/projects/1/actions/', { method: 'POST', body })).json;
      return names(app, `action_id=${id}`);
    };
    expect(await byAction({ event: 'a' }, { event: 'c' })).toBe('ca');
    expect(await byAction({ event: 'A' })).toBe('');
    expect(await byAction({ url: '/pricing' })).toBe('e');
    expect(await byAction({ url: '/pricing', url_matching: 'exact' })).toBe('');
    expect(await byAction({ url: 'pric.*x=\\d$', url_matching: 'regex', event: 'e' })).toBe('e');
    expect(await byAction({ properties: [{ key: '$browser', value: 'Firefox' }] })).toBe('da');
    expect(await byAction({ event: 'd', properties: [{ key: 'plan', value: 'free' }] })).toBe('');
    for (const step of [
      { tag_name: 'a' },
      { selector: 'div a.buy' },
      { text: 'Buy now', href: '/pay' },
      { text: 'buy', text_matching: 'contains' },
    ])
      expect(await byAction({ event: '$autocapture', ...step })).toBe('$autocapture');
    expect(await byAction({ text: 'Sell' })).toBe('');
    expect(await byAction()).toBe('');
  });

  test('M7.1/action_id an unknown or deleted action has no events; what is no number is refused', async () => {
    const app = await openWithFour();
    const body = { name: 'A', steps: [{ event: 'a' }] };
    const { id } = (await app.ask('/api/projects/1/actions/', { method: 'POST', body })).json;
    expect(await names(app, `action_id=${id}&event=b`)).toBe('');
    expect(await names(app, `action_id=${id}&limit=1`)).toBe('a');
    expect(await names(app, 'action_id=')).toBe('dcba');
    await app.ask(`/api/projects/1/actions/${id}/`, { method: 'PATCH', body: { deleted: true } });
    for (const unknown of [id, 999, 0, -1, 99_999_999_999])
      expect(await names(app, `action_id=${unknown}`)).toBe('');
    expect((await app.ask(`${EVENTS}?action_id=one`)).json).toMatchObject({
      attr: 'action_id',
      code: 'invalid_input',
    });
  });

  test('M7.1/orderBy newest first unless told otherwise, by no other column', async () => {
    const app = await openWithFour();
    expect(await names(app, encoded('orderBy', ['-timestamp']))).toBe('dcba');
    expect(await names(app, `${encoded('orderBy', ['timestamp'])}&limit=3`)).toBe('abcd');
    expect((await app.ask(`${EVENTS}?${encoded('orderBy', ['event'])}`)).json.attr).toBe('orderBy');
  });

  test('M7.1/limit a whole number from 1, a hundred unless told otherwise, and never more than 50,000', async () => {
    const app = await openWithFour();
    expect((await list(app, '?limit=3')).results).toHaveLength(3);
    for (const limit of ['0', '-1', 'ten', '1.5']) {
      expect((await app.ask(`${EVENTS}?limit=${limit}`)).json).toMatchObject({
        code: 'invalid_input',
        attr: 'limit',
      });
    }
    await app.store.db.run(
      `INSERT INTO events (project_id, timestamp, uuid, event, distinct_id, person_id, properties, received_at, historical)
       SELECT 1, '2026-10-01'::TIMESTAMP, uuid(), 'old', 'u', 0, '{}', now()::TIMESTAMP, false FROM range(50001)`,
    );
    expect((await list(app)).results).toHaveLength(100);
    expect((await list(app, '?limit=999999999')).results).toHaveLength(50_000);
  });

  test('M7.1/offset passes over so many, and what is no number over none', async () => {
    const app = await openWithFour();
    expect(await names(app, 'offset=1')).toBe('cba');
    expect(await names(app, 'offset=4')).toBe('');
    for (const offset of ['', 'two', '-1', '1.5']) expect(await names(app, `offset=${offset}`)).toBe('dcba');
  });

  test('M7.1/format CSV by name or by Accept, JSON otherwise, and nothing else', async () => {
    const app = await openWithFour();
    const typeOf = async (search: string, accept?: string): Promise<string | undefined> =>
      (await app.ask(EVENTS + search, accept === undefined ? {} : { headers: { Accept: accept } })).headers[
        'content-type'
      ];
    expect(await typeOf('?format=csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('', 'text/csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('?format=json', 'text/csv')).toBe('application/json');
    expect(await typeOf('')).toBe('application/json');
    expect((await app.ask(`${EVENTS}?format=xml`)).status).toBe(404);
  });

  test.each(['true', 'false', '', '1'])(
    'M7.1/include_person the person is there, also for %j',
    async (value) => {
      const app = await openWithFour();
      const [event] = (await list(app, `?event=b&include_person=${value}`)).results;
      expect(JSON.parse(event!.person).distinct_ids).toEqual(['u1']);
    },
  );
});

describe('the stored event', () => {
  const uuid = '0190f0c1-2222-7000-8000-0000000000ff';
  const $set = { email: 'lin@local.test', name: 'Lin "L" Ö', username: null, plan: 'Pro' };

  async function openWithPerson(): Promise<TestApp> {
    const app = await openTestApp();
    await send(app, [
      { event: 'a', distinct_id: 'anon', uuid, timestamp: iso(1) },
      {
        event: '$identify',
        distinct_id: 'lin',
        timestamp: iso(2),
        properties: { $anon_distinct_id: 'anon', $set },
      },
      {
        event: 'p',
        distinct_id: 'nobody',
        timestamp: iso(3),
        properties: { $process_person_profile: false },
      },
    ]);
    return app;
  }

  test('7.2 person: JSON text of what names the person, with the first of its distinct ids', async () => {
    const app = await openWithPerson();
    const [placeholder, identified, merged] = (await list(app)).results;
    expect(JSON.parse(merged!.person)).toEqual({
      is_identified: true,
      distinct_ids: [expect.any(String)],
      properties: { email: 'lin@local.test', name: 'Lin "L" Ö' },
    });
    expect(merged!.person).toBe(identified!.person);
    expect(placeholder!.person).toBe('');
    const first = await app.store.db.first<{ id: string }>(
      `SELECT distinct_id AS id FROM person_distinct_ids WHERE distinct_id IN ('anon', 'lin') ORDER BY position LIMIT 1`,
    );
    expect(JSON.parse(merged!.person).distinct_ids).toEqual([first!.id]);
  });

  test('7.2 person: is the one of today, after compaction too', async () => {
    const app = await openWithPerson();
    await settle(app);
    await send(app, [
      { event: '$set', distinct_id: 'lin', properties: { $set: { email: 'new@local.test' } } },
    ]);
    const [event] = (await list(app, '?event=a')).results;
    expect(JSON.parse(event!.person).properties.email).toBe('new@local.test');
  });

  test('7.3 one event has the same keys and the same person as in the list', async () => {
    const app = await openWithPerson();
    const [listed] = (await list(app, '?event=a')).results;
    expect(storedEvent.parse((await app.ask(`${EVENTS}${uuid}/`)).json)).toEqual(listed);
    const csv = await app.ask(`${EVENTS}${uuid}/?format=csv`);
    expect(csv.text).toContain('person.properties.email');
    expect(csv.text).toContain('lin@local.test');
  });

  test('CSV has the person in columns, and the same events as the list', async () => {
    const app = await openWithPerson();
    await app.store.db.run(
      `INSERT INTO events (project_id, timestamp, uuid, event, distinct_id, person_id, properties, received_at, historical)
       SELECT 1, make_timestamp(1790000000000000 + i % 7), uuid(), 'e', 'u', 0, '{"n' || i % 5 || '": 1}',
         now()::TIMESTAMP, false FROM range(5000) r(i)`,
    );
    const { results } = await list(app, '?limit=4000&offset=2');
    const csv = await app.ask(`${EVENTS}?limit=4000&offset=2&format=csv`);
    const [header, ...rows] = csv.text.trimEnd().split('\n');
    expect(header).toContain('person.is_identified');
    expect(header).toContain('properties.n4');
    expect(rows.map((row) => row.slice(0, 36))).toEqual(results.map(({ id }) => id));
  });

  test('CSV leaves out what arrives between finding its columns and writing its rows', async () => {
    const row = (id: string, properties: string): EventWithPerson => ({
      uuid: id,
      event: 'e',
      distinctId: 'u',
      personId: 0,
      timestamp: '2026-11-01T00:00:00.000000Z',
      properties,
      elementsChain: null,
      person: null,
    });
    async function* piecesOf(...rows: EventWithPerson[]): AsyncGenerator<EventWithPerson[]> {
      for (const one of rows) yield [one];
    }
    const [a, b, late] = [row('a', '{"n":1}'), row('b', '{}'), row('late', '{"other":1}')];
    const table = await tableOf(piecesOf(a, b, row('beyond', '{"m":1}')), 2);
    const out = new PassThrough();
    const written = text(out);
    await writeEventsCsv(table, piecesOf(a, late, b), out);
    const lines = (await written).trimEnd().split('\n');
    expect(lines[0]).toBe('id,distinct_id,properties.n,event,timestamp,person,elements,elements_chain');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['a', 'b']);
  });
});
