import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writtenOf, ODD_TEXTS } from '../../../test/support/arbitrary-of-schema.ts';
import { patchInsight, postInsight } from '../../../test/support/insights.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { breakdownFilter } from './node-schema.ts';
import { INSIGHT_KINDS } from './query-kinds.ts';

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
    'breakdown_filter',
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
    'steps__1__properties',
  ],
];

describe('unreadable filters and settings are refused on write', () => {
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

  test('stored values stay, and can be sent back unchanged', async () => {
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

test('A-1 a stored query with a refused field is computed without it, and its warning names the field', async () => {
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

test('filters of test accounts that were stored earlier and cannot be read are named in a warning', async () => {
  const app = await openTestApp();
  const stored = [{ key: 'plan', type: 'event', operator: 'is_not', value: 'test' }, { value: 3 }];
  await app.ask(`${P}/`, { method: 'PATCH', body: { test_account_filters: [stored[0]] } });
  const broken = JSON.stringify({ api: { test_account_filters: stored } });
  await app.store.db.run('UPDATE projects SET settings = $broken WHERE id = 1', { broken });
  const later = await openTestApp({ store: app.store });
  const warnings = [
    {
      field: 'test_account_filters',
      message: expect.stringMatching(
        /^The project's test_account_filters: Filter 2 is not valid and was ignored/,
      ),
      start: null,
      end: null,
    },
  ];
  const query = { ...TRENDS, filterTestAccounts: true };
  const answer = (await post(later, 'query/', { query })).json;
  expect([answer.warnings, answer.hogql]).toEqual([warnings, expect.stringContaining("'test'")]);
  expect((await post(later, 'query/', { query: TRENDS })).json).not.toHaveProperty('warnings');
  const { id } = (await postInsight(later, { query })).json;
  const shown = (await later.ask(`${P}/insights/${id}/?refresh=blocking`)).json;
  expect([shown.warnings, shown.result.length]).toEqual([warnings, 1]);
});

test.each([
  ['filters_override', { date_from: 'nonsense' }],
  ['filters_override', { dates: '-7d' }],
  ['filters_override', { properties: [{ key: 'a', operator: 'regex', value: '(' }] }],
  ['variables_override', { plan: 'pro' }],
  ['variables_override', { plan: [{ value: 'pro' }] }],
])('GET of a dashboard with %s=%j is refused', async (parameter, value) => {
  const app = await openTestApp();
  const { id } = (await post(app, 'dashboards/', {})).json;
  const search = `?${parameter}=${encodeURIComponent(JSON.stringify(value))}`;
  for (const path of [`${P}/dashboards/${id}/`, `${P}/dashboards/${id}/stream_tiles/`]) {
    const { status, json } = await app.ask(path + search);
    expect([status, json.code, json.attr]).toEqual([400, 'invalid_input', parameter]);
  }
});

const DATES = [
  '-7d',
  '-1m',
  'mStart',
  'all',
  '',
  '2026-03-04',
  '2026-03-04T05:06:07Z',
  'nonsense',
  '2026-13-45',
];
const LEAF = fc.record(
  {
    key: fc.constantFrom('plan', 'selector', 'text', 'event', '$session_duration', '', '$virt_x'),
    type: fc.constantFrom('event', 'person', 'element', 'group', 'feature', 'event_metadata', 'empty', null),
    operator: fc.constantFrom(
      'exact',
      'is_not',
      'regex',
      'between',
      'is_date_after',
      'gt',
      'is_set',
      'semver_gt',
    ),
    value: fc.oneof(
      fc.constantFrom<unknown>(
        'a',
        'a, b',
        '(',
        '[0-9]+',
        '-7d',
        '2026-01-02',
        3,
        [1, 2],
        ['x'],
        [],
        null,
        true,
      ),
      fc.constantFrom(...ODD_TEXTS),
    ),
    group_type_index: fc.constantFrom(0, 1, undefined),
  },
  { requiredKeys: ['key', 'operator', 'value'] },
);
const FILTERS = fc.oneof(
  fc.array(LEAF, { maxLength: 2 }),
  fc.record({ type: fc.constantFrom('AND', 'OR'), values: fc.array(LEAF, { maxLength: 2 }) }),
);

describe('everything accepted on write can be read', () => {
  test('filters of dashboards, over an insight and over SQL', async () => {
    const app = await openTestApp();
    const insights = [
      (await postInsight(app, { query: TRENDS })).json.id,
      (
        await postInsight(app, {
          query: { kind: 'HogQLQuery', query: 'select 1 from events where {filters}' },
        })
      ).json.id,
    ];
    const { id } = (await post(app, 'dashboards/', {})).json;
    const path = `${P}/dashboards/${id}/`;
    await app.ask(path, { method: 'PATCH', body: { tiles: insights.map((insight) => ({ insight })) } });
    let accepted = 0;
    const filters = fc.record(
      {
        date_from: fc.constantFrom(...DATES),
        date_to: fc.constantFrom(...DATES.filter((text) => text !== 'all')),
        explicitDate: fc.constantFrom(true, 'false', null),
        properties: FILTERS,
        breakdown_filter: writtenOf(breakdownFilter, {
          breakdown_type: ['event', 'person', 'session', 'moon'],
        }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (sent) => {
        const saved = await app.ask(path, { method: 'PATCH', body: { filters: sent } });
        if (saved.status === 400) return;
        accepted++;
        const shown = await app.ask(`${path}?refresh=blocking`);
        expect([shown.status, shown.json.tiles.length]).toEqual([200, 2]);
        for (const tile of shown.json.tiles) expect(failureOf(tile), JSON.stringify(sent)).toBeNull();
      }),
      { numRuns: 150 },
    );
    expect(accepted).toBeGreaterThan(10);
  }, 120_000);

  test('steps of actions, by lists of events and by queries', async () => {
    const app = await openTestApp();
    let accepted = 0;
    const word = fc.constantFrom<unknown>('a', 'a.b > c', 'a, b', '(', '[0-9]', null, ...ODD_TEXTS);
    const matching = fc.constantFrom('contains', 'regex', 'exact', null);
    const texts = { event: word, selector: word, tag_name: word, text: word, href: word, url: word };
    const ways = { text_matching: matching, href_matching: matching, url_matching: matching };
    const step = fc.record(
      { ...texts, ...ways, properties: fc.array(LEAF, { maxLength: 1 }) },
      { requiredKeys: [] },
    );
    const { id } = (await post(app, 'actions/', { name: 'Any' })).json;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 2 }), async (steps) => {
        const saved = await app.ask(`${P}/actions/${id}/`, { method: 'PATCH', body: { steps } });
        if (saved.status === 400) return;
        accepted++;
        const query = { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id }] };
        const answers = [await post(app, 'query/', { query }), await app.ask(`${P}/events/?action_id=${id}`)];
        // Filters of types that queries alone know are refused by the deprecated list, by their name.
        const isShared = steps.every(({ properties = [] }) => properties.every(isOfLists));
        expect(
          answers.map(({ status }) => status),
          JSON.stringify(steps),
        ).toEqual([200, isShared ? 200 : 400]);
      }),
      { numRuns: 80 },
    );
    expect(accepted).toBeGreaterThan(10);
  }, 120_000);

  test('filters of test accounts, by queries of events and lists of persons', async () => {
    const app = await openTestApp();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(LEAF, { minLength: 1, maxLength: 2 }), async (sent) => {
        const saved = await app.ask(`${P}/`, { method: 'PATCH', body: { test_account_filters: sent } });
        if (saved.status === 400) return;
        accepted++;
        const answer = await post(app, 'query/', { query: { ...TRENDS, filterTestAccounts: true } });
        expect([answer.status, answer.text.slice(0, 200)], JSON.stringify(sent)).toEqual([
          200,
          expect.anything(),
        ]);
      }),
      { numRuns: 60 },
    );
    expect(accepted).toBeGreaterThan(10);
  }, 120_000);

  test.each(Object.entries(INSIGHT_KINDS))(
    '%s never fails without an error message',
    async (_, schema) => {
      const app = await openTestApp();
      const words = {
        date_from: DATES,
        date_to: DATES,
        compare_to: ['-1w', ''],
        event: ['visit', null],
        properties: [[], [{ key: 'plan', type: 'event', operator: 'exact', value: 'a' }]],
        fixedProperties: [[]],
        breakdown_type: ['event', 'person', 'session'],
        display: ['ActionsBar', 'BoldNumber'],
        math: ['total', 'dau'],
      };
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(writtenOf(schema, words), async (query) => {
          const saved = await postInsight(app, { query });
          if (saved.status === 400) return;
          accepted++;
          expect(saved.status).toBe(201);
          const shown = await app.ask(`${P}/insights/${saved.json.id}/?refresh=blocking`);
          expect(shown.status).toBe(200);
          expect(failureOf({ insight: shown.json }) ?? '').not.toContain('server error');
        }),
        { numRuns: 40 },
      );
      expect(accepted).toBeGreaterThan(5);
    },
    120_000,
  );
});

/** The words that a tile shows in place of an answer; null when there is one. */
function failureOf({ error, insight }: { error?: { message: string }; insight: any }): string | null {
  return error?.message ?? insight.query_status?.error_message ?? null;
}

function isOfLists({ type }: { type?: unknown }): boolean {
  return type !== 'event_metadata' && type !== 'empty';
}
