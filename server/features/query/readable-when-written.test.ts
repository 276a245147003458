import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { valuesOf, ODD_TEXTS, KnownId } from '../../../test/support/arbitrary-of-schema.ts';
import { patchInsight, postInsight } from '../../../test/support/insights.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { trendsQuery } from './kinds/insight-kinds.contract.ts';
import { dashboardFilters } from './kinds/dashboard-filters.contract.ts';
import { stepBody } from '../actions/actions.contract.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const TRENDS = { kind: 'TrendsQuery', series: [VISIT] };
const P = '/api/projects/1';

const post = (app: TestApp, path: string, body: unknown) => app.ask(`${P}/${path}`, { method: 'POST', body });

/** Bodies that a reader would refuse later, and the field that the refusal names. */
const UNREADABLE: readonly [path: string, body: object, named: string][] = [
  ['dashboards/', { filters: { date_from: 'nonsense' } }, '"date_from"'],
  ['dashboards/', { filters: { date_to: 'all' } }, '"date_to"'],
  ['dashboards/', { filters: { properties: [{ key: 'a', operator: 'regex', value: '(' }] } }, '"properties"'],
  [
    'dashboards/',
    { filters: { properties: [{ key: 'a', operator: 'between', value: [1] }] } },
    '"properties"',
  ],
  [
    'dashboards/',
    { filters: { breakdown_filter: { breakdown: 'a', breakdown_type: 'moon' } } },
    'breakdown_type',
  ],
  ['dashboards/', { filters: { dates: '-7d' } }, '"dates"'],
  ['insights/', { query: { ...TRENDS, dateRange: { date_from: 'nonsense' } } }, '"dateRange.date_from"'],
  ['insights/', { query: { ...TRENDS, compareFilter: { compare: true, compare_to: '1w' } } }, 'compare_to'],
  [
    'insights/',
    {
      query: {
        ...TRENDS,
        properties: [{ key: 'selector', type: 'element', operator: 'exact', value: 'a, b' }],
      },
    },
    '"properties"',
  ],
  [
    'insights/',
    {
      query: {
        ...TRENDS,
        properties: [{ key: 'moon', type: 'event_metadata', operator: 'exact', value: 1 }],
      },
    },
    '"properties"',
  ],
  [
    'insights/',
    { query: { kind: 'PathsQuery', pathsFilter: { localPathCleaningFilters: [{ regex: '(' }] } } },
    'regex',
  ],
  [
    'insights/',
    { filters: { insight: 'TRENDS', events: [{ id: 'a' }], date_from: 'nonsense' } },
    'date_from',
  ],
  ['actions/', { name: 'Bought', steps: [{ selector: 'a, button' }] }, 'steps__0__selector'],
  ['actions/', { name: 'Bought', steps: [{ url: '(', url_matching: 'regex' }] }, 'steps__0__url'],
  [
    'actions/',
    {
      name: 'Bought',
      steps: [{ event: 'a' }, { properties: [{ key: 'a', operator: 'is_date_after', value: 'x' }] }],
    },
    'steps__1__properties__0',
  ],
];

describe('what a reader would refuse is refused when it is written', () => {
  test.each(UNREADABLE)('POST %s %j', async (path, body, named) => {
    const app = await openTestApp();
    const { status, json } = await post(app, path, body);
    expect([status, json.code]).toEqual([400, 'invalid_input']);
    expect(`${json.attr} ${json.detail}`).toContain(named);
  });

  test('filters of a tile and settings of a project as well', async () => {
    const app = await openTestApp();
    const insight = (await postInsight(app, { query: TRENDS })).json.id;
    const dashboard = (await post(app, 'dashboards/', {})).json.id;
    const tile = await post(app, `dashboards/${dashboard}/tiles/`, {
      insight,
      filters_overrides: { date_from: 'nonsense' },
    });
    const tiles = [{ insight, filters_overrides: { date_from: 'nonsense' } }];
    const whole = await app.ask(`${P}/dashboards/${dashboard}/`, { method: 'PATCH', body: { tiles } });
    for (const { status, json } of [whole, ...(tile.status === 404 ? [] : [tile])]) {
      expect([status, json.attr]).toEqual([400, 'filters_overrides']);
    }
    for (const body of [
      { test_account_filters: [{ key: 'email', operator: 'regex', value: '(', type: 'person' }] },
      { test_account_filters: [{ value: 3 }] },
      { path_cleaning_filters: [{ regex: '(', alias: 'x' }] },
    ]) {
      const { status, json } = await app.ask(`${P}/`, { method: 'PATCH', body });
      expect([status, json.attr]).toEqual([400, Object.keys(body)[0]]);
    }
  });

  test('what is stored already stays, and can be sent back unchanged', async () => {
    const app = await openTestApp();
    const query = { ...TRENDS, excludeIncompletePeriods: true };
    const { id } = (await postInsight(app, { query: TRENDS })).json;
    const filters = { date_from: 'nonsense' };
    const { id: dashboard } = (await post(app, 'dashboards/', {})).json;
    await app.store.db.run('UPDATE insights SET query = $query WHERE id = $id', {
      query: JSON.stringify(query),
      id,
    });
    await app.store.db.run('UPDATE dashboards SET filters = $filters WHERE id = $dashboard', {
      filters: JSON.stringify(filters),
      dashboard,
    });
    const saved = await patchInsight(app, id, { name: 'Named', query });
    expect([saved.status, saved.json.query]).toEqual([200, query]);
    expect((await patchInsight(app, id, { query: { ...query, interval: 'week' } })).status).toBe(400);
    const kept = await app.ask(`${P}/dashboards/${dashboard}/`, {
      method: 'PATCH',
      body: { filters, name: 'B' },
    });
    expect([kept.status, kept.json.filters]).toEqual([200, filters]);
  });
});

test('A-1 a stored query with a refused field answers as without it, and its warning names the field', async () => {
  const app = await openTestApp();
  const { id } = (await postInsight(app, { query: { kind: 'InsightVizNode', source: TRENDS } })).json;
  const query = { kind: 'InsightVizNode', source: { ...TRENDS, excludeIncompletePeriods: true } };
  await app.store.db.run('UPDATE insights SET query = $query WHERE id = $id', {
    query: JSON.stringify(query),
    id,
  });
  const shown = (await app.ask(`${P}/insights/${id}/?refresh=blocking`)).json;
  expect(shown.result).toHaveLength(1);
  expect(shown.warnings).toEqual([
    {
      message: 'source: "excludeIncompletePeriods" is not supported yet.',
      field: 'source.excludeIncompletePeriods',
      start: null,
      end: null,
    },
  ]);
});
