import { describe, expect, test } from 'vitest';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { makeDashboard, patchDashboard } from '../../../test/support/dashboards.ts';
import { INSIGHTS, patchInsight, SIGNUPS, storeInsight } from '../../../test/support/insights.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { insightPage } from './insights.contract.ts';

async function names(app: TestApp, search = '', key = app.key): Promise<(string | null)[]> {
  const answer = await app.ask(INSIGHTS + search, { key });
  expect(answer.status, answer.text).toBe(200);
  const page = insightPage.parse(answer.json);
  return page.results.map(({ name }) => name);
}

const wrapped = (source: object) => ({ kind: 'InsightVizNode', source });
const series = [{ kind: 'EventsNode', event: 'signup' }];

describe('M9.6 the list', () => {
  test('is sorted by order, then by id, without deleted ones', async () => {
    const app = await openTestApp();
    await storeInsight(app, { name: 'c' });
    await storeInsight(app, { name: 'b', order: 2 });
    await storeInsight(app, { name: 'a', order: 1 });
    const gone = await storeInsight(app, { name: 'gone' });
    await patchInsight(app, gone, { deleted: true });
    expect(await names(app)).toEqual(['a', 'b', 'c']);
  });

  test('is in the requested order', async () => {
    const app = await openTestApp();
    for (const name of ['b', 'A', 'c']) {
      app.clock.now += 1000;
      await storeInsight(app, { name });
    }
    app.clock.now += 1000;
    await patchInsight(app, 1, { description: 'changed' });
    expect(await names(app, '?order=name')).toEqual(['A', 'b', 'c']);
    expect(await names(app, '?order=-name')).toEqual(['c', 'b', 'A']);
    expect(await names(app, '?order=-last_modified_at')).toEqual(['b', 'c', 'A']);
    expect(await names(app, '?order=-created_at')).toEqual(['c', 'A', 'b']);
    expect(await names(app, '?order=favorited,-id')).toEqual(['c', 'A', 'b']);
    expect(await names(app, '?order=password')).toEqual(['b', 'A', 'c']);
  });

  test('has pages', async () => {
    const app = await openTestApp();
    for (const name of ['a', 'b', 'c']) await storeInsight(app, { name });
    const page = (await app.ask(`${INSIGHTS}?limit=2&basic=true`)).json;
    expect(page).toMatchObject({ count: 3, previous: null, results: [{ name: 'a' }, { name: 'b' }] });
    expect(page.results[0]).not.toHaveProperty('result');
    expect(page.next).toContain('basic=true');
    expect((await app.ask(new URL(page.next).pathname + new URL(page.next).search)).json).toMatchObject({
      next: null,
      results: [{ name: 'c' }],
    });
  });

  test('filters by short id', async () => {
    const app = await openTestApp();
    await storeInsight(app, { name: 'a' });
    const id = await storeInsight(app, { name: 'b' });
    const { short_id: shortId } = (await app.ask(`${INSIGHTS}${id}/`)).json;
    expect(await names(app, `?short_id=${shortId}`)).toEqual(['b']);
    expect(await names(app, '?short_id=nothing1')).toEqual([]);
  });

  test('filters by one creator, by several, or by the caller', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    await storeInsight(app, { name: 'owner' });
    await lin.ask(INSIGHTS, { method: 'POST', body: { name: 'lin' } });
    expect(await names(app, '?user=true')).toEqual(['owner']);
    expect(await names(app, '?user=true', lin.key)).toEqual(['lin']);
    expect(await names(app, `?created_by=${lin.userId}`)).toEqual(['lin']);
    expect(await names(app, `?created_by=[${lin.userId},1]`)).toEqual(['owner', 'lin']);
    expect((await app.ask(`${INSIGHTS}?created_by=lin`)).json).toMatchObject({ attr: 'created_by' });
  });

  test('filters by saved, which includes insights on a dashboard, and by favorite', async () => {
    const app = await openTestApp();
    const board = await makeDashboard(app);
    await storeInsight(app, { name: 'saved', saved: true });
    await storeInsight(app, { name: 'placed', dashboards: [board], favorited: true });
    await storeInsight(app, { name: 'draft' });
    expect(await names(app, '?saved=true')).toEqual(['saved', 'placed']);
    expect(await names(app, '?saved=false')).toEqual(['draft']);
    expect(await names(app, '?favorited=true')).toEqual(['placed']);
    expect(await names(app, '?favorited=false')).toEqual(['saved', 'draft']);
    await patchDashboard(app, board, { deleted: true });
    expect(await names(app, '?saved=true')).toEqual(['saved']);
  });

  test('finds words in names, descriptions and tags, in any case', async () => {
    const app = await openTestApp();
    await storeInsight(app, { name: 'Growth' });
    await storeInsight(app, { derived_name: 'growth of signups' });
    await storeInsight(app, { name: 'b', description: 'How we GROW' });
    await storeInsight(app, { name: 'c', tags: ['Grown up', 'a"b'] });
    expect(await names(app, '?search=grow')).toEqual(['Growth', null, 'b', 'c']);
    expect(await names(app, '?search=a%22b')).toEqual(['c']);
    expect(await names(app, `?search=${encodeURIComponent('","')}`)).toEqual([]);
    expect(await names(app, '?search=%25')).toEqual([]);
  });

  test('filters by modification time', async () => {
    const app = await openTestApp();
    const day = 86_400_000;
    const now = app.clock.now;
    for (const [name, days] of [
      ['old', 10],
      ['new', 1],
      ['today', 0],
    ] as const) {
      app.clock.now = now - days * day;
      await storeInsight(app, { name });
    }
    app.clock.now = now;
    expect(await names(app, '?date_from=-7d')).toEqual(['new', 'today']);
    expect(await names(app, '?date_from=-999999y')).toEqual(['old', 'new', 'today']);
    expect(await names(app, '?date_from=-7d&date_to=-1h')).toEqual(['new']);
    expect(await names(app, '?date_from=2026-11-19&date_to=2026-11-19')).toEqual(['new']);
    expect(await names(app, '?date_to=2026-11-19T09:30:00Z')).toEqual(['old', 'new']);
    expect((await app.ask(`${INSIGHTS}?date_from=soon`)).json).toMatchObject({ attr: 'date_from' });
  });

  test('filters by type, including insights with old filters', async () => {
    const app = await openTestApp();
    const queries = {
      TRENDS: wrapped({ kind: 'TrendsQuery', series }),
      FUNNELS: { kind: 'FunnelsQuery', series: [...series, ...series] },
      RETENTION: wrapped({ kind: 'RetentionQuery', retentionFilter: {} }),
      PATHS: wrapped({ kind: 'PathsQuery' }),
      STICKINESS: wrapped({ kind: 'StickinessQuery', series }),
      LIFECYCLE: wrapped({ kind: 'LifecycleQuery', series }),
      SQL: { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'select 1' } },
      JSON: { kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['event'] } },
    };
    for (const [name, query] of Object.entries(queries)) await storeInsight(app, { name, query });
    await storeInsight(app, { name: 'old', filters: { insight: 'TRENDS', events: [{ id: 'signup' }] } });
    await storeInsight(app, { name: 'empty' });
    for (const name of Object.keys(queries)) {
      expect(await names(app, `?insight=${name}`)).toEqual(name === 'TRENDS' ? [name, 'old'] : [name]);
    }
    expect((await app.ask(`${INSIGHTS}?insight=PIE`)).json).toMatchObject({
      code: 'invalid_choice',
      attr: 'insight',
    });
  });

  test('filters by all of several dashboards', async () => {
    const app = await openTestApp();
    const [one, two] = [await makeDashboard(app), await makeDashboard(app)];
    await storeInsight(app, { name: 'one', dashboards: [one] });
    await storeInsight(app, { name: 'both', dashboards: [one, two] });
    expect(await names(app, `?dashboards=[${one}]`)).toEqual(['one', 'both']);
    expect(await names(app, `?dashboards=[${one},${two},${two}]`)).toEqual(['both']);
    expect(await names(app, `?dashboards=[${one},99]`)).toEqual([]);
    expect(await names(app, '?dashboards=[]')).toEqual(['one', 'both']);
    expect((await app.ask(`${INSIGHTS}?dashboards=one`)).json).toMatchObject({ attr: 'dashboards' });
  });

  test('filters by flag', async () => {
    const app = await openTestApp();
    const leaf = { key: '$feature/new-nav', value: 'true', type: 'event', operator: 'exact' };
    const calls = { key: '$feature_flag', value: 'new-nav', type: 'event' };
    await storeInsight(app, {
      name: 'property',
      query: wrapped({ kind: 'TrendsQuery', series, properties: [leaf] }),
    });
    await storeInsight(app, {
      name: 'calls',
      query: wrapped({ kind: 'TrendsQuery', series, properties: [calls] }),
    });
    await storeInsight(app, { name: 'other', query: SIGNUPS });
    expect(await names(app, '?feature_flag=new-nav')).toEqual(['property', 'calls']);
    expect(await names(app, '?feature_flag=new')).toEqual([]);
  });

  test('combines several filters, and ignores empty and unknown ones', async () => {
    const app = await openTestApp();
    await storeInsight(app, { name: 'a', saved: true, tags: ['x'] });
    await storeInsight(app, { name: 'b', saved: true });
    expect(await names(app, '?saved=true&search=x&user=true&favorited=false')).toEqual(['a']);
    expect(await names(app, '?search=&insight=&dashboards=&refresh=&anything=7')).toEqual(['a', 'b']);
  });
});

test('a list runs two statements, for any number of insights and dashboards, once the project is loaded', async () => {
  const { store, count } = await openCountedStore();
  const app = await openTestApp({ store });
  const asked = () => count(async () => void (await names(app)));
  const before = await asked();
  const boards = [await makeDashboard(app), await makeDashboard(app)];
  for (let n = 0; n < 20; n++)
    await storeInsight(app, { name: `Insight ${n}`, query: SIGNUPS, dashboards: boards });
  // Two more say what queries must know of the project.
  expect(await asked()).toBeLessThanOrEqual(4);
  expect(await asked()).toBeLessThanOrEqual(2);
  expect(before).toBeLessThanOrEqual(2);
  const one = await count(() => app.ask(`${INSIGHTS}1/`));
  const placed = await count(() => app.ask(`${INSIGHTS}1/?from_dashboard=${boards[0]}`));
  expect([one, placed]).toEqual([2, 3]);
});
