import { describe, expect, test, vi } from 'vitest';
import { send } from '../../../test/support/app-events.ts';
import { insightAt, patchInsight, storeInsight } from '../../../test/support/insights.ts';
import { addMember, removeMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const ALERTS = '/api/projects/1/alerts/';
const at = (id: string, action = '') => `${ALERTS}${id}/${action}`;
/** The app's clock shows Friday, 2026-11-20 09:30 UTC. */
const YESTERDAY = '2026-11-19T12:00:00Z';
const BEFORE = '2026-11-18T12:00:00Z';
const TODAY = '2026-11-20T08:00:00Z';
const DAY_MS = 86_400_000;

const trend = (more: object = {}) => ({
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup', name: 'signup' }], ...more },
});
const sql = (query: string) => ({ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query } });
const threshold = (bounds: object, type = 'absolute') => ({ configuration: { type, bounds } });
const body = (insight: number, more: object = {}) => ({
  insight,
  name: 'Few signups',
  subscribed_users: [],
  condition: { type: 'absolute_value' },
  threshold: threshold({ lower: 3 }),
  config: { type: 'TrendsAlertConfig', series_index: 0 },
  ...more,
});

async function signups(app: TestApp, counts: Record<string, number>, properties: object = {}) {
  for (const [timestamp, count] of Object.entries(counts).filter(([, count]) => count > 0))
    await send(
      app,
      Array.from({ length: count }, () => ({ event: 'signup', timestamp, properties })),
    );
}

async function create(app: TestApp, sent: object): Promise<string> {
  const answer = await app.ask(ALERTS, { method: 'POST', body: sent });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.id;
}

/** Checks what is due and reads the alert. */
async function checked(app: TestApp, id: string, search = '') {
  await app.app.features.alertChecks.runDue();
  const answer = await app.ask(`${at(id)}${search}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const refuse = (app: TestApp, sent: object) => app.ask(ALERTS, { method: 'POST', body: sent });

describe('M9.13 an alert', () => {
  test('is created with the fields of PostHog, and shown with its insight', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { name: 'Signups', query: trend() });
    const answer = await app.ask(ALERTS, { method: 'POST', body: body(insight, { subscribed_users: [1] }) });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({
      insight: { id: insight, name: 'Signups' },
      name: 'Few signups',
      subscribed_users: [{ id: 1 }],
      threshold: { name: '', configuration: { type: 'absolute', bounds: { lower: 3, upper: null } } },
      condition: { type: 'absolute_value' },
      config: { type: 'TrendsAlertConfig', series_index: 0 },
      detector_config: null,
      calculation_interval: 'daily',
      enabled: true,
      skip_weekend: false,
      schedule_restriction: null,
      snoozed_until: null,
      state: 'Not firing',
      created_by: { id: 1 },
      last_notified_at: null,
      last_checked_at: null,
      next_check_at: null,
      last_value: null,
      checks: [],
      webhook_url: null,
    });
    expect((await app.ask(ALERTS)).json).toMatchObject({ count: 1, results: [{ id: answer.json.id }] });
  });

  test('is listed by insight, creator, state and words, and deleted with its history', async () => {
    const app = await openTestApp();
    const [one, two] = [
      await storeInsight(app, { name: 'Signups', query: trend() }),
      await storeInsight(app, { name: 'Revenue', query: trend() }),
    ];
    const first = await create(app, body(one));
    await create(app, body(two, { name: 'Low' }));
    const count = async (search: string) => (await app.ask(`${ALERTS}?${search}`)).json.count;
    expect(await count(`insight_id=${one}`)).toBe(1);
    expect(await count('search=REVEN')).toBe(1);
    expect(await count('search=few')).toBe(1);
    expect(await count('created_by=2')).toBe(0);
    await checked(app, first);
    expect(await count('state=Firing')).toBe(2);
    expect((await app.ask(ALERTS)).json.results[0]).toMatchObject({
      checks: [{ state: 'Firing' }],
      checks_total: 1,
    });
    expect((await app.ask(at(first), { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(at(first))).status).toBe(404);
    expect(await app.store.db.all('SELECT count(*) AS n FROM alert_checks')).toEqual([{ n: 1 }]);
    const log = (await app.ask(`/api/projects/1/activity_log/?scope=AlertConfiguration&item_id=${first}`))
      .json;
    expect(log.results.map((entry: { activity: string }) => entry.activity)).toEqual(['deleted', 'created']);
  });

  test.each<[string, object, string]>([
    ['a percentage of a value', { threshold: threshold({ upper: 0.2 }, 'percentage') }, 'threshold'],
    ['no bound', { threshold: threshold({}) }, 'threshold'],
    ['a lower bound above the upper', { threshold: threshold({ lower: 2, upper: 1 }) }, 'threshold'],
    ['a series that is not there', { config: { type: 'TrendsAlertConfig', series_index: 1 } }, 'config'],
    [
      'an ongoing interval without an upper bound',
      { config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: true } },
      'config',
    ],
    ['a config of another kind', { config: { type: 'HogQLAlertConfig', evaluation: 'last_row' } }, 'config'],
    ['a detector', { detector_config: { type: 'zscore' } }, 'detector_config'],
    ['a user who is no member', { subscribed_users: [99] }, 'subscribed_users'],
    ['an insight of nowhere', { insight: 99 }, 'insight'],
    ['a moment as the end of a snooze', { snoozed_until: '2026-12-01T00:00:00Z' }, 'snoozed_until'],
    [
      'windows that block the day',
      {
        schedule_restriction: {
          blocked_windows: [
            { start: '00:00', end: '13:00' },
            { start: '12:00', end: '00:00' },
          ],
        },
      },
      'schedule_restriction',
    ],
    ['a webhook to a metadata address', { webhook_url: 'http://169.254.169.254/' }, 'webhook_url'],
  ])('with %s is refused', async (_what, more, attr) => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const answer = await refuse(app, body(insight, more));
    expect([answer.status, answer.json.attr], answer.text).toEqual([400, attr]);
  });

  test('on a total cannot compare, and on other kinds is refused', async () => {
    const app = await openTestApp();
    const total = await storeInsight(app, { query: trend({ trendsFilter: { display: 'BoldNumber' } }) });
    const relative = { condition: { type: 'relative_increase' } };
    expect((await refuse(app, body(total, relative))).json).toMatchObject({ attr: 'condition' });
    const funnel = {
      kind: 'FunnelsQuery',
      series: [
        { kind: 'EventsNode', event: 'a' },
        { kind: 'EventsNode', event: 'b' },
      ],
    };
    const other = await storeInsight(app, { query: { kind: 'InsightVizNode', source: funnel } });
    expect((await refuse(app, body(other))).json).toMatchObject({ attr: 'insight', code: 'invalid_input' });
    const rows = await storeInsight(app, { query: sql('select 1') });
    const anyRow = { config: { type: 'HogQLAlertConfig', evaluation: 'any_row' }, ...relative };
    expect((await refuse(app, body(rows, anyRow))).json).toMatchObject({ attr: 'config' });
  });

  test('is not seen by who may not see its insight, and not changed by who may not edit it', async () => {
    const app = await openTestApp();
    const ann = await addMember(app, 'ann@example.com');
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight, { webhook_url: 'http://127.0.0.1:9/secret' }));
    const rule = async (level: string) => {
      await app.store.db.run(`DELETE FROM access_controls`);
      await app.store.db.run(
        `INSERT INTO access_controls
         VALUES (uuid(), 1, 'insight', $id, NULL, NULL, $level, now()::TIMESTAMP, now()::TIMESTAMP)`,
        { id: String(insight), level },
      );
      await app.app.features.access.load();
    };
    expect((await ann.ask(at(id))).json).toMatchObject({
      webhook_url: 'http://127.0.0.1:9/secret',
      user_access_level: 'editor',
    });
    await rule('viewer');
    expect((await ann.ask(at(id))).json).toMatchObject({ webhook_url: null, user_access_level: 'viewer' });
    const change = { method: 'PATCH', body: { name: 'Other' } };
    expect((await ann.ask(at(id), change)).status).toBe(403);
    expect((await ann.ask(at(id), { method: 'DELETE' })).status).toBe(403);
    await rule('none');
    expect((await ann.ask(at(id))).status).toBe(403);
    expect((await ann.ask(ALERTS)).json.count).toBe(0);
    expect((await ann.ask(ALERTS, { method: 'POST', body: body(insight) })).status).toBe(403);
  });

  test('goes with its insight, and comes back with it', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight));
    await patchInsight(app, insight, { deleted: true });
    expect((await app.ask(at(id))).status).toBe(404);
    expect((await app.ask(ALERTS)).json.count).toBe(0);
    await app.app.features.alertChecks.runDue();
    expect(await app.store.db.all('SELECT count(*) AS n FROM alert_checks')).toEqual([{ n: 0 }]);
    await patchInsight(app, insight, { deleted: false });
    app.clock.now += DAY_MS;
    expect(await checked(app, id)).toMatchObject({ state: 'Firing' });
  });
});

describe('M9.13 a check of a trend', () => {
  test('fires when the last complete day is below the lower bound, and not at the bound', async () => {
    const app = await openTestApp();
    await signups(app, { [BEFORE]: 3, [YESTERDAY]: 2, [TODAY]: 9 });
    const insight = await storeInsight(app, { query: trend() });
    const low = await create(app, body(insight));
    const equal = await create(app, body(insight, { threshold: threshold({ lower: 2, upper: 2 }) }));
    expect(await checked(app, low)).toMatchObject({
      state: 'Firing',
      last_value: 2,
      last_notified_at: '2026-11-20T09:30:00.000000Z',
      checks: [
        {
          state: 'Firing',
          calculated_value: 2,
          targets_notified: true,
          interval: 'day',
          triggered_dates: ['2026-11-19'],
          triggered_metadata: {
            breaches: ['signup is 2 (2026-11-19), less than the lower bound of 3.'],
            error: null,
            webhook: null,
          },
        },
      ],
    });
    expect(await checked(app, equal)).toMatchObject({
      state: 'Not firing',
      last_notified_at: null,
      checks: [{ state: 'Not firing', targets_notified: false, triggered_metadata: null }],
    });
  });

  test('takes no rows for 0', async () => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: trend() })));
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', last_value: 0 });
  });

  test('looks at the day that is not over where the alert says so', async () => {
    const app = await openTestApp();
    await signups(app, { [YESTERDAY]: 2, [TODAY]: 9 });
    const insight = await storeInsight(app, { query: trend() });
    const sent = body(insight, {
      threshold: threshold({ upper: 5 }),
      config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: true },
    });
    expect(await checked(app, await create(app, sent))).toMatchObject({
      state: 'Firing',
      last_value: 9,
      checks: [{ triggered_dates: ['2026-11-20'] }],
    });
  });

  test.each<[string, string, object, [number, number], string, number | null]>([
    ['an increase', 'relative_increase', threshold({ upper: 2 }), [2, 5], 'Firing', 3],
    ['an increase at the bound', 'relative_increase', threshold({ upper: 3 }), [2, 5], 'Not firing', 3],
    [
      'an increase in percent',
      'relative_increase',
      threshold({ upper: 0.2 }, 'percentage'),
      [4, 5],
      'Firing',
      0.25,
    ],
    ['a decrease', 'relative_decrease', threshold({ upper: 2 }), [5, 2], 'Firing', 3],
    [
      'a decrease in percent',
      'relative_decrease',
      threshold({ upper: 0.5 }, 'percentage'),
      [4, 1],
      'Firing',
      0.75,
    ],
    [
      'an increase from 0 to 0 in percent',
      'relative_increase',
      threshold({ upper: 0 }, 'percentage'),
      [0, 0],
      'Not firing',
      0,
    ],
    [
      'an increase from 0 in percent',
      'relative_increase',
      threshold({ upper: 9 }, 'percentage'),
      [0, 1],
      'Firing',
      null,
    ],
  ])('compares %s', async (_what, type, bounds, [before, yesterday], state, value) => {
    const app = await openTestApp();
    await signups(app, { [BEFORE]: before, [YESTERDAY]: yesterday, [TODAY]: 20 });
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight, { condition: { type }, threshold: bounds }));
    expect(await checked(app, id)).toMatchObject({ state, last_value: value });
  });

  test('fires for any value of a breakdown, whatever the series', async () => {
    const app = await openTestApp();
    await signups(app, { [YESTERDAY]: 9 }, { plan: 'free' });
    await signups(app, { [YESTERDAY]: 1 }, { plan: 'pro' });
    const query = trend({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } });
    const id = await create(app, body(await storeInsight(app, { query })));
    expect(await checked(app, id)).toMatchObject({
      state: 'Firing',
      last_value: 1,
      checks: [
        { triggered_metadata: { breaches: ['pro is 1 (2026-11-19), less than the lower bound of 3.'] } },
      ],
    });
  });

  test('looks at breakdown values with events in the last two complete days or today, and at 0 where there is none', async () => {
    const app = await openTestApp();
    const query = trend({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } });
    const insight = await storeInsight(app, { query });
    const silent = await create(app, body(insight));
    expect(await checked(app, silent)).toMatchObject({ state: 'Firing', last_value: 0 });
    await signups(app, { [YESTERDAY]: 9 }, { plan: 'free' });
    await signups(app, { [BEFORE]: 9 }, { plan: 'pro' });
    await signups(app, { '2026-11-14T12:00:00Z': 9 }, { plan: 'old' });
    const { checks } = await checked(app, await create(app, body(insight)));
    expect(checks[0].triggered_metadata.breaches).toEqual([
      'pro is 0 (2026-11-19), less than the lower bound of 3.',
    ]);
  });

  test('counts formulas in place of series', async () => {
    const app = await openTestApp();
    await signups(app, { [YESTERDAY]: 4 });
    const query = trend({ trendsFilter: { formulaNodes: [{ formula: 'A' }, { formula: 'A / 2' }] } });
    const insight = await storeInsight(app, { query });
    const sent = body(insight, { config: { type: 'TrendsAlertConfig', series_index: 1 } });
    expect(await checked(app, await create(app, sent))).toMatchObject({ state: 'Firing', last_value: 2 });
  });

  test('of a total reads the whole time of the insight', async () => {
    const app = await openTestApp();
    await signups(app, { [BEFORE]: 3, [YESTERDAY]: 2, [TODAY]: 1 });
    const insight = await storeInsight(app, { query: trend({ trendsFilter: { display: 'BoldNumber' } }) });
    const id = await create(app, body(insight, { threshold: threshold({ upper: 5 }) }));
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', last_value: 6 });
  });

  test.each(['BoldNumber', 'ActionsBarValue'])(
    'of a total does not look at the time before: %s',
    async (display) => {
      const app = await openTestApp();
      await signups(app, { '2026-11-09T12:00:00Z': 9, [YESTERDAY]: 2 });
      const query = trend({
        trendsFilter: { display, formulas: ['A', 'A * 10'] },
        compareFilter: { compare: true },
        dateRange: { date_from: '-7d' },
      });
      const insight = await storeInsight(app, { query });
      const upper = threshold({ upper: 5 });
      const first = body(insight, { threshold: upper });
      expect(await checked(app, await create(app, first))).toMatchObject({
        state: 'Not firing',
        last_value: 2,
      });
      const second = { ...first, config: { type: 'TrendsAlertConfig', series_index: 1 } };
      expect(await checked(app, await create(app, second))).toMatchObject({
        state: 'Firing',
        last_value: 20,
      });
    },
  );

  test('of a slope looks at the last complete day', async () => {
    const app = await openTestApp();
    await signups(app, { [BEFORE]: 9, [YESTERDAY]: 2, [TODAY]: 1 });
    const query = trend({ trendsFilter: { display: 'SlopeGraph' } });
    const id = await create(app, body(await storeInsight(app, { query })));
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', last_value: 2 });
  });

  test('of an insight that is no longer a chart of numbers is Errored', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight));
    await patchInsight(app, insight, { query: trend({ trendsFilter: { display: 'CalendarHeatmap' } }) });
    const { state, checks } = await checked(app, id);
    expect(state).toBe('Errored');
    expect(checks[0].triggered_metadata.error).toBe(
      'The insight is now of another kind. Edit the alert so that it fits, or delete it.',
    );
  });
});

describe('M9.13 a check of SQL', () => {
  const ROWS = `select name, n from (select 'a' as name, 4 as n union all select 'b', 7 union all select 'c', 5) order by name`;
  const config = (evaluation: string, more: object = {}) => ({
    config: { type: 'HogQLAlertConfig', evaluation, ...more },
    threshold: threshold({ upper: 4 }),
  });

  test.each<[string, object, string, number | null]>([
    ['the first row', config('first_row'), 'Not firing', 4],
    ['the last row', config('last_row'), 'Firing', 5],
    ['any row', config('any_row'), 'Firing', 7],
    ['a named column', config('last_row', { column: 'n' }), 'Firing', 5],
    [
      'the last row against the one before',
      { ...config('last_row'), condition: { type: 'relative_decrease' }, threshold: threshold({ upper: 1 }) },
      'Firing',
      2,
    ],
    ['a column that is not there', config('last_row', { column: 'x' }), 'Errored', null],
    ['a column of texts', config('last_row', { column: 'name' }), 'Errored', null],
  ])('looks at %s', async (_what, more, state, value) => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: sql(ROWS) }), more));
    expect(await checked(app, id)).toMatchObject({ state, last_value: value });
  });

  test('names a row by its label, and takes no rows for 0', async () => {
    const app = await openTestApp();
    const rows = await storeInsight(app, { query: sql(ROWS) });
    const labelled = await create(app, body(rows, config('any_row', { label_column: 'name' })));
    const { checks } = await checked(app, labelled);
    expect(checks[0].triggered_metadata.breaches).toEqual([
      'b is 7, more than the upper bound of 4.',
      'c is 5, more than the upper bound of 4.',
    ]);
    const none = await storeInsight(app, { query: sql('select 1 as n where false') });
    const id = await create(app, body(none, { config: { type: 'HogQLAlertConfig' } }));
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', last_value: 0 });
  });

  test('that fails is Errored with its reason, and notifies once', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: sql('select 1') });
    const sent = { config: null, calculation_interval: 'real_time' };
    const id = await create(app, body(insight, sent));
    const query = JSON.stringify({ kind: 'HogQLQuery', query: 'select x from nothing' });
    await app.store.db.run('UPDATE insights SET query = $query WHERE id = $insight', { query, insight });
    await checked(app, id);
    app.clock.now += 60_000;
    const { state, checks } = await checked(app, id);
    expect(state).toBe('Errored');
    expect(checks.map((one: { targets_notified: boolean }) => one.targets_notified)).toEqual([false, true]);
    expect(checks[0].triggered_metadata.error).toContain('nothing');
  });

  test('reads no rows of resources that people may not see, also for an admin', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: sql('select count() from system.insights') });
    const id = await create(app, body(insight, { config: null }));
    expect(await checked(app, id)).toMatchObject({ state: 'Errored', last_value: null });
  });
});

describe('M9.13 the creator of an alert', () => {
  test('who has left, or may not see the insight any more, leaves it Errored', async () => {
    const app = await openTestApp();
    const ann = await addMember(app, 'ann@example.com');
    const insight = await storeInsight(app, { query: trend() });
    const made = await ann.ask(ALERTS, {
      method: 'POST',
      body: body(insight, { calculation_interval: 'real_time' }),
    });
    const { id } = made.json;
    expect(await checked(app, id)).toMatchObject({ state: 'Firing' });
    await removeMember(app, ann);
    app.clock.now += 60_000;
    const { state, checks } = await checked(app, id);
    expect(state).toBe('Errored');
    expect(checks[0].triggered_metadata.error).toBe(
      'The creator of this alert no longer has access to its insight. Create the alert again.',
    );
  });
});

describe('M9.13 the schedule of alerts', () => {
  test('checks again when the next check is due, and once after a time in which nothing ran', async () => {
    const app = await openTestApp();
    const id = await create(
      app,
      body(await storeInsight(app, { query: trend() }), { calculation_interval: 'hourly' }),
    );
    const total = async () => (await checked(app, id)).checks_total;
    expect(await total()).toBe(1);
    expect(await total()).toBe(1);
    app.clock.now += 3_600_000;
    expect(await total()).toBe(2);
    app.clock.now += 5 * DAY_MS;
    expect(await total()).toBe(3);
    const { next_check_at: next } = (await app.ask(at(id))).json;
    expect(Date.parse(next)).toBeGreaterThan(app.clock.now);
    expect(Date.parse(next)).toBeLessThanOrEqual(app.clock.now + 3_600_000);
  });

  test('runs by itself, as soon as an alert is there', async () => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: trend() })));
    await expect.poll(async () => (await app.ask(at(id))).json.state, { timeout: 10_000 }).toBe('Firing');
  });

  test('leaves out weekends, blocked windows and what is not enabled', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const blocked = { blocked_windows: [{ start: '09:00', end: '10:00' }] };
    const ids = [
      await create(app, body(insight, { schedule_restriction: blocked, calculation_interval: 'real_time' })),
      await create(app, body(insight, { enabled: false })),
    ];
    for (const id of ids) expect((await checked(app, id)).checks).toEqual([]);
    expect((await app.ask(at(ids[0]!))).json.next_check_at).toBe('2026-11-20T10:00:00.000000Z');
    app.clock.now = Date.parse('2026-11-21T12:00:00Z');
    const weekend = await create(app, body(insight, { skip_weekend: true, calculation_interval: 'hourly' }));
    expect((await checked(app, weekend)).next_check_at).toMatch(/^2026-11-23T00:/);
  });

  test('a snoozed alert is not checked until then, and its history says so', async () => {
    const app = await openTestApp();
    const id = await create(
      app,
      body(await storeInsight(app, { query: trend() }), { calculation_interval: 'hourly' }),
    );
    await checked(app, id);
    const patch = (sent: object) => app.ask(at(id), { method: 'PATCH', body: sent });
    const snoozed = (await patch({ snoozed_until: '2h' })).json;
    expect(snoozed).toMatchObject({ state: 'Snoozed', snoozed_until: '2026-11-20T11:30:00.000000Z' });
    expect((await patch({ name: 'Other', snoozed_until: snoozed.snoozed_until })).json.state).toBe('Snoozed');
    app.clock.now += 90 * 60_000;
    expect(await checked(app, id)).toMatchObject({ state: 'Snoozed', checks_total: 2 });
    app.clock.now += 60 * 60_000;
    const { state, snoozed_until: until, checks } = await checked(app, id);
    expect([state, until]).toEqual(['Firing', null]);
    expect(checks.map((one: { state: string }) => one.state)).toEqual(['Firing', 'Snoozed', 'Firing']);
    await patch({ snoozed_until: '1d' });
    expect((await patch({ snoozed_until: null })).json).toMatchObject({
      state: 'Not firing',
      next_check_at: null,
    });
  });

  test('another threshold resets the state and checks again', async () => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: trend() })));
    await checked(app, id);
    const change = { threshold: threshold({ upper: 5 }) };
    const changed = (await app.ask(at(id), { method: 'PATCH', body: change })).json;
    expect(changed).toMatchObject({ state: 'Not firing', next_check_at: null });
    expect(await checked(app, id)).toMatchObject({ state: 'Not firing', checks_total: 2 });
    const none = (await app.ask(at(id), { method: 'PATCH', body: { threshold: {} } })).json;
    expect(none.threshold).toBeNull();
  });

  test('a change keeps what a check has saved meanwhile', async () => {
    const notices: object[] = [];
    const app = await openTestApp({ onAlert: (notice) => void notices.push(notice) });
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight, { calculation_interval: 'hourly' }));
    const { db } = app.store;
    const transaction = db.transaction.bind(db);
    vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      await app.app.features.alertChecks.runDue();
      return await transaction(work);
    });
    const changed = (await app.ask(at(id), { method: 'PATCH', body: { name: 'Other' } })).json;
    expect(changed).toMatchObject({ name: 'Other', state: 'Firing', checks_total: 1 });
    expect(changed.next_check_at).not.toBeNull();
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', checks_total: 1 });
    expect(notices).toHaveLength(1);
  });

  test('a snooze that is over does not come back with another change', async () => {
    const app = await openTestApp();
    const sent = body(await storeInsight(app, { query: trend() }), { snoozed_until: '1h' });
    const id = await create(app, sent);
    const { snoozed_until: until } = (await app.ask(at(id))).json;
    app.clock.now += 2 * 3_600_000;
    const change = { threshold: threshold({ upper: 5 }), snoozed_until: until };
    const changed = (await app.ask(at(id), { method: 'PATCH', body: change })).json;
    expect(changed).toMatchObject({ state: 'Not firing', snoozed_until: null, next_check_at: null });
    expect(await checked(app, id)).toMatchObject({ state: 'Not firing', checks_total: 2 });
  });

  test('a snooze ends with a check, or where none may be, without one', async () => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight, { calculation_interval: 'monthly' }));
    await checked(app, id);
    const blocked = { schedule_restriction: { blocked_windows: [{ start: '10:00', end: '12:00' }] } };
    const quiet = await create(app, body(insight, { snoozed_until: '1h', ...blocked }));
    await app.ask(at(id), { method: 'PATCH', body: { snoozed_until: '1h' } });
    app.clock.now += 2 * 3_600_000;
    expect(await checked(app, id)).toMatchObject({ state: 'Firing', snoozed_until: null, checks_total: 3 });
    expect(await checked(app, quiet)).toMatchObject({
      state: 'Not firing',
      snoozed_until: null,
      checks_total: 1,
    });
  });

  test('another threshold during a snooze is checked when the snooze ends', async () => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: trend() })));
    await checked(app, id);
    const patch = (change: object) => app.ask(at(id), { method: 'PATCH', body: change });
    await patch({ snoozed_until: '1h' });
    const changed = (await patch({ threshold: threshold({ upper: 5 }) })).json;
    expect(changed).toMatchObject({ state: 'Snoozed', next_check_at: null });
    expect(await checked(app, id)).toMatchObject({ state: 'Snoozed', checks_total: 2 });
    app.clock.now += 2 * 3_600_000;
    expect(await checked(app, id)).toMatchObject({ state: 'Not firing', checks_total: 3 });
  });

  test.each<[string, (app: TestApp, id: string, insight: number) => Promise<unknown>]>([
    ['is turned off', (app, id) => app.ask(at(id), { method: 'PATCH', body: { enabled: false } })],
    ['is snoozed', (app, id) => app.ask(at(id), { method: 'PATCH', body: { snoozed_until: '60d' } })],
    ['has no insight any more', (app, _id, insight) => patchInsight(app, insight, { deleted: true })],
  ])('checks of an alert that %s go after 14 days too', async (_what, stop) => {
    const app = await openTestApp();
    const insight = await storeInsight(app, { query: trend() });
    const id = await create(app, body(insight));
    await checked(app, id);
    await stop(app, id, insight);
    app.clock.now += 15 * DAY_MS;
    const left = () => app.store.db.all('SELECT count(*) AS n FROM alert_checks');
    await expect.poll(left, { timeout: 15_000 }).toEqual([{ n: 0 }]);
  });

  test('checks are kept for 14 days and read by time', async () => {
    const app = await openTestApp();
    const id = await create(app, body(await storeInsight(app, { query: trend() })));
    await checked(app, id);
    for (let day = 0; day < 15; day++) {
      app.clock.now += DAY_MS;
      await app.app.features.alertChecks.runDue();
    }
    expect((await checked(app, id)).checks).toHaveLength(5);
    const all = await checked(app, id, '?checks_limit=500');
    expect(all.checks).toHaveLength(15);
    expect(all.checks_total).toBe(15);
    const some = await checked(
      app,
      id,
      '?checks_date_from=2026-12-03&checks_date_to=2026-12-04&checks_offset=1',
    );
    expect(some.checks).toMatchObject([{ created_at: '2026-12-03T09:30:00.000000Z' }]);
    expect((await app.ask(`${at(id)}?checks_limit=501`)).status).toBe(400);
  });
});

test('M9.13 a test of an alert shows what would be found and sent, and stores nothing', async () => {
  const app = await openTestApp();
  await signups(app, { [YESTERDAY]: 2 });
  const insight = await storeInsight(app, { name: 'Signups', query: trend() });
  const sent = body(insight, { webhook_url: 'http://127.0.0.1:9/hook' });
  const draft = await app.ask(`${ALERTS}preview/`, { method: 'POST', body: sent });
  const expected = {
    state: 'Firing',
    calculated_value: 2,
    interval: 'day',
    triggered_dates: ['2026-11-19'],
    breaches: ['signup is 2 (2026-11-19), less than the lower bound of 3.'],
    error: null,
    notification: {
      title: 'Alert: Few signups',
      text: 'signup is 2 (2026-11-19), less than the lower bound of 3.',
    },
    webhook: { host: '127.0.0.1:9', is_on: false, body: { type: 'alert_firing', value: 2 } },
  };
  expect(draft.json).toMatchObject(expected);
  expect((await app.ask(ALERTS)).json.count).toBe(0);
  const id = await create(app, sent);
  expect((await app.ask(at(id, 'check'), { method: 'POST' })).json).toMatchObject(expected);
  expect((await app.ask(insightAt(insight))).status).toBe(200);
});

test('M9.13 a firing check notifies the desktop app each time, with the path of its insight', async () => {
  const notices: object[] = [];
  const app = await openTestApp({ onAlert: (notice) => void notices.push(notice) });
  const insight = await storeInsight(app, { name: 'Signups', query: trend() });
  const id = await create(app, body(insight, { calculation_interval: 'real_time' }));
  await app.app.features.alertChecks.runDue();
  app.clock.now += 60_000;
  await app.app.features.alertChecks.runDue();
  const { short_id: shortId } = (await app.ask(insightAt(insight))).json;
  const notice = {
    title: 'Alert: Few signups',
    text: 'signup is 0 (2026-11-19), less than the lower bound of 3.',
    path: `/project/1/insights/${shortId}?alert=${id}`,
  };
  expect(notices).toEqual([notice, notice]);
});
