import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { EVENTS, iso, list, send, settle } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { tableOf, writeEventsCsv } from './event-csv.ts';
import type { EventWithPerson } from './event-row.ts';
import { storedEvent } from './events.contract.ts';

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

  test('M7.2 person: JSON text with identity and properties of the person, and its first distinct id', async () => {
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

  test('M7.2 person: is the current one, after compaction too', async () => {
    const app = await openWithPerson();
    await settle(app);
    await send(app, [
      { event: '$set', distinct_id: 'lin', properties: { $set: { email: 'new@local.test' } } },
    ]);
    const [event] = (await list(app, '?event=a')).results;
    expect(JSON.parse(event!.person).properties.email).toBe('new@local.test');
  });

  test('M7.3 a single event has the same keys and the same person as in the list', async () => {
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

  test('CSV leaves out properties that arrive between finding its columns and writing its rows', async () => {
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
