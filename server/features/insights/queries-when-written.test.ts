import { describe, expect, test } from 'vitest';
import {
  insightAt,
  INSIGHTS,
  patchInsight,
  postInsight,
  storeInsight,
} from '../../../test/support/insights.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const trends = (fields: object, series: object = VISIT) => ({
  kind: 'TrendsQuery',
  series: [VISIT, series],
  ...fields,
});
const wrapped = (source: object) => ({ kind: 'InsightVizNode', source });
const sql = (query: string) => ({ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query } });
const ofCohort = (value: number) => [{ type: 'cohort', key: 'id', value }];

/** What cannot be answered, and how the refusal begins. */
const REFUSED: readonly [query: object, detail: string][] = [
  [sql('select 1 +'), '"source.query": Line 1, column '],
  [sql('select 1\nfrom evnts'), '"source.query": Line 2, column 6: Unknown table "evnts".'],
  [sql('select nope(1)'), '"source.query": Line 1, column 8: '],
  [sql('select nope from events'), '"source.query": Line 1, column 8: '],
  [sql("select 1 from events where matchesAction('x')"), '"source.query": Line 1, column 42: '],
  [sql('select {variables.nobody}'), '"source.query": Line 1, column 8: '],
  [{ kind: 'HogQLQuery', query: 'select' }, '"query": Line 1, column '],
  [
    { kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['event', 'count(', 'uuid'] } },
    '"source.select.1": Line 1, column ',
  ],
  [
    { kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['event', 'nope + 1'] } },
    '"source.select.1": Line 1, column 1: ',
  ],
  [
    {
      kind: 'DataTableNode',
      source: { kind: 'EventsQuery', select: ['event'], where: ['1 = 1', 'moon(2)'] },
    },
    '"source.where.1": Line 1, column 1: ',
  ],
  [trends({}, { ...VISIT, math: 'avg' }), '"series.1": '],
  [trends({}, { ...VISIT, math: 'hogql' }), '"series.1": '],
  [trends({}, { ...VISIT, math: 'unique_group' }), '"series.1": '],
  [
    wrapped(trends({}, { ...VISIT, math: 'hogql', math_hogql: 'moon()' })),
    '"source.series.1.math_hogql": Line 1',
  ],
  [wrapped(trends({ trendsFilter: { formula: 'A +' } })), '"source.trendsFilter.formula": Line 1, column '],
  [
    wrapped(trends({ trendsFilter: { formulas: ['A', 'A + D'] } })),
    '"source.trendsFilter.formulas.1": Line 1, column 5: Series D does not exist',
  ],
  [
    wrapped(trends({ breakdownFilter: { breakdown_type: 'hogql', breakdown: 'moon(1)' } })),
    '"source.breakdownFilter.breakdown": Line 1, column 1: ',
  ],
  [
    wrapped(trends({ breakdownFilter: { breakdown_type: 'cohort', breakdown: [0, 77] } })),
    '"source.breakdownFilter.breakdown.1": Cohort 77 does not exist in this project.',
  ],
  [wrapped(trends({ properties: ofCohort(77) })), '"source.properties.0.value": Cohort 77 does not exist'],
  [
    wrapped(trends({ properties: [{ type: 'hogql', key: 'a b c' }] })),
    '"source.properties.0.key": Line 1, column ',
  ],
  [
    wrapped({ kind: 'FunnelsQuery', series: [VISIT, { ...VISIT, properties: ofCohort(77) }] }),
    '"source.series.1.properties.0.value": Cohort 77 does not exist',
  ],
];

describe('an invalid query is refused when an insight is written', () => {
  test.each(REFUSED)('%j', async (query, detail) => {
    const app = await openTestApp();
    const id = await storeInsight(app, { query: trends({}) });
    const answers = [
      await postInsight(app, { query }),
      await postInsight(app, { query, saved: false }),
      await patchInsight(app, id, { query }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.code, json.attr, json.detail.slice(0, detail.length)]).toEqual([
        400,
        'invalid_input',
        expect.toBeOneOf(['query', null]),
        detail,
      ]);
    }
    expect((await app.ask(INSIGHTS)).json.count).toBe(1);
  });

  test('the old form of a query as well', async () => {
    const app = await openTestApp();
    const filters = { insight: 'TRENDS', events: [{ id: 'visit', math: 'hogql', math_hogql: 'moon()' }] };
    const { status, json } = await postInsight(app, { filters });
    expect([status, json.detail]).toEqual([400, expect.stringContaining('math_hogql": Line 1, column 1')]);
  });
});

const makeCohort = async (app: TestApp): Promise<number> => {
  const filters = {
    properties: { type: 'OR', values: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }] },
  };
  return (await app.ask('/api/projects/1/cohorts/', { method: 'POST', body: { name: 'Pro', filters } })).json
    .id;
};

test('a cohort that is deleted later does not invalidate the insight: its unchanged query is accepted', async () => {
  const app = await openTestApp();
  const cohort = await makeCohort(app);
  const query = wrapped(trends({ properties: ofCohort(cohort) }));
  const id = await storeInsight(app, { query });
  await app.ask(`/api/projects/1/cohorts/${cohort}/`, { method: 'PATCH', body: { deleted: true } });
  const kept = await patchInsight(app, id, { name: 'Named', query });
  expect([kept.status, kept.json.query]).toEqual([200, query]);
  const shown = (await app.ask(`${insightAt(id)}?refresh=blocking`)).json;
  expect(shown.query_status.error_message).toContain(`Cohort ${cohort} does not exist`);
  const changed = wrapped(trends({ properties: ofCohort(cohort), interval: 'week' }));
  expect((await patchInsight(app, id, { query: changed })).status).toBe(400);
});

test('a query that depends on data, on dashboard dates or on settings is accepted', async () => {
  const app = await openTestApp();
  const path = '/api/projects/1/';
  const variable = await app.ask(`${path}insight_variables/`, {
    method: 'POST',
    body: { name: 'Plan', type: 'String' },
  });
  expect(variable.status).toBe(201);
  for (const query of [
    sql('select count() from events where timestamp > {filters.dateRange.from} and {filters}'),
    sql('select {variables.plan}'),
    sql("select group_0.properties.name, properties.never from events where event = 'never'"),
    trends({
      properties: [{ type: 'group', key: 'name', value: 'a', operator: 'exact', group_type_index: 3 }],
    }),
    trends({}, { ...VISIT, math: 'unique_group', math_group_type_index: 2 }),
    trends({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } }),
    { kind: 'RetentionQuery', retentionFilter: {} },
    { kind: 'LifecycleQuery', series: [VISIT], dateRange: { date_from: 'all' } },
  ]) {
    const { status, text } = await postInsight(app, { query });
    expect([status, text.slice(0, 200)], JSON.stringify(query)).toEqual([201, expect.anything()]);
  }
});

test('an invalid query in a template is refused with the tile', async () => {
  const app = await openTestApp();
  const tile = (query: object) => ({ type: 'INSIGHT', name: 'A', query });
  const template = {
    template_name: 'Two',
    dashboard_description: '',
    dashboard_filters: {},
    tags: [],
    tiles: [tile(trends({})), tile(sql('select nope from events'))],
  };
  const path = '/api/projects/1/dashboards/create_from_template_json/';
  const { status, json } = await app.ask(path, { method: 'POST', body: { template } });
  expect([status, json.code, json.detail]).toEqual([
    400,
    'invalid_input',
    expect.stringMatching(/^tiles\.1\.query: "source\.query": Line 1, column 8: /),
  ]);
  expect((await app.ask(INSIGHTS)).json.count).toBe(0);
});
