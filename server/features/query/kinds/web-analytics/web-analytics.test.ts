import { describe, expect, test } from 'vitest';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

/** An event of a visit, so many seconds after ten o'clock of a day in November. */
function seen(
  visit: string,
  { who = 'ana', day = 18, at = 0, event = '$pageview', ...properties }: Record<string, unknown> = {},
): SentEvent {
  return {
    event: String(event),
    distinct_id: String(who),
    timestamp: new Date(Date.UTC(2026, 10, Number(day), 10, 0, Number(at))).toISOString(),
    properties: { $session_id: visit, ...properties },
  };
}

const WEEK = { dateRange: { date_from: '2026-11-16', date_to: '2026-11-19' } };

async function ask(app: TestApp, query: object) {
  const body = { query: { ...WEEK, properties: [], ...query } };
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body });
  expect(answer.json).not.toHaveProperty('detail');
  return answer.json;
}

/** The numbers of the overview by their names. */
async function overview(app: TestApp, query: object = {}): Promise<Record<string, number | null>> {
  const { results } = await ask(app, { kind: 'WebOverviewQuery', ...query });
  return Object.fromEntries(
    results.map((item: { key: string; value: number | null }) => [item.key, item.value]),
  );
}

/** The rows of a table: the value, then each number with the one before. */
async function table(app: TestApp, breakdownBy: string, query: object = {}): Promise<unknown[][]> {
  const { results, columns } = await ask(app, { kind: 'WebStatsTableQuery', breakdownBy, ...query });
  for (const row of results) expect(row).toHaveLength(columns.length);
  return results.map((row: unknown[]) => row.slice(0, -2));
}

describe('M9.9.3/WebOverviewQuery the overview', () => {
  test('counts visitors, views, sessions, their average length, and how many bounced', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      // One page for three seconds: a bounce.
      seen('s1'),
      seen('s1', { at: 3, event: 'click' }),
      // Two pages.
      seen('s2', { who: 'ben' }),
      seen('s2', { who: 'ben', at: 60 }),
      // One page for long.
      seen('s3', { who: 'ben', day: 19 }),
      seen('s3', { who: 'ben', day: 19, at: 12, event: 'read' }),
      // Clicked.
      seen('s4', { who: 'cem' }),
      seen('s4', { who: 'cem', at: 1, event: '$autocapture' }),
    ]);
    const { results, dateFrom, dateTo } = await ask(app, { kind: 'WebOverviewQuery' });
    const item = (key: string, kind: string, value: number, isIncreaseBad: true | null = null) => ({
      key,
      kind,
      isIncreaseBad,
      value,
      previous: null,
      changeFromPreviousPct: null,
    });
    expect(results).toEqual([
      item('visitors', 'unit', 3),
      item('views', 'unit', 5),
      item('sessions', 'unit', 4),
      item('session duration', 'duration_s', 19),
      item('bounce rate', 'percentage', 25, true),
    ]);
    expect([dateFrom, dateTo]).toEqual(['2026-11-16 00:00:00', '2026-11-19 23:59:59']);
  });

  test('leaves out events without a session, and other events than pages and screens', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen(''),
      seen('s1', { event: 'signed up' }),
      seen('s2', { who: 'ben', event: '$screen', $screen_name: 'Home' }),
    ]);
    expect(await overview(app)).toMatchObject({ visitors: 1, views: 1, sessions: 1 });
  });

  test('has zeros and no averages where nothing happened', async () => {
    const app = await openTestApp();
    expect(await overview(app)).toEqual({
      visitors: 0,
      views: 0,
      sessions: 0,
      'session duration': null,
      'bounce rate': null,
    });
  });

  test('counts a session in the period in which it began, and a visitor who signs in meanwhile once', async () => {
    const app = await openTestApp();
    const night = (visit: string, who: string, minutes: number): SentEvent => ({
      ...seen(visit, { who }),
      timestamp: new Date(Date.UTC(2026, 10, 15, 23, 50 + minutes)).toISOString(),
    });
    await sendEvents(app, [
      night('s1', 'ana', 0),
      night('s1', 'ana', 20),
      night('s2', 'ben', 15),
      night('s2', 'ben2', 16),
    ]);
    expect(await overview(app)).toMatchObject({ visitors: 1, views: 2, sessions: 1 });
  });

  test('compares with the period before', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1'),
      seen('s2', { who: 'ben', day: 19 }),
      seen('s3', { who: 'cem', day: 13 }),
      seen('s4', { who: 'cem', day: 14 }),
      seen('s5', { who: 'cem', day: 11 }),
    ]);
    const { results } = await ask(app, { kind: 'WebOverviewQuery', compareFilter: { compare: true } });
    expect(
      results.map(({ value, previous, changeFromPreviousPct }: Record<string, unknown>) => [
        value,
        previous,
        changeFromPreviousPct,
      ]),
    ).toEqual([
      [2, 1, 100],
      [2, 2, 0],
      [2, 2, 0],
      [0, 0, null],
      [100, 100, 0],
    ]);
  });

  test('takes filters by event, person and session', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1', { $pathname: '/a', $current_url: 'https://x.test/a' }),
      seen('s1', { at: 1, $pathname: '/b', $current_url: 'https://x.test/b' }),
      seen('s2', { who: 'ben', $pathname: '/b', $current_url: 'https://x.test/b', $set: { plan: 'pro' } }),
    ]);
    const only = (type: string, key: string, value: string) => ({
      properties: [{ type, key, value, operator: 'exact' }],
    });
    expect(await overview(app, only('event', '$pathname', '/b'))).toMatchObject({ visitors: 2, views: 2 });
    expect(await overview(app, only('person', 'plan', 'pro'))).toMatchObject({ visitors: 1, views: 1 });
    expect(await overview(app, only('session', '$entry_pathname', '/a'))).toMatchObject({
      visitors: 1,
      views: 2,
    });
  });

  test('counts who reached a goal, an event or an action', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1'),
      seen('s1', { at: 1, event: 'paid', plan: 'pro' }),
      seen('s1', { at: 2, event: 'paid', plan: 'free' }),
      seen('s2', { who: 'ben' }),
      seen('s3', { who: 'cem', event: 'paid' }),
      seen('s4', { who: 'dan' }),
    ]);
    const action = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: { name: 'Pays', steps: [{ event: 'paid' }] },
    });
    const paid = { visitors: 4, 'total conversions': 3, 'unique conversions': 2, 'conversion rate': 50 };
    expect(await overview(app, { conversionGoal: { customEventName: 'paid' } })).toEqual(paid);
    expect(await overview(app, { conversionGoal: { actionId: action.json.id } })).toEqual(paid);
    const pro = { properties: [{ key: 'plan', value: 'pro', type: 'event', operator: 'exact' }] };
    expect(await overview(app, { conversionGoal: { customEventName: 'paid', ...pro } })).toMatchObject({
      'unique conversions': 1,
    });
    const none = { kind: 'WebOverviewQuery', ...WEEK, properties: [], conversionGoal: { actionId: 77 } };
    const refused = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query: none } });
    expect([refused.status, refused.json.detail]).toEqual([400, 'Action 77 does not exist in this project.']);
  });
});

describe('M9.9.3/WebStatsTableQuery a table', () => {
  test('has visitors and views of pages, with the share of each, most visitors first', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1', { $pathname: '/a' }),
      seen('s1', { at: 1, $pathname: '/b' }),
      seen('s2', { who: 'ben', $pathname: '/b' }),
      seen('s2', { who: 'ben', at: 1, $pathname: '/b' }),
      seen('s3', { who: 'cem', event: '$screen' }),
    ]);
    const found = await ask(app, { kind: 'WebStatsTableQuery', breakdownBy: 'Page' });
    expect(found).toMatchObject({
      columns: [
        'context.columns.breakdown_value',
        'context.columns.visitors',
        'context.columns.views',
        'context.columns.ui_fill_fraction',
        'context.columns.cross_sell',
      ],
      results: [
        ['/b', [2, null], [3, null], 2 / 3, ''],
        ['/a', [1, null], [1, null], 1 / 3, ''],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
    });
  });

  test('is sorted by any of its columns, and read page by page', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      ...[0, 1, 2].map((at) => seen('s1', { at, $pathname: '/a' })),
      seen('s2', { who: 'ben', $pathname: '/b' }),
      seen('s3', { who: 'cem', $pathname: '/b' }),
      seen('s4', { who: 'dan', $pathname: '/c' }),
    ]);
    const paths = async (query: object) => (await table(app, 'Page', query)).map(([path]) => path);
    expect(await paths({})).toEqual(['/b', '/a', '/c']);
    expect(await paths({ orderBy: ['Views', 'DESC'] })).toEqual(['/a', '/b', '/c']);
    expect(await paths({ orderBy: ['Views', 'ASC'] })).toEqual(['/c', '/b', '/a']);
    expect(await paths({ limit: 1, offset: 1 })).toEqual(['/a']);
    expect(await ask(app, { kind: 'WebStatsTableQuery', breakdownBy: 'Page', limit: 2 })).toMatchObject({
      hasMore: true,
    });
  });

  test('compares each row with the period before', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1', { $pathname: '/a' }),
      seen('s2', { day: 13, $pathname: '/a' }),
      seen('s3', { day: 13, who: 'ben', $pathname: '/old' }),
    ]);
    expect(await table(app, 'Page', { compareFilter: { compare: true } })).toEqual([
      ['/a', [1, 1], [1, 1]],
      ['/old', [0, 1], [0, 1]],
    ]);
  });

  test('has the bounce rate of those who entered by a page, also of pages that the query leaves out', async () => {
    const app = await openTestApp();
    const page = (path: string) => ({ $pathname: path, $current_url: `https://x.test${path}` });
    await sendEvents(app, [
      seen('s1', page('/a')),
      seen('s2', { who: 'ben', ...page('/a') }),
      seen('s2', { who: 'ben', at: 1, ...page('/b') }),
      seen('s3', { who: 'cem', ...page('/b') }),
    ]);
    const bounce = { includeBounceRate: true };
    expect(await table(app, 'Page', bounce)).toEqual([
      ['/a', [2, null], [2, null], [0.5, null]],
      ['/b', [2, null], [2, null], [1, null]],
    ]);
    const onlyB = { properties: [{ key: '$pathname', value: '/b', type: 'event', operator: 'exact' }] };
    expect(await table(app, 'Page', { ...bounce, ...onlyB })).toEqual([
      ['/b', [2, null], [2, null], [1, null]],
    ]);
    expect(await table(app, 'InitialPage', bounce)).toEqual([
      ['/a', [2, null], [3, null], [0.5, null]],
      ['/b', [1, null], [1, null], [1, null]],
    ]);
  });

  test('has the time on a page and how far it was scrolled, by what the next event says', async () => {
    const app = await openTestApp();
    const left = (seconds: number, share: number) => ({
      event: '$pageleave',
      $pathname: '/a',
      $prev_pageview_pathname: '/a',
      $prev_pageview_duration: seconds,
      $prev_pageview_max_content_percentage: share,
    });
    await sendEvents(app, [
      seen('s1', { $pathname: '/a', $current_url: 'https://x.test/a' }),
      ...[10, 20, 30].map((seconds) => seen('s1', { at: seconds, ...left(seconds, seconds / 30) })),
    ]);
    expect(await table(app, 'Page', { includeAvgTimeOnPage: true })).toEqual([
      ['/a', [1, null], [1, null], [28, null], [0, null]],
    ]);
    const [[, , , , scrolled, far]] = (await table(app, 'Page', { includeScrollDepth: true })) as [
      [unknown, unknown, unknown, unknown, [number], [number]],
    ];
    expect([scrolled[0], far[0]]).toEqual([expect.closeTo(2 / 3), expect.closeTo(1 / 3)]);
  });

  test('has the time on the filtered page alone, also when the next page says it', async () => {
    const app = await openTestApp();
    const next = { $pathname: '/b', $prev_pageview_pathname: '/a', $prev_pageview_duration: 40 };
    await sendEvents(app, [
      seen('s1', { $pathname: '/a', $current_url: 'https://x.test/a' }),
      seen('s1', { at: 40, $current_url: 'https://x.test/b', ...next }),
    ]);
    const onlyA = { key: '$pathname', value: '/a', type: 'event', operator: 'exact' };
    const expected = [['/a', [1, null], [1, null], [40, null], [0, null]]];
    const time = { includeAvgTimeOnPage: true };
    expect(await table(app, 'Page', { ...time, properties: [onlyA] })).toEqual(expected);
    const group = { type: 'AND', values: [{ type: 'OR', values: [onlyA] }] };
    expect(await table(app, 'Page', { ...time, properties: group })).toEqual(expected);
    const settings = { test_account_filters: [onlyA] };
    expect((await app.ask('/api/projects/1/', { method: 'PATCH', body: settings })).status).toBe(200);
    expect(await table(app, 'Page', { ...time, filterTestAccounts: true })).toEqual(expected);
  });

  test('cleans paths by the rules of the project, with the host when it is requested', async () => {
    const app = await openTestApp();
    const rules = { path_cleaning_filters: [{ regex: '/\\d+', alias: '/:id' }] };
    expect((await app.ask('/api/projects/1/', { method: 'PATCH', body: rules })).status).toBe(200);
    await sendEvents(app, [
      seen('s1', { $pathname: '/user/1', $host: 'x.test' }),
      seen('s2', { who: 'ben', $pathname: '/user/22', $host: 'x.test' }),
    ]);
    expect(await table(app, 'Page', { doPathCleaning: true })).toEqual([['/user/:id', [2, null], [2, null]]]);
    expect((await table(app, 'Page')).map(([path]) => path)).toEqual(['/user/1', '/user/22']);
    expect(await table(app, 'Page', { doPathCleaning: true, includeHost: true })).toEqual([
      ['x.test/user/:id', [2, null], [2, null]],
    ]);
  });

  test.each<[string, object, unknown]>([
    ['InitialPage', { $pathname: '/a' }, '/a'],
    ['ExitPage', { $pathname: '/a' }, '/a'],
    ['ScreenName', { $screen_name: 'Home' }, 'Home'],
    ['InitialReferringDomain', { $referring_domain: 'news.test' }, 'news.test'],
    ['InitialReferringDomain', {}, null],
    ['InitialReferringURL', { $session_entry_referrer: 'https://news.test/a?b#c' }, 'https://news.test/a'],
    ['InitialUTMSource', { utm_source: 'mail' }, 'mail'],
    ['InitialUTMSource', {}, null],
    ['InitialUTMMedium', { utm_medium: 'cpc' }, 'cpc'],
    ['InitialUTMCampaign', { utm_campaign: 'spring' }, 'spring'],
    ['InitialUTMTerm', { utm_term: 'shoes' }, 'shoes'],
    ['InitialUTMContent', { utm_content: 'blue' }, 'blue'],
    [
      'InitialUTMSourceMediumCampaign',
      { utm_source: 'mail', utm_campaign: 'spring' },
      'mail / (none) / spring',
    ],
    [
      'InitialUTMSourceMediumCampaign',
      { $referring_domain: 'news.test' },
      'referrer:news.test / (none) / (none)',
    ],
    ['InitialUTMSourceMediumCampaign', {}, '(none) / (none) / (none)'],
    ['InitialChannelType', { $referring_domain: '$direct' }, 'Direct'],
    ['PreviousPage', { $prev_pageview_pathname: '/before' }, '/before'],
    ['PreviousPage', { $current_url: 'https://x.test/b', $referrer: 'https://x.test/a' }, '/a'],
    ['PreviousPage', { $current_url: 'https://x.test/b', $referrer: 'https://y.test/a' }, 'https://y.test/a'],
    ['Browser', { $browser: 'Firefox' }, 'Firefox'],
    ['OS', {}, null],
    ['DeviceType', { $device_type: 'Mobile' }, 'Mobile'],
    ['Viewport', { $viewport_width: 390, $viewport_height: 844 }, [390, 844]],
    ['Country', { $geoip_country_code: 'NO' }, 'NO'],
    [
      'Region',
      { $geoip_country_code: 'NO', $geoip_subdivision_1_code: '03', $geoip_subdivision_1_name: 'Oslo' },
      ['NO', '03', 'Oslo'],
    ],
    ['City', { $geoip_country_code: 'NO', $geoip_city_name: 'Oslo' }, ['NO', 'Oslo']],
    ['Timezone', { $timezone_offset: -330 }, 5.5],
    ['Language', { $browser_language: 'nb-NO' }, 'nb-NO'],
  ])('groups by %s of %o', async (breakdownBy, properties, value) => {
    const app = await openTestApp();
    await sendEvents(app, [seen('s1', { $current_url: 'https://x.test/a', ...properties })]);
    expect(await table(app, breakdownBy)).toEqual([[value, [1, null], [1, null]]]);
  });

  test.each([
    ['Page', {}],
    ['ScreenName', {}],
    ['PreviousPage', {}],
    ['Viewport', { $viewport_width: 0, $viewport_height: 844 }],
    ['Region', { $geoip_city_name: 'Oslo' }],
    ['City', {}],
  ])('leaves out what has no %s', async (breakdownBy, properties) => {
    const app = await openTestApp();
    await sendEvents(app, [seen('s1', properties)]);
    expect(await table(app, breakdownBy)).toEqual([]);
  });

  test('shows a language with the region that most of its sessions have', async () => {
    const app = await openTestApp();
    const speaks = (visit: string, language: string) =>
      seen(visit, { who: visit, $browser_language: language });
    await sendEvents(app, [
      speaks('s1', 'en-GB'),
      speaks('s2', 'en-US'),
      speaks('s3', 'en-US'),
      speaks('s4', 'nb-NO'),
    ]);
    expect((await table(app, 'Language')).map(([language]) => language)).toEqual(['en-US', 'nb-NO']);
  });

  test('counts clicks in anger, clicks without effect and errors of pages that have any', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1', { $pathname: '/a', event: '$rageclick' }),
      seen('s1', { $pathname: '/a', at: 1, event: '$exception' }),
      seen('s1', { $pathname: '/b', at: 2, event: '$dead_click' }),
      seen('s1', { $pathname: '/calm', at: 3 }),
    ]);
    expect(await table(app, 'FrustrationMetrics')).toEqual([
      ['/a', [1, null], [0, null], [1, null]],
      ['/b', [0, null], [1, null], [0, null]],
    ]);
  });

  test('has conversions and their rate when there is a goal', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      seen('s1', { $browser: 'Firefox' }),
      seen('s1', { $browser: 'Firefox', at: 1, event: 'paid' }),
      seen('s2', { who: 'ben', $browser: 'Firefox' }),
      seen('s3', { who: 'cem', $browser: 'Chrome' }),
    ]);
    expect(await table(app, 'Browser', { conversionGoal: { customEventName: 'paid' } })).toEqual([
      ['Firefox', [2, null], [1, null], [1, null], [0.5, null]],
      ['Chrome', [1, null], [0, null], [0, null], [0, null]],
    ]);
  });
});

test('M9.9.3/WebGoalsQuery counts who did what actions mean, pinned ones first, of all visitors', async () => {
  const app = await openTestApp();
  const create = (body: object) => app.ask('/api/projects/1/actions/', { method: 'POST', body });
  expect((await ask(app, { kind: 'WebGoalsQuery' })).results).toEqual([]);
  await create({ name: 'Reads', steps: [{ event: 'read' }] });
  await create({ name: 'Pays', steps: [{ event: 'paid' }], pinned_at: '2026-11-01T00:00:00Z' });
  await sendEvents(app, [
    seen('s1'),
    seen('s1', { at: 1, event: 'paid' }),
    seen('s1', { at: 2, event: 'paid' }),
    seen('s2', { who: 'ben', event: 'read' }),
    seen('s3', { who: 'cem' }),
    seen('s4', { who: 'dan', event: 'other' }),
    seen('s5', { who: 'eve', day: 13, event: 'paid' }),
  ]);
  const { results, columns } = await ask(app, { kind: 'WebGoalsQuery', compareFilter: { compare: true } });
  expect(columns).toContain('context.columns.converting_users');
  expect(results).toEqual([
    ['Pays', [1, 1], [2, 1], [1 / 3, 1]],
    ['Reads', [1, 0], [1, 0], [1 / 3, 0]],
  ]);
  const sorted = await ask(app, { kind: 'WebGoalsQuery', orderBy: ['TotalConversions', 'ASC'] });
  expect(sorted.results.map(([name]: [string]) => name)).toEqual(['Reads', 'Pays']);
});

test('M9.9.3/WebExternalClicksTableQuery counts clicks that led to other sites', async () => {
  const app = await openTestApp();
  const clicked = (visit: string, who: string, url: string) =>
    seen(visit, {
      who,
      event: '$autocapture',
      $event_type: 'click',
      $host: 'app.x.test',
      $external_click_url: url,
    });
  await sendEvents(app, [
    clicked('s1', 'ana', 'https://y.test/?a=1'),
    clicked('s1', 'ana', 'https://y.test/?a=2'),
    clicked('s2', 'ben', 'https://z.test/'),
    clicked('s2', 'ben', 'https://docs.x.test/'),
  ]);
  const rows = async (query: object = {}) =>
    (await ask(app, { kind: 'WebExternalClicksTableQuery', ...query })).results;
  expect(await rows({ stripQueryParams: true })).toEqual([
    ['https://y.test/', [1, null], [2, null]],
    ['https://z.test/', [1, null], [1, null]],
  ]);
  expect(await rows()).toHaveLength(3);
});

test('M9.9.3/WebPageURLSearchQuery finds addresses of pages', async () => {
  const app = await openTestApp();
  const at = (url: string, day = 18) => seen('s1', { day, $current_url: url });
  await sendEvents(app, [
    at('https://x.test/Docs?a'),
    at('https://x.test/docs'),
    at('https://x.test/b'),
    at('https://x.test/docs/old', 2),
  ]);
  const found = async (query: object) =>
    (await ask(app, { kind: 'WebPageURLSearchQuery', ...query })).results;
  expect(await found({ searchTerm: 'docs' })).toEqual([
    { url: 'https://x.test/Docs?a' },
    { url: 'https://x.test/docs' },
  ]);
  expect(await found({ searchTerm: 'docs', stripQueryParams: true, limit: 1 })).toEqual([
    { url: 'https://x.test/Docs' },
  ]);
  expect(await found({})).toHaveLength(3);
});

test('M9.9.3/WebVitalsPathBreakdownQuery sorts paths into three bands', async () => {
  const app = await openTestApp();
  const measured = (path: string, value: number) =>
    seen('s1', { event: '$web_vitals', $pathname: path, $web_vitals_LCP_value: value });
  await sendEvents(app, [
    measured('/fast', 900),
    measured('/mid', 3_000),
    measured('/slow', 5_000),
    measured('/edge', 2_500),
  ]);
  const { results } = await ask(app, {
    kind: 'WebVitalsPathBreakdownQuery',
    metric: 'LCP',
    percentile: 'p75',
    thresholds: [2_500, 4_000],
  });
  expect(results).toEqual([
    {
      good: [
        { path: '/fast', value: 900 },
        { path: '/edge', value: 2_500 },
      ],
      needs_improvements: [{ path: '/mid', value: 3_000 }],
      poor: [{ path: '/slow', value: 5_000 }],
    },
  ]);
});

test('M9.9.3/WebVitalsQuery has the measurements over time', async () => {
  const app = await openTestApp();
  const measured = (at: number, value: number) =>
    seen('s1', { at, event: '$web_vitals', $web_vitals_LCP_value: value });
  await sendEvents(app, [measured(0, 900), measured(1, 3_000), measured(2, 5_000), measured(3, 2_500)]);
  const series = {
    kind: 'EventsNode',
    event: '$web_vitals',
    math: 'p75',
    math_property: '$web_vitals_LCP_value',
  };
  const source = { kind: 'TrendsQuery', ...WEEK, series: [{ ...series, custom_name: 'LCP' }] };
  const vitals = await ask(app, { kind: 'WebVitalsQuery', source });
  expect(vitals.results[0]).toMatchObject({
    data: [0, 0, 3_500, 0],
    action: { custom_name: 'LCP', math: 'p75' },
  });
});
