import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { zipOf } from '../../../../test/support/zip.ts';
import type { SentSettings } from '../imports.contract.ts';
import { previewImport, readImport } from '../read-import.ts';

interface MadeEvent {
  event: string;
  distinct_id: string;
  timestamp: string;
  uuid: string;
  properties: Record<string, any>;
}

/** What a file becomes. */
async function imported(name: string, body: string | Buffer, sent: SentSettings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-formats-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  await writeFile(path, body);
  const { guessed_format: format, settings } = await previewImport({ path, name }, sent);
  const events: MadeEvent[] = [];
  let report;
  let rejected = '';
  for await (const piece of readImport({ path, name, settings, token: 'phc_test', storedRows: 0 })) {
    if (piece.batch !== null)
      events.push(...(JSON.parse(new TextDecoder().decode(piece.batch)) as { batch: MadeEvent[] }).batch);
    report = piece.report;
    rejected +=
      rejected === '' && piece.rejected !== '' ? piece.rejectedHeader + piece.rejected : piece.rejected;
  }
  return { format, events, report: report!, rejected };
}

const lines = (...objects: object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const inShort = (events: readonly MadeEvent[]) =>
  events.map(({ event, distinct_id: id, timestamp }) => [event, id, timestamp]);

const SEGMENT = lines(
  {
    type: 'identify',
    messageId: 'ajs-1',
    userId: 'u_17',
    anonymousId: 'anon-5',
    timestamp: '2026-02-01T09:00:00.123Z',
    traits: { plan: 'pro' },
  },
  {
    type: 'track',
    messageId: '5f0c1111-2222-4333-8444-555566667777',
    userId: 'u_17',
    anonymousId: 'anon-5',
    event: 'Order Paid',
    timestamp: '2026-02-01T09:00:05.000Z',
    properties: { total: 9.5 },
    context: {
      ip: '203.0.113.7',
      page: { url: 'https://shop.test/pay?utm_source=mail', referrer: 'https://ref.test/x', title: 'Pay' },
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    },
  },
  {
    type: 'page',
    messageId: 'ajs-3',
    anonymousId: 'anon-6',
    name: 'Home',
    timestamp: '2026-02-01T09:01:00Z',
  },
  {
    type: 'group',
    messageId: 'ajs-4',
    userId: 'u_17',
    groupId: 'acme',
    traits: { seats: 4 },
    timestamp: '2026-02-01T09:02:00Z',
  },
  {
    type: 'alias',
    messageId: 'ajs-5',
    userId: 'u_17',
    previousId: 'old-1',
    timestamp: '2026-02-01T09:03:00Z',
  },
  { type: 'track', messageId: 'ajs-6', event: 'Nobody', timestamp: '2026-02-01T09:03:00Z' },
);

test('calls of Segment become events, identities, groups and aliases', async () => {
  const { format, events, report, rejected } = await imported('calls.json.gz', gzipSync(SEGMENT));
  expect(format).toBe('segment');
  expect(inShort(events)).toEqual([
    ['$identify', 'u_17', '2026-02-01T09:00:00.123Z'],
    ['Order Paid', 'u_17', '2026-02-01T09:00:05.000Z'],
    ['$pageview', 'anon-6', '2026-02-01T09:01:00.000Z'],
    ['$groupidentify', 'u_17', '2026-02-01T09:02:00.000Z'],
    ['$create_alias', 'u_17', '2026-02-01T09:03:00.000Z'],
  ]);
  expect(events[0]!.properties).toEqual({ $set: { plan: 'pro' }, $anon_distinct_id: 'anon-5' });
  expect(events[1]).toMatchObject({
    uuid: '5f0c1111-2222-4333-8444-555566667777',
    properties: {
      total: 9.5,
      $ip: '203.0.113.7',
      $host: 'shop.test',
      $pathname: '/pay',
      utm_source: 'mail',
      $referring_domain: 'ref.test',
      $browser: 'Firefox',
      $browser_version: 130,
      $os: 'Linux',
    },
  });
  expect(events[3]!.properties).toEqual({
    $group_type: 'company',
    $group_key: 'acme',
    $group_set: { seats: 4 },
  });
  expect(events[4]!.properties).toEqual({ alias: 'old-1' });
  expect(report).toMatchObject({
    rows: 6,
    events: 5,
    rejected: 1,
    problems: [{ reason: 'There is no distinct ID', row: 6 }],
  });
  expect(JSON.parse(rejected)).toMatchObject({
    messageId: 'ajs-6',
    import_problem: 'There is no distinct ID',
  });
});

const AMPLITUDE = lines(
  {
    uuid: '3f2c0000-1111-4222-8333-444455556666',
    $insert_id: 'a1-7',
    event_type: '[Amplitude] Page Viewed',
    event_time: '2026-01-01 10:00:00.078000',
    user_id: null,
    device_id: 'D-9',
    amplitude_id: 100000000001,
    session_id: 1767261600000,
    platform: 'Web',
    os_name: 'Chrome',
    os_version: '126',
    device_type: 'Windows',
    country: 'Germany',
    city: 'Berlin',
    event_properties: {
      '[Amplitude] Page URL': 'https://a.test/pricing',
      '[Amplitude] Page Title': 'Pricing',
      referrer: 'EMPTY',
    },
    user_properties: { initial_utm_source: 'ads', plan: 'free' },
  },
  {
    uuid: '3f2c0000-1111-4222-8333-444455556667',
    event_type: 'Signed Up',
    event_time: '2026-01-01 10:05:00.000000',
    user_id: 'u_17',
    device_id: 'D-9',
    amplitude_id: 100000000001,
    session_id: 1767261600000,
    platform: 'iOS',
    os_name: 'ios',
    os_version: '17.4',
    device_type: 'Apple iPhone 12 Mini',
    groups: { org: ['acme'] },
    event_properties: {},
  },
  {
    uuid: '3f2c0000-1111-4222-8333-444455556668',
    event_type: 'session_start',
    event_time: '2026-01-01 10:00:00',
    device_id: 'D-9',
    amplitude_id: 1,
    session_id: -1,
  },
);

test('an archive of Amplitude has UTC times, one identity of a device, and sessions as PostHog reads them', async () => {
  const archive = zipOf({
    '187520/187520_2026-01-01_10#0.json.gz': gzipSync(AMPLITUDE),
    '__MACOSX/._x': Buffer.from('nothing'),
  });
  const { format, events, report } = await imported('export.zip', archive);
  expect(format).toBe('amplitude');
  expect(inShort(events)).toEqual([
    ['$pageview', 'D-9', '2026-01-01T10:00:00.078Z'],
    ['$identify', 'u_17', '2026-01-01T10:05:00.000Z'],
    ['Signed Up', 'u_17', '2026-01-01T10:05:00.000Z'],
  ]);
  expect(events[0]).toMatchObject({
    uuid: '3f2c0000-1111-4222-8333-444455556666',
    properties: {
      $browser: 'Chrome',
      $browser_version: 126,
      $os: 'Windows',
      $referrer: '$direct',
      $geoip_country_name: 'Germany',
      $set: { plan: 'free' },
      $set_once: { $initial_utm_source: 'ads' },
    },
  });
  expect(events[1]!.properties).toEqual({ $anon_distinct_id: 'D-9' });
  expect(events[2]!.properties).toMatchObject({
    $os: 'ios',
    $device_model: 'Apple iPhone 12 Mini',
    $groups: { org: 'acme' },
    $session_id: events[0]!.properties['$session_id'],
  });
  expect(events[2]!.properties['$browser']).toBeUndefined();
  const session = events[0]!.properties['$session_id'] as string;
  expect([session[14], parseInt(session.replace('-', '').slice(0, 12), 16)]).toEqual(['7', 1767261600000]);
  expect(report.left_out).toEqual([{ reason: 'Mark of a session', count: 1, row: 3 }]);
});

test('the raw export of Mixpanel keeps milliseconds and IDs, and is shifted by the zone of an old project', async () => {
  const row = {
    event: 'Signed up',
    properties: {
      time: 1767261600,
      distinct_id: '$device:5f0c',
      $device_id: '5f0c',
      $insert_id: 'hpu',
      $city: 'Valencia',
      mp_country_code: 'ES',
      plan: 'pro',
      $import: true,
    },
  };
  const known = {
    event: '$mp_web_page_view',
    properties: {
      time: 1767261601123,
      distinct_id: '12345',
      $user_id: '12345',
      $device_id: '5f0c',
      $insert_id: 'hpv',
      $current_url: 'https://a.test/x?utm_campaign=y',
    },
  };
  const { format, events } = await imported('mixpanel.ndjson', lines(row, known));
  expect(format).toBe('mixpanel');
  expect(inShort(events)).toEqual([
    ['Signed up', '5f0c', '2026-01-01T10:00:00.000Z'],
    ['$identify', '12345', '2026-01-01T10:00:01.123Z'],
    ['$pageview', '12345', '2026-01-01T10:00:01.123Z'],
  ]);
  expect(events[0]!.properties).toEqual({
    plan: 'pro',
    $device_id: '5f0c',
    $geoip_city_name: 'Valencia',
    $geoip_country_code: 'ES',
  });
  expect(events[2]!.properties).toMatchObject({ $pathname: '/x', utm_campaign: 'y', $referrer: '$direct' });
  const old = await imported('mixpanel.ndjson', lines(row), { time_zone: 'America/New_York' });
  expect(old.events[0]!.timestamp).toBe('2026-01-01T15:00:00.000Z');
  expect(old.events[0]!.uuid).toBe(events[0]!.uuid);
});

test('people of Mixpanel become properties of persons', async () => {
  const people = JSON.stringify({
    page: 0,
    page_size: 1000,
    session_id: 'x',
    results: [
      {
        $distinct_id: 'u_17',
        $properties: { $email: 'ada@x.test', $last_seen: '2026-01-05T10:00:00', plan: 'pro' },
      },
    ],
  });
  const { format, events } = await imported('people.json', people);
  expect(format).toBe('mixpanel_people');
  expect(events).toMatchObject([
    {
      event: '$set',
      distinct_id: 'u_17',
      timestamp: '2026-01-05T10:00:00.000Z',
      properties: { $set: { email: 'ada@x.test', plan: 'pro' } },
    },
  ]);
});

const UMAMI = `website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,referrer_path,referrer_domain,page_title,event_type,event_name,created_at,distinct_id,utm_source
6b1a0000-0000-4000-8000-000000000001,6b1a0000-0000-4000-8000-0000000000aa,6b1a0000-0000-5000-8000-0000000000bb,6b1a0000-0000-4000-8000-000000000010,a.test,chrome,Windows 10,laptop,1920x1080,de-DE,DE,DE-BE,Berlin,/pricing,ref=hn,/item,news.test,"Pricing, all",1,,2026-03-01 10:15:00,,hn
6b1a0000-0000-4000-8000-000000000001,6b1a0000-0000-4000-8000-0000000000aa,6b1a0000-0000-5000-8000-0000000000bb,6b1a0000-0000-4000-8000-000000000011,a.test,chrome,Windows 10,laptop,1920x1080,de-DE,DE,DE-BE,Berlin,/pricing,,,,Pricing,2,buy,2026-03-01 10:16:00,u_17,
`;

test('the table of events of Umami has visits as sessions, and visitors as persons', async () => {
  const archive = zipOf({
    'event_data.csv': Buffer.from('website_id\n'),
    'website_event.csv': Buffer.from(UMAMI),
  });
  const { format, events } = await imported('umami.zip', archive);
  expect(format).toBe('umami');
  const visitor = '6b1a0000-0000-4000-8000-0000000000aa';
  expect(inShort(events)).toEqual([
    ['$pageview', visitor, '2026-03-01T10:15:00.000Z'],
    ['$identify', 'u_17', '2026-03-01T10:16:00.000Z'],
    ['buy', 'u_17', '2026-03-01T10:16:00.000Z'],
  ]);
  expect(events[0]).toMatchObject({
    uuid: '6b1a0000-0000-4000-8000-000000000010',
    properties: {
      $current_url: 'https://a.test/pricing?ref=hn',
      $referrer: 'https://news.test/item',
      title: 'Pricing, all',
      $device_type: 'Desktop',
      $screen_width: 1920,
      $geoip_subdivision_1_code: 'BE',
      utm_source: 'hn',
    },
  });
  expect(events[0]!.properties['$session_id']).toBe(events[2]!.properties['$session_id']);
});

const MATOMO = JSON.stringify([
  {
    idVisit: '88',
    idSite: '1',
    visitorId: 'a1b2c3d4e5f60718',
    userId: 'u_17',
    serverTimestamp: 1767261700,
    firstActionTimestamp: 1767261600,
    deviceType: 'Smartphone',
    browserName: 'Safari',
    browserVersion: '17.4.1',
    operatingSystemName: 'iOS',
    resolution: '390x844',
    countryCode: 'de',
    country: 'Germany',
    city: 'Berlin',
    referrerUrl: 'https://ref.test/',
    visitIp: '203.0.0.0',
    actionDetails: [
      { type: 'action', url: 'https://a.test/x', pageTitle: 'X', timestamp: 1767261600, timeSpent: 20 },
      {
        type: 'event',
        url: 'https://a.test/x',
        eventCategory: 'Video',
        eventAction: 'Play',
        eventName: 'Intro',
        eventValue: 3,
        timestamp: 1767261620,
      },
      { type: 'goal', goalName: 'g', timestamp: 1767261620 },
      { type: 'ecommerceOrder', revenue: 49, timestamp: 1767261660, itemDetails: [{ itemSKU: 'a' }] },
    ],
  },
]);

test('a visit of Matomo becomes its actions', async () => {
  const { format, events, report } = await imported('matomo.json', MATOMO);
  expect(format).toBe('matomo');
  expect(inShort(events)).toEqual([
    ['$identify', 'u_17', '2026-01-01T10:00:00.000Z'],
    ['$pageview', 'u_17', '2026-01-01T10:00:00.000Z'],
    ['Play', 'u_17', '2026-01-01T10:00:20.000Z'],
    ['order_completed', 'u_17', '2026-01-01T10:01:00.000Z'],
  ]);
  expect(events[1]!.properties).toMatchObject({
    $referrer: 'https://ref.test/',
    $device_type: 'Mobile',
    $browser_version: '17.4.1',
    $geoip_country_code: 'DE',
  });
  expect(report).toMatchObject({ rows: 1, events: 4, left_out: [{ reason: 'Action "goal"', count: 1 }] });
});

const ga4Row = (name: string, micros: string, params: object[], more: object = {}): object => ({
  event_date: '20260101',
  event_timestamp: micros,
  event_name: name,
  event_params: params,
  user_pseudo_id: '1234567.1767000000',
  stream_id: '55',
  device: {
    category: 'mobile',
    operating_system: 'Android',
    web_info: { browser: 'Chrome', browser_version: '126.0', hostname: 'a.test' },
  },
  geo: { country: 'Germany', city: '(not set)' },
  ...more,
});
const param = (key: string, value: object): object => ({ key, value });
const GA4 = lines(
  ga4Row('session_start', '1767261600000000', []),
  ga4Row('page_view', '1767261600123456', [
    param('page_location', { string_value: 'https://a.test/x' }),
    param('ga_session_id', { int_value: '1767261590' }),
    param('engaged', { int_value: '1' }),
  ]),
  ga4Row(
    'purchase',
    '1767261660000000',
    [param('ga_session_id', { int_value: '1767261590' }), param('value', { double_value: 49.5 })],
    { user_id: 'u_17', items: [{ item_id: 'a', price: 49.5 }], ecommerce: { transaction_id: 't1' } },
  ),
  ga4Row('page_view', '1767261600000000', [], { user_pseudo_id: null }),
);

test('rows of the BigQuery export of Google Analytics keep microseconds, items and sessions', async () => {
  const { format, events, report } = await imported('ga4.jsonl', GA4);
  expect(format).toBe('ga4');
  const client = '1234567.1767000000';
  expect(inShort(events)).toEqual([
    ['$pageview', client, '2026-01-01T10:00:00.123456Z'],
    ['$identify', 'u_17', '2026-01-01T10:01:00.000Z'],
    ['purchase', 'u_17', '2026-01-01T10:01:00.000Z'],
  ]);
  expect(events[0]!.properties).toMatchObject({
    engaged: 1,
    $host: 'a.test',
    $device_type: 'Mobile',
    $os: 'Android',
  });
  expect(events[0]!.properties['$geoip_city_name']).toBeUndefined();
  expect(events[2]!.properties).toMatchObject({
    value: 49.5,
    items: [{ item_id: 'a', price: 49.5 }],
    transaction_id: 't1',
    $session_id: events[0]!.properties['$session_id'],
  });
  expect(report).toMatchObject({
    rows: 4,
    rejected: 1,
    left_out: [{ reason: 'Automatic event "session_start"' }],
  });
});

const AGENT =
  '"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"';
const LOG = `203.0.113.7 - anna [02/Mar/2026:08:15:30 +0100] "GET /a?utm_source=b HTTP/1.1" 200 512 "https://ref.test/\\"q" ${AGENT}
203.0.113.7 - - [02/Mar/2026:08:15:31 +0100] "GET /style.css HTTP/1.1" 200 99 "-" ${AGENT}
203.0.113.7 - - [02/Mar/2026:08:15:40 +0100] "GET /files/book.pdf HTTP/1.1" 200 9999 "-" ${AGENT}
203.0.113.7 - - [02/Mar/2026:09:15:40 +0100] "GET /b HTTP/1.1" 304 - "-" ${AGENT}
2001:db8::1 - - [02/Mar/2026:08:16:00 +0100] "GET / HTTP/1.1" 301 0 "-" "curl/8.0"
2001:db8::1 - - [02/Mar/2026:08:16:00 +0100] "GET / HTTP/1.1" 200 10 "-" "curl/8.0"
2001:db8::1 - - [02/Mar/2026:08:16:01 +0100] "\\x16\\x03\\x01" 400 0 "-" "-"
example.org:443 203.0.113.8 - - [02/Mar/2026:08:17:00 +0100] "GET /v HTTP/1.1" 200 10 "-" ${AGENT}
broken
`;

test('lines of an access log become page views and downloads of readers of a day', async () => {
  const { format, events, report, rejected } = await imported('access.log.gz', gzipSync(LOG), {
    host: 'a.test',
  });
  expect(format).toBe('access_log');
  expect(events.map(({ event, timestamp }) => [event, timestamp])).toEqual([
    ['$pageview', '2026-03-02T07:15:30.000Z'],
    ['download', '2026-03-02T07:15:40.000Z'],
    ['$pageview', '2026-03-02T08:15:40.000Z'],
    ['$pageview', '2026-03-02T07:17:00.000Z'],
  ]);
  expect(events[0]!.properties).toMatchObject({
    $current_url: 'https://a.test/a?utm_source=b',
    $referrer: 'https://ref.test/"q',
    utm_source: 'b',
    $browser: 'Chrome',
    $process_person_profile: false,
    $ip: '203.0.113.7',
  });
  expect(events[3]!.properties['$host']).toBe('example.org');
  const session = (at: number) => events[at]!.properties['$session_id'] as string;
  expect([session(0) === session(1), session(1) === session(2)]).toEqual([true, false]);
  expect(report.distinct_ids).toBe(2);
  expect(report.left_out.map(({ reason }) => reason).toSorted()).toEqual([
    'File that is no page',
    'Redirect',
    'Robot',
  ]);
  expect(rejected.split('\n')).toEqual([expect.stringContaining('\\x16'), 'broken', '']);
  expect((await imported('access.log', LOG, { bots: true })).events).toHaveLength(5);
});

test('persons of a PostHog export are one person with all of their distinct IDs', async () => {
  const row = (distinctId: string, more: object = {}): object => ({
    team_id: 1,
    distinct_id: distinctId,
    person_id: '0198c0de-0000-7000-8000-0000000000aa',
    properties: { plan: 'pro' },
    person_version: 2,
    created_at: '2026-01-01T00:00:00+00:00',
    is_deleted: false,
    ...more,
  });
  const { format, events, report } = await imported(
    'persons.jsonl',
    lines(row('a'), row('b'), row('c', { is_deleted: true })),
  );
  expect(format).toBe('posthog_persons');
  expect(events).toMatchObject([
    { event: '$set', distinct_id: 'a', properties: { $set: { plan: 'pro' } } },
    { event: '$merge_dangerously', distinct_id: 'a', properties: { alias: 'b' } },
  ]);
  expect(report.left_out).toEqual([{ reason: 'Deleted person', count: 1, row: 3 }]);
});

test('a table from the PostHog app has its shown properties', async () => {
  const table = `uuid,event,distinct_id,timestamp,properties.$browser,person
0198c0de-0000-7000-8000-000000000001,'=calc,u1,2024-08-17 05:19:58.284000+00:00,Firefox,x
`;
  const { format, events } = await imported('events.csv', table);
  expect(format).toBe('posthog');
  expect(events).toEqual([
    {
      event: '=calc',
      distinct_id: 'u1',
      timestamp: '2024-08-17T05:19:58.284Z',
      uuid: '0198c0de-0000-7000-8000-000000000001',
      properties: { $browser: 'Firefox' },
    },
  ]);
});

test.each([
  [
    'the only column with dates is the time',
    'ordered,customer,event,total\n2026-02-01 09:00,u1,paid,9.5\n',
    1,
  ],
  [
    'two columns with dates are left to choose from',
    'ordered,paid,customer,event\n2026-02-01,2026-02-03,u1,paid\n',
    0,
  ],
])('of a table of unknown names, %s', async (_what, table, count) => {
  const { events } = await imported('orders.csv', table);
  expect(events).toHaveLength(count);
});

test('reasons beyond a hundred are counted together', async () => {
  const log = Array.from(
    { length: 150 },
    (_, n) => `10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /a HTTP/1.1" ${400 + n} 1 "-" "x"`,
  );
  const { report } = await imported('a.log', `${log.join('\n')}\n`);
  const counts = report.left_out.map(({ count }) => count);
  expect([counts.length, counts.reduce((sum, count) => sum + count, 0)]).toEqual([101, 150]);
  expect(report.left_out[0]).toEqual({ reason: 'Other reasons', count: 50, row: 101 });
});

test('rows without an ID beyond those that are compared become events all the same, with UUIDs that follow from their place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-formats-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  const rows = ['a', 'a', 'b', 'c', 'd', 'd', 'a', 'b'].map((who) => `2026-01-02 10:00,${who},seen\n`);
  await writeFile(path, `time,user,event\n${rows.join('')}`);
  const { settings } = await previewImport({ path, name: 'a.csv' }, {});
  const order = { path, name: 'a.csv', settings, token: 'phc_test', storedRows: 0 };
  async function read(maxIds: number) {
    const uuids: string[] = [];
    let report;
    for await (const piece of readImport(order, maxIds)) {
      uuids.push(...piece.uuids);
      report = piece.report;
    }
    return { uuids, report: report! };
  }
  const all = await read(8);
  expect([all.report.distinct_ids, all.report.events_by_place, new Set(all.uuids).size]).toEqual([4, 0, 8]);
  const few = await read(2);
  expect([few.report.distinct_ids, few.report.events_by_place, new Set(few.uuids).size]).toEqual([2, 3, 8]);
  expect(few.uuids.map((uuid, at) => uuid === all.uuids[at])).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(await read(2)).toEqual(few);
});
