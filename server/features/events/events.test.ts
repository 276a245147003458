import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENTS, iso, list, send, settle, T0, walk } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { storedEvent } from './events.contract.ts';

describe('an event', () => {
  const uuid = '0190f0c1-2222-7000-8000-0000000000ff';

  test('has eight keys, and its objects are JSON text', async () => {
    const app = await openTestApp();
    const properties = { plan: 'free', nested: { n: [1, null] } };
    await send(app, [
      { uuid, distinct_id: 'u2', event: 'signup', timestamp: '2026-11-04T09:10:11.123Z', properties },
    ]);
    const [event] = (await list(app)).results;
    expect(storedEvent.strict().parse(event)).toMatchObject({
      id: uuid,
      distinct_id: 'u2',
      event: 'signup',
      timestamp: '2026-11-04T09:10:11.123000+00:00',
      person: '{"is_identified":false,"distinct_ids":["u2"],"properties":{}}',
      elements: '[]',
      elements_chain: '',
    });
    expect(JSON.parse(event!.properties)).toMatchObject(properties);
  });

  test('shows its elements as a list and as a chain', async () => {
    const app = await openTestApp();
    await send(app, [
      { properties: { $elements: [{ tag_name: 'button', $el_text: 'Buy', nth_child: 2, nth_of_type: 1 }] } },
    ]);
    const [event] = (await list(app)).results;
    expect(JSON.parse(event!.elements)).toMatchObject([{ tag_name: 'button', text: 'Buy', order: 0 }]);
    expect(event!.elements_chain).toContain('button:');
  });

  test('is found by its id, as it arrived and after compaction', async () => {
    const app = await openTestApp();
    await send(app, [{ uuid, event: 'signup' }]);
    const [listed] = (await list(app)).results;
    expect((await app.ask(`${EVENTS}${uuid}/`)).json).toEqual(listed);
    await settle(app);
    expect((await app.ask(`${EVENTS}${uuid.toUpperCase()}`)).json).toEqual(listed);
  });

  test('is unknown under another id, and in another project', async () => {
    const app = await openTestApp();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    await send(app, [{ uuid }]);
    for (const path of [
      `${EVENTS}0190f0c1-2222-7000-8000-000000000000/`,
      `/api/projects/2/events/${uuid}/`,
    ]) {
      expect(await app.ask(path)).toMatchObject({
        status: 404,
        json: { code: 'not_found', detail: 'Not found.' },
      });
    }
  });

  test.each(['1', 'not-a-uuid', `${uuid}x`, "'; DROP TABLE events; --"])(
    '%j is not the id of an event',
    async (id) => {
      const { ask } = await openTestApp();
      const answer = await ask(`${EVENTS}${encodeURIComponent(id)}/`);
      expect(answer).toMatchObject({
        status: 400,
        json: { type: 'validation_error', code: 'invalid', attr: null },
      });
    },
  );

  test('and every list have deprecation headers with the successor', async () => {
    const app = await openTestApp();
    await send(app, [{ uuid }]);
    for (const path of [EVENTS, `${EVENTS}${uuid}/`, `${EVENTS}?format=csv`]) {
      const { headers } = await app.ask(path);
      expect(headers['deprecation']).toMatch(/^@\d+$/);
      expect(headers['link']).toBe(`<${app.url}/api/projects/1/query/>; rel="successor-version"`);
    }
  });
});

describe('the list', () => {
  test('is newest first, from both storage places', async () => {
    const app = await openTestApp();
    await send(app, [
      { event: 'b', timestamp: iso(2) },
      { event: 'd', timestamp: iso(4) },
    ]);
    await settle(app);
    await send(app, [
      { event: 'a', timestamp: iso(1) },
      { event: 'c', timestamp: iso(3) },
    ]);
    expect(await walk(app, '')).toEqual(['d', 'c', 'b', 'a']);
    expect(await walk(app, '?orderBy=["timestamp"]')).toEqual(['a', 'b', 'c', 'd']);
    expect(await walk(app, '?orderBy=-timestamp&limit=1')).toEqual(['d', 'c', 'b', 'a']);
  });

  test.each([
    ['event=b', ['b']],
    ['event=B', []],
    ['distinct_id=7', ['c']],
    ['after=2026-11-01T00:00:02Z', ['d', 'c']],
    ['before=2026-11-01T00:00:02Z', ['a']],
    ['after=2026-11-01T00:00:01Z&before=2026-11-01T00:00:04Z', ['c', 'b']],
    ['after=-2w', []],
    ['after=-1m', ['d', 'c', 'b', 'a']],
    ['before=-2w', ['d', 'c', 'b', 'a']],
    ['before=2026-11-01T02:00:02%2B02:00', ['a']],
    ['before=2026-11-01T02:00:02+02:00', ['a']],
    ['limit=2', ['d', 'c']],
    ['limit=2&offset=1', ['c', 'b']],
    ['offset=3', ['a']],
    ['offset=99', []],
    ['offset=two', ['d', 'c', 'b', 'a']],
    ['offset=-1', ['d', 'c', 'b', 'a']],
    ['limit=99999999', ['d', 'c', 'b', 'a']],
    ['event=&after=&limit=', ['d', 'c', 'b', 'a']],
    ['include_person=true&unknown=1', ['d', 'c', 'b', 'a']],
  ])('?%s', async (search, expected) => {
    const app = await openTestApp();
    await send(app, [
      { event: 'a', timestamp: iso(1) },
      { event: 'b', timestamp: iso(2) },
      { event: 'c', timestamp: iso(3), distinct_id: '7' },
      { event: 'd', timestamp: iso(4) },
    ]);
    const { results } = await list(app, `?${search}`);
    expect(results.map(({ event }) => event)).toEqual(expected);
  });

  test.each([
    ['limit=ten', 'limit'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1;DROP TABLE events', 'limit'],
    ['after=yesterday', 'after'],
    ['before=7d', 'before'],
    ['before=-1d&before_id=x', 'before_id'],
    ['orderBy=["event"]', 'orderBy'],
    ['where=["1=1"', 'where'],
    ['select=[7]', 'select'],
    ['action_id=one', 'action_id'],
  ])('?%s is refused by name', async (search, attr) => {
    const { ask } = await openTestApp();
    const answer = await ask(`${EVENTS}?${encodeURI(search)}`);
    expect(answer).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code: 'invalid_input', attr },
    });
  });

  test('a value is never part of the statement', async () => {
    const app = await openTestApp();
    const quote = `'; DELETE FROM events_recent; --`;
    await send(app, [{ event: quote, distinct_id: quote }]);
    const search = `?event=${encodeURIComponent(quote)}&distinct_id=${encodeURIComponent(quote)}`;
    expect((await list(app, search)).results).toHaveLength(1);
  });

  test('shows the events of its project only', async () => {
    const app = await openTestApp();
    const other = await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    await send(app, [{ event: 'mine' }]);
    await send(app, [{ event: 'other' }], other.json.api_token);
    expect(await walk(app, '')).toEqual(['mine']);
  });

  test('leaves out events more than five seconds ahead, unless requested', async () => {
    const app = await openTestApp();
    const ahead = new Date(app.clock.now + 3_600_000).toISOString();
    await send(app, [
      { event: 'now', timestamp: new Date(app.clock.now + 4_000).toISOString() },
      { event: 'ahead', timestamp: ahead },
    ]);
    expect(await walk(app, '')).toEqual(['now']);
    expect(await walk(app, '?before=2027-01-01')).toEqual(['ahead', 'now']);
  });

  test('next keeps all other parameters, drops offset, and has the cursor of the last event', async () => {
    const app = await openTestApp();
    await send(app, [{ timestamp: iso(1) }, { timestamp: iso(2) }, { timestamp: iso(3) }]);
    const page = await list(app, '?event=seen&limit=1&offset=1');
    const next = new URL(page.next!);
    expect(next.origin + next.pathname).toBe(`${app.url}${EVENTS}`);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      event: 'seen',
      limit: '1',
      before: '2026-11-01T00:00:02.000000+00:00',
      before_id: page.results[0]!.id,
    });
  });

  test('paging by next returns each event once, however many have the same time, in both storage places', async () => {
    const app = await openTestApp();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ second: fc.nat(3), settled: fc.boolean() }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('timestamp', '-timestamp'),
        async (events, limit, order) => {
          // Each round has its own events, distinguished by their distinct id.
          const distinctId = `round-${++round}`;
          const named = events.map((event, at) => ({ ...event, event: `e${at}`, distinct_id: distinctId }));
          for (const settled of [true, false]) {
            const part = named.filter((event) => event.settled === settled);
            if (part.length > 0)
              await send(
                app,
                part.map((event) => ({ ...event, timestamp: iso(event.second) })),
              );
            if (settled) await settle(app);
          }
          const seen = await walk(app, `?distinct_id=${distinctId}&limit=${limit}&orderBy=${order}`);
          expect(seen.toSorted()).toEqual(named.map(({ event }) => event).toSorted());
          const seconds = seen.map((name) => named[Number(name.slice(1))]!.second);
          expect(seconds).toEqual(seconds.toSorted((a, b) => (order === 'timestamp' ? a - b : b - a)));
        },
      ),
      { numRuns: 25 },
    );
  });

  /** More events than the store hands over in one piece. */
  async function openWithThousands(): Promise<TestApp> {
    const app = await openTestApp();
    await app.store.db.run(
      `INSERT INTO events (project_id, timestamp, uuid, event, distinct_id, person_id, properties, received_at, historical)
       SELECT 1, make_timestamp($start + i), uuid(), 'e' || i, 'u', 1, '{"filler": "' || repeat('x', 200) || '"}',
         now()::TIMESTAMP, false FROM range(6000) r(i)`,
      { start: T0 * 1000 },
    );
    return app;
  }

  test('a page of thousands is complete, as JSON and as CSV, and the next one continues after it', async () => {
    const app = await openWithThousands();
    const page = await list(app, '?limit=4500');
    expect(page.results).toHaveLength(4_500);
    expect(page.results.at(-1)!.event).toBe('e1500');
    expect((await list(app, page.next!.slice(app.url.length + EVENTS.length))).results[0]!.event).toBe(
      'e1499',
    );
    expect((await app.ask(`${EVENTS}?limit=4500&format=csv`)).text.trimEnd().split('\n')).toHaveLength(4_501);
    expect((await list(app, '?limit=6000')).next).toBe(null);
  });

  test('disconnected clients and HEAD requests do not block other requests', async () => {
    const app = await openWithThousands();
    for (let i = 0; i < 5; i++) {
      expect((await app.ask(`${EVENTS}?limit=6000`, { method: 'HEAD' })).status).toBe(200);
      const gone = new AbortController();
      const headers = { Authorization: `Bearer ${app.key}` };
      await fetch(`${app.url}${EVENTS}?limit=6000`, { headers, signal: gone.signal });
      gone.abort();
    }
    expect((await list(app, '?limit=6000')).results).toHaveLength(6_000);
    expect(app.errors).toEqual([]);
  });

  test('microseconds of late years are distinct', async () => {
    const app = await openTestApp();
    for (const micro of [1, 2, 3]) {
      await app.store.db.run(
        `INSERT INTO events (project_id, timestamp, uuid, event, distinct_id, person_id, properties, received_at, historical)
         VALUES (1, $at::TIMESTAMP, uuid(), $event, 'u', 1, '{}', now()::TIMESTAMP, false)`,
        { at: `9000-01-01 00:00:00.00000${micro}`, event: `m${micro}` },
      );
    }
    expect(await walk(app, '?limit=1&before=9999-01-01')).toEqual(['m3', 'm2', 'm1']);
  });
});

describe('CSV', () => {
  const lines = (text: string) => text.trimEnd().split('\n');

  test('has one header row, with objects flattened', async () => {
    const app = await openTestApp();
    await send(app, [
      {
        event: 'a',
        timestamp: iso(2),
        properties: { plan: 'free', n: -5, deep: { list: [1, { x: true }] }, $lib: 'web' },
      },
      { event: 'b', timestamp: iso(1), properties: { plan: 'a,"b"\nc', $lib: 'web' } },
    ]);
    const answer = await app.ask(`${EVENTS}?format=csv`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const header = lines(answer.text)[0]!.split(',');
    expect(header).toEqual(
      expect.arrayContaining([
        'id',
        'properties.plan',
        'properties.n',
        'properties.deep.list.0',
        'properties.deep.list.1.x',
      ]),
    );
    expect(header.indexOf('properties.plan')).toBeLessThan(header.indexOf('event'));
    const first = lines(answer.text)[1]!.split(',');
    const cell = (name: string) => first[header.indexOf(name)];
    expect([
      cell('properties.n'),
      cell('properties.deep.list.1.x'),
      cell('event'),
      cell('person.distinct_ids.0'),
    ]).toEqual(['-5', 'true', 'a', 'u1']);
    expect(answer.text).toContain('"a,""b""\nc"');
  });

  test('a formula becomes a text', async () => {
    const app = await openTestApp();
    await send(app, [{ event: '=1+1', distinct_id: '@SUM(A1)', properties: { cmd: '+cmd', $lib: '-x' } }]);
    const { text } = await app.ask(`${EVENTS}?format=csv`);
    for (const cell of [`'=1+1`, `'@SUM(A1)`, `'+cmd`, `'-x`]) expect(text).toContain(cell);
  });

  test('is returned for Accept: text/csv as well, with a thousand events by default', async () => {
    const app = await openTestApp();
    await send(
      app,
      Array.from({ length: 1_001 }, (_, at) => ({ event: `e${at}`, timestamp: iso(at) })),
    );
    const answer = await app.ask(EVENTS, { headers: { Accept: 'text/csv' } });
    expect(lines(answer.text)).toHaveLength(1_001);
    expect(lines((await app.ask(`${EVENTS}?format=csv&limit=2`)).text)).toHaveLength(3);
    expect((await list(app)).results).toHaveLength(100);
  });

  test('of a single event has one row', async () => {
    const app = await openTestApp();
    const uuid = '0190f0c1-2222-7000-8000-0000000000ff';
    await send(app, [{ uuid }]);
    expect(lines((await app.ask(`${EVENTS}${uuid}/?format=csv`)).text)[1]).toContain(uuid);
  });

  test('without events has a header only', async () => {
    const { ask } = await openTestApp();
    expect((await ask(`${EVENTS}?format=csv`)).text.trimEnd()).toBe(
      'id,distinct_id,properties,event,timestamp,person,elements,elements_chain',
    );
  });

  test('events without common properties have them in one JSON column', async () => {
    const app = await openTestApp();
    const properties = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`key${at}`, at]));
    await send(app, [{ properties }]);
    const [header, row] = lines((await app.ask(`${EVENTS}?format=csv`)).text);
    expect(header!.split(',')).toContain('properties');
    expect(row).toContain('""key2099"":2099');
  });
});
