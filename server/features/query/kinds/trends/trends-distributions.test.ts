import { describe, expect, test } from 'vitest';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

const sent = (time: string, more: Partial<SentEvent> = {}): SentEvent => ({
  event: 'paid',
  distinct_id: 'ana',
  timestamp: `2026-11-${time}Z`,
  ...more,
});

async function post(app: TestApp, query: object) {
  const all = {
    kind: 'TrendsQuery',
    dateRange: { date_from: '2026-11-16', date_to: '2026-11-18' },
    ...query,
  };
  return await app.ask('/api/projects/1/query/', { method: 'POST', body: { query: all } });
}

async function ask(app: TestApp, query: object) {
  const { status, json } = await post(app, query);
  expect(json).not.toHaveProperty('detail');
  expect(status).toBe(200);
  return json.results;
}

const PAID = { kind: 'EventsNode', event: 'paid' };

describe('M9.9 a box plot', () => {
  const BOXES = { trendsFilter: { display: 'BoxPlot' } };
  const PRICE = { ...PAID, math_property: 'price' };
  const price = (time: string, value: number | string, more: object = {}): SentEvent =>
    sent(time, { properties: { price: value, ...more } });

  test('has the quartiles, both ends and the mean of the numbers of each interval, and zeros for none', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      ...[1, 2, 3, 4, 10].map((value) => price('16T10:00:00', value)),
      price('17T10:00:00', 'free'),
      sent('17T11:00:00'),
      price('18T10:00:00', 7),
    ]);
    const day = (text: string, label: string, numbers: object) => ({
      day: text,
      label,
      series_index: 0,
      series_label: 'paid - price',
      ...numbers,
    });
    expect(await ask(app, { ...BOXES, series: [PRICE] })).toEqual([
      day('2026-11-16', '16-Nov-2026', { min: 1, p25: 2, median: 3, p75: 4, max: 10, mean: 4, count: 5 }),
      day('2026-11-17', '17-Nov-2026', { min: 0, p25: 0, median: 0, p75: 0, max: 0, mean: 0, count: 0 }),
      day('2026-11-18', '18-Nov-2026', { min: 7, p25: 7, median: 7, p75: 7, max: 7, mean: 7, count: 1 }),
    ]);
  });

  test('has each series one after the other, with filters, names and factors of its own', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      price('16T10:00:00', 2, { plan: 'pro' }),
      price('16T11:00:00', 4, { plan: 'free' }),
    ]);
    const pro = { properties: [{ key: 'plan', value: 'pro', type: 'event', operator: 'exact' }] };
    const found = await ask(app, {
      ...BOXES,
      dateRange: { date_from: '2026-11-16', date_to: '2026-11-16' },
      series: [
        { ...PRICE, ...pro },
        { ...PRICE, math_multiplier: 100, custom_name: 'Cents' },
      ],
    });
    expect(found).toMatchObject([
      { series_index: 0, series_label: 'paid - price', median: 2 },
      { series_index: 1, series_label: 'Cents - price', min: 200, median: 300, max: 400 },
    ]);
  });

  test('takes a session once, whatever its events', async () => {
    const app = await openTestApp();
    const visit = (time: string, id: string) => sent(time, { properties: { $session_id: id } });
    await sendEvents(app, [
      visit('16T10:00:00', 's1'),
      visit('16T10:00:10', 's1'),
      visit('16T10:00:20', 's1'),
      visit('16T11:00:00', 's2'),
    ]);
    const series = [
      { ...PAID, math_property: '$session_duration', math_property_type: 'session_properties' },
    ];
    expect((await ask(app, { ...BOXES, series }))[0]).toMatchObject({ min: 0, max: 20, mean: 10, count: 2 });
  });

  test.each([
    [{ series: [PAID] }, 'A box plot requires a property with numbers in each series (math_property).'],
    [
      { series: [PRICE], breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } },
      'A box plot has no breakdown: remove it first.',
    ],
    [{ series: [PRICE], compareFilter: { compare: true } }, 'A box plot has no comparison: remove it first.'],
  ])('refuses %o', async (query, detail) => {
    const app = await openTestApp();
    const answer = await post(app, { ...BOXES, ...query });
    expect([answer.status, answer.json.detail]).toEqual([400, detail]);
  });
});

describe('M9.9 a calendar heatmap', () => {
  const HEATMAP = { trendsFilter: { display: 'CalendarHeatmap' } };

  test('counts events by weekday and hour of the time zone, with sums of both', async () => {
    const app = await openTestApp();
    expect(
      (await app.ask('/api/projects/1/', { method: 'PATCH', body: { timezone: 'Asia/Kolkata' } })).status,
    ).toBe(200);
    await sendEvents(app, [
      // 23:45 on Monday there.
      sent('16T18:15:00'),
      // 00:15 on Tuesday.
      sent('16T18:45:00'),
      sent('16T18:50:00', { distinct_id: 'ben' }),
      sent('17T18:45:00', { event: 'other' }),
    ]);
    const [result] = await ask(app, { ...HEATMAP, series: [PAID] });
    expect(result).toMatchObject({
      label: 'paid',
      data: [],
      count: 3,
      aggregated_value: 3,
      calendar_heatmap_data: {
        data: [
          { row: 1, column: 23, value: 1 },
          { row: 2, column: 0, value: 2 },
        ],
        rowAggregations: [
          { row: 1, value: 1 },
          { row: 2, value: 2 },
        ],
        columnAggregations: [
          { column: 0, value: 2 },
          { column: 23, value: 1 },
        ],
        allAggregations: 3,
      },
    });
  });

  test('counts persons once, where their sessions began', async () => {
    const app = await openTestApp();
    const visit = (time: string, who: string, id: string) =>
      sent(time, { distinct_id: who, properties: { $session_id: id } });
    await sendEvents(app, [
      visit('16T10:59:00', 'ana', 's1'),
      visit('16T11:01:00', 'ana', 's1'),
      visit('17T10:00:00', 'ana', 's2'),
      visit('17T10:30:00', 'ben', 's3'),
      sent('18T10:00:00', { distinct_id: 'cem' }),
    ]);
    const [result] = await ask(app, { ...HEATMAP, series: [{ ...PAID, math: 'dau' }] });
    expect(result.calendar_heatmap_data).toEqual({
      data: [
        { row: 1, column: 10, value: 1 },
        { row: 2, column: 10, value: 2 },
      ],
      rowAggregations: [
        { row: 1, value: 1 },
        { row: 2, value: 2 },
      ],
      columnAggregations: [{ column: 10, value: 2 }],
      allAggregations: 2,
    });
  });

  test('refuses other aggregations, and has zero where nothing happened', async () => {
    const app = await openTestApp();
    const sum = { ...PAID, math: 'sum', math_property: 'price' };
    expect((await post(app, { ...HEATMAP, series: [sum] })).json.detail).toBe(
      'A calendar heatmap counts events (math total) or persons (math dau).',
    );
    const [result] = await ask(app, { ...HEATMAP, series: [PAID] });
    expect(result).toMatchObject({ count: 0, calendar_heatmap_data: { data: [], allAggregations: 0 } });
  });
});

test('M9.9 box plots and calendar heatmaps are exported with all numbers, and take no breakdown of a dashboard', async () => {
  const app = await openTestApp();
  await sendEvents(app, [sent('16T10:00:00', { properties: { price: 3 } })]);
  const P = '/api/projects/1/';
  const dashboard = await app.ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Both' } });
  const create = async (display: string) => {
    const range = { date_from: '2026-11-16', date_to: '2026-11-16' };
    const series = [{ ...PAID, math_property: 'price' }];
    const source = { kind: 'TrendsQuery', dateRange: range, series, trendsFilter: { display } };
    const body = { query: { kind: 'InsightVizNode', source }, dashboards: [dashboard.json.id] };
    return (await app.ask(`${P}insights/`, { method: 'POST', body })).json;
  };
  const [boxes, heatmap] = [await create('BoxPlot'), await create('CalendarHeatmap')];
  const csv = async (id: number) =>
    (await app.ask(`${P}insights/${id}/?format=csv&refresh=blocking`)).text.trim().split('\n');
  expect(await csv(boxes.id)).toEqual([
    'day,label,series_index,series_label,min,p25,median,p75,max,mean,count',
    '2026-11-16,16-Nov-2026,0,paid - price,3,3,3,3,3,3,1',
  ]);
  expect(await csv(heatmap.id)).toEqual(['series,weekday,hour,value', 'paid,1,10,1']);

  const filters = encodeURIComponent(
    JSON.stringify({ breakdown_filter: { breakdown: 'plan', breakdown_type: 'event' } }),
  );
  const { tiles } = (
    await app.ask(`${P}dashboards/${dashboard.json.id}/?refresh=blocking&filters_override=${filters}`)
  ).json;
  expect(tiles.map(({ insight }: { insight: { result: unknown[] } }) => insight.result.length)).toEqual([
    1, 1,
  ]);
});
