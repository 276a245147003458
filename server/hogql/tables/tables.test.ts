import { describe, expect, test } from 'vitest';
import { settle } from '../../../test/support/app-events.ts';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { nov, openAskedShop, SHOP_EVENTS } from '../../../test/support/hogql-shop.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

const micros = (text: string | undefined): string => text!.replace('Z', '.000000Z');
const bought = SHOP_EVENTS.filter(({ event }) => event === 'bought');

describe('the tables of HogQL', () => {
  test('events: every column, in the order of "*", with its type', async () => {
    const { ask } = await openAskedShop();
    const { columns, types, results } = await ask(
      `select * from events where event = 'bought' order by timestamp`,
    );
    expect(columns).toEqual([
      'uuid',
      'event',
      'properties',
      'timestamp',
      'distinct_id',
      'elements_chain',
      'created_at',
      'person_id',
      '$session_id',
      '$window_id',
      '$group_0',
      '$group_1',
      '$group_2',
      '$group_3',
      '$group_4',
    ]);
    expect(types.slice(0, 8)).toEqual([
      'UUID',
      'String',
      'String',
      `DateTime64(6, 'UTC')`,
      'String',
      'String',
      `DateTime64(6, 'UTC')`,
      'UUID',
    ]);
    expect(results.map((row) => [row[1], row[3], row[4]])).toEqual(
      bought.map(({ event, timestamp, distinct_id: id }) => [event, micros(timestamp), id]),
    );
    expect(JSON.parse(String(results[0]![2]))).toMatchObject(bought[0]!.properties!);
    expect(results.map((row) => row[10])).toEqual(['acme', 'zoo', '', '']);
  });

  test('properties have their known types; values of other types are null, as are missing ones', async () => {
    const { ask, rows } = await openAskedShop();
    const { types, results } =
      await ask(`select properties.amount, properties.gift, properties.at, properties.note, properties.deep.a.b, properties['tags'],
         properties.tags[2] from events where event = 'bought' order by timestamp`);
    expect(types).toEqual([
      'Nullable(Float64)',
      'Nullable(Bool)',
      `Nullable(DateTime64(6, 'UTC'))`,
      'Nullable(String)',
      'Nullable(String)',
      'Nullable(String)',
      'Nullable(String)',
    ]);
    expect(results).toEqual([
      [20, true, null, null, 'down', '["a","b"]', 'b'],
      [1200.5, false, '2026-11-03T10:00:00.000000Z', null, null, null, null],
      [15, null, null, 'said "hi"', null, null, null],
      [null, null, null, null, null, null, null],
    ]);
    const items = await rows(
      `select properties.tags.1, properties.tags.2, properties.tags.3, properties.note.1 from events where event = 'bought' order by timestamp`,
    );
    expect(items).toEqual([['a', 'b', null, null], ...bought.slice(1).map(() => [null, null, null, null])]);
    const inside = await rows(
      `select properties.amount.1, properties.amount[1], properties.gift[1].x, properties.at['x'], person.properties.amount.1, toTypeName(properties.amount.1) from events where event = 'bought'`,
    );
    expect(inside).toEqual(bought.map(() => [null, null, null, null, null, 'Nullable(String)']));
    const texts = await rows(
      `select propertyText(properties.amount), propertyText(properties.gift) from events where event = 'bought' order by timestamp`,
    );
    expect(texts).toEqual([
      ['20', 'true'],
      ['1200.5', 'false'],
      ['15', null],
      ['much', null],
    ]);
  });

  test('a time without a zone is in the zone of the project', async () => {
    const { app, rows } = await openAskedShop();
    await sendEvents(app, [
      { event: 'zoned', distinct_id: 'mo', timestamp: nov(9), properties: { at: '2026-11-03 10:00:00' } },
    ]);
    const inZone = (timezone: string) =>
      rows(`select properties.at from events where event = 'zoned'`, { timezone });
    expect(await inZone('UTC')).toEqual([['2026-11-03T10:00:00.000000Z']]);
    expect(await inZone('Europe/Berlin')).toEqual([['2026-11-03T09:00:00.000000Z']]);
  });

  test('sessions: computed from the events with the same $session_id', async () => {
    const { uuids, ask, rows } = await openAskedShop();
    const { results, columns } = await ask('select * from sessions order by session_id');
    const named = results.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
    expect(named).toMatchObject([
      {
        session_id: 's1',
        distinct_id: 'lin',
        person_id: uuids.get('lin'),
        $start_timestamp: micros(nov(1, '10:00:00')),
        $end_timestamp: micros(nov(1, '10:30:00')),
        $session_duration: 1800,
        $pageview_count: 1,
        $autocapture_count: 0,
        $screen_count: 0,
        $event_count: 3,
        $num_uniq_urls: 1,
        $is_bounce: false,
        $entry_utm_source: 'google',
        $channel_type: 'Paid Search',
      },
      {
        session_id: 's2',
        $session_duration: 5400,
        $pageview_count: 2,
        $num_uniq_urls: 2,
        $entry_pathname: '/shoes',
        $end_pathname: '/cart',
        $entry_current_url: 'https://shop.test/shoes',
        $entry_hostname: 'shop.test',
        $channel_type: 'Unknown',
      },
      { session_id: 's3', $session_duration: 0, $is_bounce: true },
    ]);
    expect(await rows('select avg(duration), count() from sessions where $pageview_count > 0')).toEqual([
      [2400, 3],
    ]);
  });

  test('sessions: the moment of an ID of version 7, the ID as a UUID, and at most two counted events', async () => {
    const app = await openTestApp();
    const id = '018c2a3b-0000-7000-8000-000000000001';
    const at = '2026-11-03T10:00:00.000Z';
    await sendEvents(app, [
      ...[1, 2, 3].map(() => ({ event: '$pageview', timestamp: at, properties: { $session_id: id } })),
      { event: '$screen', timestamp: at, properties: { $session_id: 'other' } },
    ]);
    const { results } = await askHogql(
      app,
      'select session_timestamp, session_id_v7, $page_screen_autocapture_count_up_to from sessions order by session_id',
    );
    expect(results).toEqual([
      ['2023-12-02T11:12:38.912000Z', id, 2],
      ['2026-11-03T10:00:00.000000Z', null, 1],
    ]);
    const joined =
      'select s.session_id, count() from events e join sessions s on e.$session_id_uuid = s.session_id_v7 group by 1';
    expect((await askHogql(app, joined)).results).toEqual([[id, 3]]);
  });

  test("PostHog's other names of tables and columns: raw_persons, posthog.events, team_id, event_person_id", async () => {
    const { ask, rows } = await openAskedShop();
    const persons = await rows('select id, team_id from persons order by id');
    expect(await rows('select id, team_id from raw_persons where is_deleted = 0 order by id')).toEqual(
      persons,
    );
    const latest = `select argMax(person_id, version) from raw_person_distinct_ids group by distinct_id
      having argMax(is_deleted, version) = 0`;
    expect(await rows(`select count() from (${latest})`)).toEqual(
      await rows('select count() from person_distinct_ids'),
    );
    expect(await rows('select events.event from posthog.events order by events.timestamp limit 1')).toEqual(
      await rows('select event from events order by timestamp limit 1'),
    );
    expect(await rows('select count() from posthog.cohort_membership')).toEqual(
      await rows('select count() from cohort_people'),
    );
    expect(
      await rows('select countIf(inserted_at != created_at), uniq(event_person_id) from events'),
    ).toEqual(await rows('select 0, uniq(person_id) from events'));
    expect((await ask('select * from events limit 1')).columns).not.toContain('team_id');
  });

  test('what is inside of a property is read through its alias, whatever the type of the property', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'a', properties: { n: { k: 'v' }, list: ['x', 'y'] } }]);
    const propertyType = (): 'Numeric' => 'Numeric';
    const text = `select properties.n as n, n.k, n['k'], properties.list as l, l[2], l.1 from events`;
    expect((await askHogql(app, text, { propertyType })).results).toEqual([[null, 'v', 'v', null, 'y', 'x']]);
    await expect(askHogql(app, 'select b.x as a, a.x as b from events')).rejects.toThrow('Unknown column');
    await expect(askHogql(app, 'select properties.list[0] from events')).rejects.toThrow(
      'SQL indexes start from one, not from zero. E.g: array[1]',
    );
    await expect(askHogql(app, 'select properties.list.0 from events')).rejects.toThrow('E.g: array.1');
  });

  test('an exception has the issue that its sender names', async () => {
    const app = await openTestApp();
    const id = '01932b6a-0000-7000-8000-000000000001';
    await sendEvents(app, [
      { event: '$exception', properties: { $exception_issue_id: id } },
      { event: '$exception', properties: { $exception_issue_id: 'x' } },
    ]);
    const text =
      'select issue_id, event_issue_id, count() from events where isNotNull(issue_id) group by 1, 2';
    expect((await askHogql(app, text)).results).toEqual([[id, id, 1]]);
  });

  test('a UUID in a condition may have spaces around it', async () => {
    const { rows } = await openAskedShop();
    const [[id]] = (await rows('select id from persons order by id limit 1')) as [[string]];
    expect(await rows(`select id from persons where id = ' ${id} '`)).toEqual([[id]]);
    const [[uuid]] = (await rows('select uuid from events limit 1')) as [[string]];
    expect(await rows(`select uuid from events where uuid = ' ${uuid} '`)).toEqual([[uuid]]);
  });

  test('an event has the same values when recent and when compacted', async () => {
    const { app, rows } = await openAskedShop();
    const texts = [
      'select * from events order by timestamp',
      'select properties.$browser, $session_id, $group_0, properties.amount, session.duration from events order by timestamp',
      `select count() from events where properties.$browser = 'Firefox' or $group_0 = 'zoo'`,
      'select * from sessions order by session_id',
    ];
    const before = await Promise.all(texts.map((text) => rows(text)));
    await settle(app);
    expect(await Promise.all(texts.map((text) => rows(text)))).toEqual(before);
    expect(await Promise.all(texts.map((text) => rows(text, { mayHaveSuspects: false })))).toEqual(before);
  });

  test('a duplicate that is not settled yet is not counted', async () => {
    const { app, rows } = await openAskedShop();
    const uuid = '01932b6a-0000-7000-8000-000000000001';
    const again = { event: 'again', distinct_id: 'mo', uuid, timestamp: nov(10) };
    await sendEvents(app, [again]);
    await app.store.db.transaction(async (tx) => {
      await tx.run('INSERT INTO events SELECT * FROM recent_events');
      await tx.run(`UPDATE events_recent SET suspect = true WHERE uuid = $uuid::UUID`, { uuid });
    });
    expect(await rows(`select count() from events where event = 'again'`)).toEqual([[1]]);
    await app.store.db.run('DELETE FROM events_recent');
    expect(await rows(`select count() from events where event = 'again'`)).toEqual([[1]]);
  });
});
