import { describe, expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const DAY = '2026-11-18';
const AT = (hour: number): string => `${DAY}T${String(hour).padStart(2, '0')}:00:00Z`;
const SPAN = { date_from: DAY, date_to: DAY };
const EVENTS = [
  { id: 'view', order: 0 },
  { id: 'buy', order: 1 },
];

/** Ann views and buys, Bob views, Cy opens and closes within minutes. */
async function openWithEvents(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    { event: 'view', distinct_id: 'ann', timestamp: AT(1) },
    { event: 'buy', distinct_id: 'ann', timestamp: AT(2) },
    { event: 'view', distinct_id: 'bob', timestamp: AT(3) },
    { event: 'open', distinct_id: 'cy', timestamp: AT(4) },
    { event: 'close', distinct_id: 'cy', timestamp: AT(4).replace(':00:', ':10:') },
  ]);
  return app;
}

const compute = async (app: TestApp, path: string, filters: object) =>
  await app.ask(`/api/projects/1/insights/${path}/`, { method: 'POST', body: filters });

const asParameters = (filters: object): string =>
  new URLSearchParams(
    Object.entries(filters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

describe('M9.6 old filters without an insight', () => {
  test('are computed as a trend, a funnel, a retention and a path, from a body and from parameters alike', async () => {
    const app = await openWithEvents();
    const entity = (id: string) => ({ id, name: id, type: 'events' });
    const asked: [string, object, (result: any) => unknown, unknown][] = [
      ['trend', { events: EVENTS, ...SPAN }, (result) => result.map(({ data }: any) => data), [[2], [1]]],
      [
        'trend',
        { insight: 'LIFECYCLE', events: EVENTS, ...SPAN },
        (result) => result.find(({ status }: any) => status === 'new').data,
        [2],
      ],
      [
        'trend',
        { insight: 'STICKINESS', events: EVENTS, ...SPAN },
        (result) => result.map(({ data }: any) => data),
        [[2], [1]],
      ],
      [
        'funnel',
        { insight: 'TRENDS', events: EVENTS, ...SPAN },
        (result) => result.map(({ count }: any) => count),
        [2, 1],
      ],
      [
        'retention',
        {
          target_entity: entity('view'),
          returning_entity: entity('buy'),
          period: 'Hour',
          total_intervals: 3,
          date_to: AT(3),
        },
        (result) => result.map(({ values }: any) => values.map(({ count }: any) => count)),
        [[1, 1, 0], [0, 0], [1]],
      ],
      [
        'path',
        { include_event_types: ['custom_event'], ...SPAN },
        (result) => result.map(({ source, target, value }: any) => [source, target, value]),
        [['1_open', '2_close', 1]],
      ],
    ];
    for (const [path, filters, read, expected] of asked) {
      const posted = await compute(app, path, filters);
      expect(posted.status, path).toBe(200);
      expect(read(posted.json.result), path).toEqual(expected);
      expect(posted.json).toMatchObject({ timezone: 'UTC', next: null, query_status: null });
      const got = await app.ask(`/api/environments/1/insights/${path}/?${asParameters(filters)}`);
      expect(got.json.result).toEqual(posted.json.result);
    }
  });

  test('use cached results, unless a refresh is requested', async () => {
    const app = await openWithEvents();
    const filters = { events: EVENTS, ...SPAN };
    const known = async (more: object) => (await compute(app, 'trend', { ...filters, ...more })).json;
    expect(await known({ refresh: 'force_cache' })).toMatchObject({
      result: null,
      last_refresh: null,
      timezone: 'UTC',
    });
    expect(await known({})).toMatchObject({
      is_cached: false,
      hogql: expect.stringContaining('FROM events'),
    });
    expect((await known({})).is_cached).toBe(true);
    expect((await known({ refresh: true })).is_cached).toBe(false);
  });

  test('that are invalid are refused with the error', async () => {
    const app = await openWithEvents();
    for (const [path, filters, told] of [
      ['trend', { events: EVENTS, interval: 'fortnight' }, "'interval'"],
      ['trend', {}, "'series'"],
      ['funnel', { events: [EVENTS[0]] }, "'series'"],
      ['retention', { period: 'Fortnight' }, "'retentionFilter.period'"],
    ] as const) {
      const { status, json } = await compute(app, path, filters);
      expect([status, json.code]).toEqual([400, 'parse_error']);
      expect(json.detail).toContain(told);
    }
    expect((await app.ask('/api/projects/1/insights/trend/?events=%5B')).status).toBe(400);
  });
});
