import { expect, test } from 'vitest';
import { openModelApp } from '../../../../../test/support/trends-model.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import type { RetentionRow } from '../../../../../test/support/retention-model.ts';

async function post(app: TestApp, query: object, status = 200) {
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
  return answer.json;
}

const BOUGHT = { id: 'bought', type: 'events' };
const RETENTION = {
  kind: 'RetentionQuery',
  dateRange: { date_to: '2026-11-17' },
  retentionFilter: { period: 'Day', totalIntervals: 4, targetEntity: BOUGHT, returningEntity: BOUGHT },
};

test('A13 a retention over HTTP has the shape of the contract, SQL that can be parsed, and persons of its cells', async () => {
  const app = await openModelApp();
  const answer = await post(app, RETENTION);
  const cell = (count: number, day: number) => ({ count, label: `Day ${day}`, aggregation_value: null });
  // On the 14th lin bought, on the 15th mo, on the 17th sam and lin.
  expect(answer.results).toEqual([
    {
      date: '2026-11-14T00:00:00Z',
      label: 'Day 0',
      values: [cell(1, 0), cell(0, 1), cell(0, 2), cell(1, 3)],
    },
    { date: '2026-11-15T00:00:00Z', label: 'Day 1', values: [cell(1, 0), cell(0, 1), cell(0, 2)] },
    { date: '2026-11-16T00:00:00Z', label: 'Day 2', values: [cell(0, 0), cell(0, 1)] },
    { date: '2026-11-17T00:00:00Z', label: 'Day 3', values: [cell(2, 0)] },
  ]);
  expect(answer).toMatchObject({ hasMore: false, error: null });
  const same = await post(app, { kind: 'HogQLQuery', query: answer.hogql });
  expect(same.results.map(([start]: [number]) => start).toSorted()).toEqual([0, 1, 3]);
  const actors = await post(app, {
    kind: 'ActorsQuery',
    source: { kind: 'InsightActorsQuery', source: RETENTION, interval: 0 },
    select: ['properties.plan', 'appearances'],
  });
  expect(actors.results).toEqual([['pro', [0, 3]]]);
  const places = await post(app, {
    kind: 'ActorsQuery',
    source: { kind: 'InsightActorsQuery', source: RETENTION, interval: 0 },
    select: ['day_0', 'day_1', 'day_2', 'day_3'],
  });
  expect(places.results).toEqual([[1, 0, 0, 1]]);
  const missing = { kind: 'InsightActorsQuery', source: RETENTION, interval: 9 };
  const refused = await post(app, { kind: 'ActorsQuery', source: missing }, 400);
  expect(refused).toMatchObject({ code: 'invalid_input', detail: 'The query does not have row 9.' });
});

test('M9.9 the persons of a cell of a retention by cohort are of that cohort only', async () => {
  const app = await openModelApp();
  const filters = { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } };
  const cohort = await app.ask('/api/projects/1/cohorts/', {
    method: 'POST',
    body: { name: 'Pro', filters },
  });
  const breakdown = [cohort.json.id as number, 'all'];
  const source = { ...RETENTION, breakdownFilter: { breakdown, breakdown_type: 'cohort' } };
  // On the 17th sam, who is free, and lin, who is pro, bought.
  const plansOf = async (value: number | string): Promise<string[]> => {
    const point = { kind: 'InsightActorsQuery', source, interval: 3, breakdown: value };
    const actors = await post(app, { kind: 'ActorsQuery', source: point, select: ['properties.plan'] });
    return (actors.results as [string][]).map(([plan]) => plan).toSorted();
  };
  expect(await plansOf(breakdown[0]!)).toEqual(['pro']);
  for (const all of ['all', '0', 0]) expect(await plansOf(all)).toEqual(['free', 'pro']);
  const stranger = { kind: 'InsightActorsQuery', source, interval: 3, breakdown: 99 };
  expect((await post(app, { kind: 'ActorsQuery', source: stranger }, 400)).detail).toContain('cohort 99');
});

test('M9.9 actions are start and return events, and changes of them are followed', async () => {
  const app = await openModelApp();
  const steps = [{ event: 'bought' }];
  const body = { name: 'Paid', steps };
  const created = await app.ask('/api/projects/1/actions/', { method: 'POST', body });
  const { id } = created.json as { id: number };
  const entity = { id, type: 'actions' };
  const query = {
    ...RETENTION,
    retentionFilter: { ...RETENTION.retentionFilter, targetEntity: entity, returningEntity: entity },
  };
  expect((await post(app, query)).results).toEqual((await post(app, RETENTION)).results);
  await app.ask(`/api/projects/1/actions/${id}/`, {
    method: 'PATCH',
    body: { steps: [{ event: 'nothing' }] },
  });
  const counts = ((await post(app, query)).results as RetentionRow[]).flatMap(({ values }) =>
    values.map(({ count }) => count),
  );
  expect(new Set(counts)).toEqual(new Set([0]));
});

test('M9.9.2 stickiness and lifecycle are computed over HTTP, with the persons of their data points', async () => {
  const app = await openModelApp();
  const shared = {
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: '2026-11-14', date_to: '2026-11-17' },
  };
  const stickiness = { kind: 'StickinessQuery', ...shared };
  const { results } = await post(app, stickiness);
  expect(results).toMatchObject([
    { data: [2, 1, 0, 0], labels: ['1 day', '2 days', '3 days', '4 days'], count: 3 },
  ]);
  const source = { kind: 'StickinessActorsQuery', source: stickiness, day: 2 };
  expect(
    (await post(app, { kind: 'ActorsQuery', source, select: ['properties.plan', 'interval_count'] })).results,
  ).toEqual([['pro', 2]]);
  const lifecycle = { kind: 'LifecycleQuery', ...shared };
  // All of them came to be in 2020.
  expect((await post(app, lifecycle)).results).toMatchObject([
    { status: 'new', data: [0, 0, 0, 0], label: 'bought - new' },
    { status: 'returning', data: [0, 0, 0, 0] },
    { status: 'resurrecting', data: [1, 1, 0, 2] },
    { status: 'dormant', data: [0, -1, -1, 0] },
  ]);
  const [{ action, ...rest }] = (await post(app, lifecycle)).results;
  expect(action).toEqual({ id: 'bought', name: 'bought', type: 'events', order: 0, math: 'total' });
  expect(Object.keys(rest).toSorted()).toEqual(['count', 'data', 'days', 'label', 'labels', 'status']);
  for (const kind of ['Lifecycle', 'Stickiness']) {
    const { detail } = await post(app, { kind: `${kind}Query`, series: [] }, 400);
    expect(detail).toContain(`${kind} insights require at least one series.`);
  }
  const gone = { kind: 'InsightActorsQuery', source: lifecycle, day: '2026-11-15', status: 'dormant' };
  expect(
    (await post(app, { kind: 'ActorsQuery', source: gone, select: ['properties.plan'] })).results,
  ).toEqual([['pro']]);
  const problems: [query: object, detail: string][] = [
    [{ intervalCount: 0 }, 'intervalCount must be a positive integer.'],
    [{ intervalCount: 366 }, 'intervalCount cannot exceed 365.'],
    [{ stickinessFilter: { stickinessCriteria: { operator: 'gte', value: -1 } } }, 'must be non-negative.'],
    [{ stickinessFilter: { stickinessCriteria: { operator: 'lte', value: 0 } } }, 'greater than 0.'],
  ];
  for (const [query, detail] of problems)
    expect((await post(app, { kind: 'StickinessQuery', ...shared, ...query }, 400)).detail).toContain(detail);
  const refused = { kind: 'StickinessQuery', ...shared, stickinessFilter: { computedAs: 'sideways' } };
  expect(await post(app, refused, 400)).toMatchObject({ type: 'validation_error' });
});
