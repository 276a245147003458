import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { STORIES } from './demo.service.ts';
import { demoKind, type DemoKind } from './demo.contract.ts';
import { liveThrough } from './story.ts';

const PATH = '/api/burrow/demo/';
const HOUR = 3_600_000;

interface Order {
  kind?: DemoKind;
  size?: 'small' | 'medium' | 'large';
  seed?: number;
}

async function startDemo(app: TestApp, order: Order): Promise<number> {
  const { status, json } = await app.ask(PATH, { method: 'POST', body: order });
  expect([status, json.state]).toEqual([201, 'creating']);
  return json.id;
}

/** Creates demo data and waits until its last event is stored. */
async function createDemo(app: TestApp, order: Order): Promise<number> {
  const id = await startDemo(app, order);
  const state = async () => {
    const { results } = (await app.ask(PATH)).json;
    return results.find((one: { id: number }) => one.id === id);
  };
  await expect.poll(async () => (await state()).state, { timeout: 120_000 }).not.toBe('creating');
  expect(await state()).toMatchObject({ state: 'ready', progress: 1, problem: null });
  return id;
}

async function answer(app: TestApp, id: number, query: object | string): Promise<any> {
  const node = typeof query === 'string' ? { kind: 'HogQLQuery', query } : query;
  const { status, json } = await app.ask(`/api/projects/${id}/query/`, {
    method: 'POST',
    body: { query: node },
  });
  expect([status, json.detail]).toEqual([200, undefined]);
  return json.results;
}

async function insightsOf(app: TestApp, id: number): Promise<{ name: string; query: { source: any } }[]> {
  return (await app.ask(`/api/projects/${id}/insights/?limit=100&basic=true`)).json.results;
}

async function insight(app: TestApp, id: number, name: string): Promise<any> {
  const found = (await insightsOf(app, id)).find((one) => one.name === name)!;
  return answer(app, id, found.query.source);
}

/** All events as they are sent. */
function eventsOf(kind: DemoKind, seed: number, now: number): { event: string; timestamp: string }[] {
  const events: string[] = [];
  const ids = { surveyId: 'survey', questionId: 'question' };
  const take = (json: string) => void events.push(json);
  for (const share of liveThrough({ story: STORIES[kind], size: 'small', seed, now, ids, take }))
    expect(share).toBeLessThanOrEqual(1);
  return events.map((json) => JSON.parse(json));
}

describe('the events of a story', () => {
  const NOW = Date.parse('2026-11-20T09:30:00Z');

  test.each(demoKind.options)(
    '%s: the same seed gives the same events, another seed gives others',
    (kind) => {
      const events = eventsOf(kind, 7, NOW);
      expect(eventsOf(kind, 7, NOW)).toEqual(events);
      expect(eventsOf(kind, 8, NOW)).not.toEqual(events);
      expect(events.length).toBeGreaterThan(8_000);
      expect(events.length).toBeLessThan(14_000);
    },
  );

  test('a week later every number is the same, seven days later; the current week goes on to now', () => {
    const week = 7 * 24 * HOUR;
    const shapeOf = (now: number, shift: number) =>
      eventsOf('shop', 1, now).map(({ event, timestamp }) => [event, Date.parse(timestamp) - shift]);
    expect(shapeOf(NOW + week, week)).toEqual(shapeOf(NOW, 0));
    const later = shapeOf(NOW + 5 * HOUR, 0).filter(([, time]) => (time as number) < NOW);
    expect(later).toEqual(shapeOf(NOW, 0));
    expect(shapeOf(NOW + 5 * HOUR, 0).length).toBeGreaterThan(later.length);
  });

  test.each(demoKind.options)('%s: no event is later than now or older than 53 weeks', (kind) => {
    const times = eventsOf(kind, 1, NOW).map(({ timestamp }) => Date.parse(timestamp));
    expect(times.every((time) => time < NOW && time > NOW - 372 * 24 * HOUR)).toBe(true);
  });
});

describe('a project with demo data', () => {
  test.each(demoKind.options)(
    '%s: has persons, groups and objects, and data in each insight',
    async (kind) => {
      const app = await openTestApp();
      const id = await createDemo(app, { kind, size: 'small' });
      const at = `/api/projects/${id}`;
      expect((await app.ask(`${at}/`)).json).toMatchObject({ is_demo: true, ingested_event: true });
      const countOf = async (path: string) => (await app.ask(`${at}/${path}`)).json.count;
      expect((await answer(app, id, 'select count() from persons'))[0][0]).toBeGreaterThan(20);
      expect((await app.ask(`${at}/groups/?group_type_index=0`)).json.results.length).toBeGreaterThan(1);
      expect(await countOf('cohorts/')).toBe(4);
      expect(await countOf('actions/')).toBe(3);
      expect(await countOf('feature_flags/')).toBeGreaterThanOrEqual(5);
      expect(await countOf('annotations/')).toBeGreaterThanOrEqual(8);
      expect(await countOf('dashboards/')).toBe(5);
      const [survey] = (await app.ask(`${at}/surveys/`)).json.results;
      expect((await app.ask(`${at}/surveys/responses_count/`)).json[survey.id]).toBeGreaterThan(3);
      const { results: cohorts } = (await app.ask(`${at}/cohorts/`)).json;
      expect(cohorts.some(({ count }: { count: number }) => count > 0)).toBe(true);

      const kinds = new Set<string>();
      for (const { name, query } of await insightsOf(app, id)) {
        const results = await answer(app, id, query.source);
        expect([name, JSON.stringify(results).length > 20]).toEqual([name, true]);
        kinds.add(query.source.kind);
      }
      expect([...kinds].toSorted()).toEqual([
        'FunnelsQuery',
        'HogQLQuery',
        'LifecycleQuery',
        'PathsQuery',
        'RetentionQuery',
        'StickinessQuery',
        'TrendsQuery',
      ]);
    },
    120_000,
  );

  test.each([
    ['saas', 'From visit to plan', 'Experiment: onboarding checklist', 'Retention of new users'],
    ['shop', 'From visit to order', 'Experiment: one-page checkout', 'Customers who come back'],
    ['app', 'From install to subscription', 'Experiment: yearly plan first', 'Retention of new learners'],
  ] as const)(
    '%s: each step of the funnel loses persons, retention declines, and the experiment has its effect',
    async (kind, funnel, experiment, retention) => {
      const app = await openTestApp();
      const id = await createDemo(app, { kind, size: 'medium' });
      const counts = (await insight(app, id, funnel)).map(({ count }: { count: number }) => count);
      expect(counts.at(-1)).toBeGreaterThan(0);
      for (let step = 1; step < counts.length; step++) expect(counts[step]).toBeLessThan(counts[step - 1]);

      const variants = (await insight(app, id, experiment)).map((steps: any[]) => ({
        variant: [steps[0].breakdown_value].flat()[0],
        rate: steps[1].count / steps[0].count,
      }));
      const rateOf = (variant: string) => variants.find((one: any) => one.variant === variant).rate;
      expect(rateOf('test')).toBeGreaterThan(rateOf('control') * 1.1);

      const rows: { values: { count: number }[] }[] = await insight(app, id, retention);
      const totalOf = (from: number, to: number) =>
        rows.reduce(
          (sum, { values }) => sum + values.slice(from, to).reduce((all, { count }) => all + count, 0),
          0,
        );
      expect(totalOf(0, 1)).toBeGreaterThan(totalOf(1, 2));
      expect(totalOf(1, 2)).toBeGreaterThan(0);
      expect(totalOf(1, 3)).toBeGreaterThanOrEqual(totalOf(5, 7));
    },
    240_000,
  );

  test('saas: weekends are quiet, the launch brings visitors, and nothing is done during the outage', async () => {
    const app = await openTestApp();
    const id = await createDemo(app, { kind: 'saas', size: 'medium' });
    const [[weekdays, weekends]] = await answer(
      app,
      id,
      "select countIf(toDayOfWeek(timestamp) < 6) / 5, countIf(toDayOfWeek(timestamp) > 5) / 2 from events where event = 'invoice created'",
    );
    expect(weekends).toBeLessThan(weekdays / 2);
    const { results } = (await app.ask(`/api/projects/${id}/annotations/?limit=100`)).json;
    const momentOf = (text: string) =>
      new Date(results.find(({ content }: { content: string }) => content.startsWith(text)).date_marker);
    const dayOf = (date: Date) => date.toISOString().slice(0, 10);
    const visitorsOn = async (date: Date) =>
      (await answer(app, id, `select count(distinct person_id) from events where event = '$pageview' and toDate(timestamp) = '${dayOf(date)}'`))[0][0]; // prettier-ignore
    const launch = momentOf('Launch on Product Hunt');
    expect(await visitorsOn(launch)).toBeGreaterThan(
      3 * (await visitorsOn(new Date(+launch - 7 * 24 * HOUR))),
    );
    const outage = momentOf('Outage of the API');
    const [[invoices, exceptions]] = await answer(
      app,
      id,
      `select countIf(event = 'invoice created'), countIf(event = '$exception') from events where timestamp > toDateTime('${outage.toISOString()}') + interval 20 minute and timestamp < toDateTime('${outage.toISOString()}') + interval 150 minute`,
    );
    expect(invoices).toBe(0);
    expect(exceptions).toBeGreaterThan(0);
  }, 120_000);
});

/** Numbers of persons and events are never given twice, and a key notes when it was last used. */
const COUNTERS = ['persons_state', 'events_state', 'personal_api_keys'];

/** Every row of every table, as text. */
async function contentOf(app: TestApp): Promise<Record<string, string[]>> {
  const tables = await app.store.db.all<{ name: string }>(
    "SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY table_name",
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (COUNTERS.includes(name)) continue;
    const rows = await app.store.db.all<{ row: string }>(
      `SELECT t::VARCHAR AS row FROM ${name} t ORDER BY 1`,
    );
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

describe('live mode', () => {
  const live = (id: number) => `${PATH}${id}/live/`;
  const stateOf = async (app: TestApp) => (await app.ask(PATH)).json.results[0].live;

  test('lets events come at the rate until it is stopped', async () => {
    const app = await openTestApp();
    const id = await createDemo(app, { size: 'small' });
    const eventsNow = async () =>
      (await answer(app, id, `select count() from events where timestamp >= toDateTime('${since}')`))[0][0];
    const since = new Date(app.clock.now).toISOString();
    const { status, json } = await app.ask(live(id), { method: 'PUT', body: { events_per_minute: 600 } });
    expect([status, json.live]).toEqual([
      200,
      { events_per_minute: 600, script: 'steady', at: since, since, events: 0, problem: null },
    ]);
    await expect
      .poll(
        async () => {
          app.clock.now += 5_000;
          return (await stateOf(app)).events;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(100);
    const { events } = await stateOf(app);
    expect(await eventsNow()).toBeGreaterThanOrEqual(events);

    expect((await app.ask(live(id), { method: 'DELETE' })).status).toBe(204);
    expect(await stateOf(app)).toBeNull();
  }, 120_000);

  test('waits while capture is paused, and ends with its project', async () => {
    const app = await openTestApp();
    const id = await createDemo(app, { size: 'small' });
    const pause = (isPaused: boolean) =>
      app.ask('/api/burrow/capture/', { method: 'PUT', body: { is_paused: isPaused } });
    await pause(true);
    const refused = await app.ask(live(id), { method: 'PUT', body: {} });
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining('Capture is paused'),
    ]);
    await pause(false);
    await app.ask(live(id), { method: 'PUT', body: { script: 'outage', at: '2026-11-20T14:00:00Z' } });
    expect(await stateOf(app)).toMatchObject({ script: 'outage', at: '2026-11-20T14:00:00.000Z' });
    expect((await app.ask(`/api/projects/${id}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(live(id), { method: 'DELETE' })).status).toBe(404);
  }, 120_000);

  test.each([{ events_per_minute: 0 }, { events_per_minute: 6001 }, { script: 'party' }, { at: 'later' }])(
    '%j is refused',
    async (body) => {
      const app = await openTestApp();
      const id = await createDemo(app, { size: 'small' });
      expect((await app.ask(live(id), { method: 'PUT', body })).status).toBe(400);
      expect((await app.ask(live(1), { method: 'PUT', body: {} })).status).toBe(404);
    },
    120_000,
  );
});

describe('removing demo data', () => {
  async function expectNoTrace(app: TestApp, before: Record<string, string[]>): Promise<void> {
    // What late requests have written is deleted a little later.
    app.clock.now += 20_000;
    await expect
      .poll(async () => (await contentOf(app))['project_removals'], { timeout: 20_000 })
      .toEqual(before['project_removals']);
    await expect
      .poll(async () => (await contentOf(app))['erasures'], { timeout: 20_000 })
      .toEqual(before['erasures']);
    expect(await contentOf(app)).toEqual(before);
  }

  test('leaves every table as it was before', async () => {
    const app = await openTestApp();
    const before = await contentOf(app);
    const id = await createDemo(app, { kind: 'saas', size: 'small' });
    const during = await contentOf(app);
    expect(during['projects']).toHaveLength(2);
    expect(during['activity_log']!.length).toBeGreaterThan(before['activity_log']!.length);
    expect(await app.ask(`${PATH}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect((await app.ask(PATH)).json.results).toEqual([]);
    await expectNoTrace(app, before);
  }, 120_000);

  test('while it is created ends it, and leaves every table as it was before', async () => {
    const app = await openTestApp();
    const before = await contentOf(app);
    const id = await startDemo(app, { kind: 'shop', size: 'large' });
    await vi.waitUntil(async () => (await app.ask(PATH)).json.results[0].events > 0, { timeout: 60_000 });
    expect(await app.ask(`${PATH}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await expectNoTrace(app, before);
    // The next one is not refused.
    await createDemo(app, { size: 'small' });
  }, 180_000);

  test('by deleting its project leaves no entry in the activity log either', async () => {
    const app = await openTestApp();
    const id = await createDemo(app, { size: 'small' });
    expect((await app.ask(`/api/projects/${id}/`, { method: 'DELETE' })).status).toBe(204);
    const rows = await app.store.db.all(
      "SELECT * FROM activity_log WHERE detail::VARCHAR LIKE '%Paperboat%'",
    );
    expect(rows).toEqual([]);
    expect((await app.ask(`${PATH}${id}/`, { method: 'DELETE' })).status).toBe(404);
  }, 60_000);
});

describe('the routes', () => {
  test('another project is no demo data and cannot be removed here', async () => {
    const app = await openTestApp();
    expect((await app.ask(`${PATH}1/`, { method: 'DELETE' })).status).toBe(404);
    expect((await app.ask('/api/projects/1/')).json.is_demo).toBe(false);
  });

  test('a second one is refused while the first is created', async () => {
    const app = await openTestApp();
    const id = await startDemo(app, { size: 'large' });
    onTestFinished(async () => void (await app.ask(`${PATH}${id}/`, { method: 'DELETE' })));
    expect(await app.ask(PATH, { method: 'POST', body: {} })).toMatchObject({
      status: 409,
      json: { code: 'conflict', detail: expect.stringContaining('already being created') },
    });
  });

  test('it is being created until it is ready, at whatever moment one looks', async () => {
    const app = await openTestApp();
    const id = await startDemo(app, { size: 'small' });
    const seen = new Set<string>();
    const look = async () => {
      while (!seen.has('ready') && !seen.has('failed')) {
        const { results } = (await app.ask(PATH)).json;
        seen.add(results.find((one: { id: number }) => one.id === id).state);
      }
    };
    await Promise.all(Array.from({ length: 6 }, look));
    expect([...seen].filter((state) => state !== 'creating')).toEqual(['ready']);
  }, 60_000);

  test('while capture is paused none is created', async () => {
    const app = await openTestApp();
    await app.ask('/api/burrow/capture/', { method: 'PUT', body: { is_paused: true } });
    const { status, json } = await app.ask(PATH, { method: 'POST', body: {} });
    expect([status, json.detail]).toEqual([409, expect.stringContaining('Capture is paused')]);
    expect((await app.ask('/api/projects/')).json.count).toBe(1);
  });

  test('a member without the rights of an admin is refused', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app, 'ada@burrow.localhost');
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['DELETE', `${PATH}1/`],
    ] as const)
      // prettier-ignore
      expect((await app.ask(path, { method, key, ...(method === 'POST' && { body: {} }) })).status).toBe(403);
  });
});
