import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { events, matches, NOW, trees } from '../../../test/support/filter-model.ts';
import { insertFiltered } from '../../../test/support/filter-store.ts';
import { openKindContext } from '../../../test/support/kind-context.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { field, from, select } from '../../hogql/build.ts';
import type { HogqlContext } from '../../hogql/hogql-context.ts';
import { formatElementsChain } from '../../lib/elements-chain.ts';
import { filterExpr, filterContext } from './filters.ts';

let store: Store;
let project = 0;

beforeAll(async () => {
  store = await openTestStore();
});

afterAll(() => store.close());

const known = { propertyType: () => null } as { propertyType: HogqlContext['propertyType'] };

/** The names of the events that filters find. */
async function find(projectId: number, properties: unknown, { propertyType } = known): Promise<number[]> {
  const kinds = await openKindContext(store, {
    now: NOW,
    propertyType,
    cohorts: [{ id: 1, name: 'Free', isStatic: false }],
  });
  const where = await filterExpr(properties, filterContext(kinds));
  const query = select({ select: [field('event')], from: from('events'), ...(where !== null && { where }) });
  const { results } = await askHogql(store, query, {
    projectId,
    propertyType,
    // All persons on the free plan.
    cohort: () => ({
      id: 1,
      sql: `SELECT id FROM persons WHERE project_id = $cohortProject AND json_extract_string(properties, '$.plan') = 'free'`,
      params: { cohortProject: projectId },
    }),
  });
  return results.map(([event]) => Number(event)).toSorted((a, b) => a - b);
}

/** Stores events by their properties, called by their places. */
async function storeEvents(
  list: readonly { properties?: object; chain?: string; distinctId?: string; at?: string }[],
): Promise<number> {
  const projectId = ++project;
  for (const [at, event] of list.entries()) {
    await store.db.run(
      `INSERT INTO events_recent VALUES ($seq, $projectId, $timestamp::TIMESTAMP, uuid(), $event, $distinctId, 0, $properties,
         $chain, now()::TIMESTAMP, false, false)`,
      {
        seq: projectId * 1000 + at,
        projectId,
        event: String(at),
        distinctId: event.distinctId ?? 'd',
        timestamp: event.at ?? '2026-11-20 09:00:00',
        properties: JSON.stringify(event.properties ?? {}),
        chain: event.chain ?? null,
      },
    );
  }
  return projectId;
}

describe('M9.9 filters of a query', () => {
  test(
    'find the same events as the rules written out in JavaScript, for any property types',
    { tags: ['deep'], timeout: 180_000 },
    async () => {
      const types = fc.constantFrom(null, 'String' as const);
      await fc.assert(
        fc.asyncProperty(
          fc.array(events, { minLength: 1, maxLength: 8 }),
          fc.array(trees, { minLength: 6, maxLength: 6 }),
          types,
          async (list, filters, type) => {
            const projectId = ++project;
            await insertFiltered(store, projectId, list);
            for (const filter of filters) {
              const expected = list.flatMap((event, at) => (matches(event, filter) ? [at] : []));
              expect(await find(projectId, filter, { propertyType: () => type })).toEqual(expected);
            }
          },
        ),
        { numRuns: 30 },
      );
    },
  );

  test('compare texts as stored where numbers, dates and booleans are expected', async () => {
    const projectId = await storeEvents([
      { properties: { x: '1.10' } },
      { properties: { x: 1.1 } },
      { properties: { x: true } },
      { properties: { x: '2026-03-04T01:00:00+02:00' } },
    ]);
    for (const type of ['Numeric', 'Boolean', 'DateTime', 'String'] as const) {
      const typed = { propertyType: () => type };
      const ask = (operator: string, value: unknown) =>
        find(projectId, [{ type: 'event', key: 'x', operator, value }], typed);
      expect(await ask('exact', '1.10')).toEqual([0]);
      expect(await ask('exact', ['1.1', 'TRUE'])).toEqual([1, 2]);
      expect(await ask('icontains', '-03-04')).toEqual([3]);
      expect(await ask('gt', 1)).toEqual([0, 1]);
      expect(await ask('is_date_exact', '2026-03-03')).toEqual([3]);
      expect(await ask('is_not', '1.1')).toEqual([0, 2, 3]);
    }
  });

  test.each<[operator: string, value: string, found: number[]]>([
    ['semver_eq', '1.2', [1]],
    ['semver_neq', '1.2.0', [0, 2, 3]],
    ['semver_gt', '1.2.0', [2, 3]],
    ['semver_gte', '1.2.0', [1, 2, 3]],
    ['semver_lt', '1.2.0', [0]],
    ['semver_lte', '1.2.0', [0, 1]],
    ['semver_tilde', '1.2.0', [1, 2]],
    ['semver_caret', '1.2.0', [1, 2]],
    ['semver_wildcard', '1.*', [0, 1, 2]],
  ])('compare versions: %s %s', async (operator, value, found) => {
    const projectId = await storeEvents(
      ['1.2.0-rc.1', 'v1.2.0', '1.2.10', '2.0.0+build', 'latest', null].map((v) => ({ properties: { v } })),
    );
    expect(await find(projectId, [{ key: 'v', operator, value }])).toEqual(found);
  });

  test('match the elements that were clicked', async () => {
    const chain = formatElementsChain([
      { tag_name: 'button', attr__class: 'buy', $el_text: 'Buy "now"', attr__href: '/Shop' },
      { tag_name: 'form', attr__class: 'x' },
    ]);
    const projectId = await storeEvents([{ chain }, {}]);
    const ask = (key: string, operator: string, value?: unknown) =>
      find(projectId, [{ type: 'element', key, operator, value }]);
    expect(await ask('tag_name', 'exact', 'form')).toEqual([0]);
    expect(await ask('tag_name', 'is_not', 'button')).toEqual([1]);
    expect(await ask('tag_name', 'is_set')).toEqual([0]);
    expect(await ask('tag_name', 'is_not_set')).toEqual([1]);
    expect(await ask('text', 'exact', 'buy "now"')).toEqual([0]);
    expect(await ask('text', 'not_icontains', 'now')).toEqual([1]);
    expect(await ask('href', 'regex', '^/Sh')).toEqual([0]);
    expect(await ask('selector', 'exact', ['a', 'form > button.buy'])).toEqual([0]);
    expect(await ask('selector', 'is_not', 'form button')).toEqual([1]);
  });

  test('accept flags, columns of events, cohorts of every kind, and HogQL', async () => {
    const projectId = await storeEvents([
      { properties: { '$feature/checkout': 'test', n: 1 }, distinctId: 'lin', at: '2026-11-01 10:00:00' },
      { properties: { '$feature/checkout': false, n: 2 }, distinctId: 'mo', at: '2026-11-02 10:00:00' },
      { properties: { '$feature/checkout': true, n: 3 }, distinctId: 'sam', at: '2026-11-03 10:00:00' },
      { properties: { n: 4 }, distinctId: 'sam', at: '2026-11-04 10:00:00' },
    ]);
    const ask = (leaf: object) => find(projectId, [leaf]);
    const flag = { type: 'flag', key: 'checkout', operator: 'flag_evaluates_to' };
    expect(await ask({ ...flag, value: true })).toEqual([0, 2]);
    expect(await ask({ ...flag, value: false })).toEqual([1]);
    expect(await ask({ ...flag, value: 'test' })).toEqual([0]);
    expect(await ask({ type: 'feature', key: 'checkout', value: ['test'] })).toEqual([0]);
    expect(await ask({ type: 'event_metadata', key: 'distinct_id', value: 'SAM' })).toEqual([2, 3]);
    const before = { key: 'timestamp', operator: 'is_date_before', value: '2026-11-03' };
    expect(await ask({ type: 'event_metadata', ...before })).toEqual([0, 1]);
    expect(await ask({ type: 'hogql', key: 'properties.n * 2 > 5' })).toEqual([2, 3]);
    expect(await ask({ type: 'static-cohort', key: 'id', value: 1, operator: 'not_in' })).toEqual([
      0, 1, 2, 3,
    ]);
    expect(await ask({ type: 'empty' })).toEqual([0, 1, 2, 3]);
    const nested = {
      type: 'OR',
      values: [
        {
          type: 'AND',
          values: [
            { key: 'n', value: 1 },
            { type: 'hogql', key: `distinct_id = 'lin'` },
          ],
        },
        { key: 'n', operator: 'gte', value: 4 },
      ],
    };
    expect(await find(projectId, nested)).toEqual([0, 3]);
  });

  test('match a group by its key, and events without one', async () => {
    const projectId = await storeEvents([
      { properties: { $group_1: 'acme' } },
      { properties: { $group_0: 'zoo' } },
      {},
    ]);
    const ask = (leaf: object) =>
      find(projectId, [{ type: 'group', key: '$group_key', group_type_index: 1, ...leaf }]);
    expect(await ask({ value: 'ACME' })).toEqual([0]);
    expect(await ask({ operator: 'is_not', value: 'acme' })).toEqual([1, 2]);
    expect(await ask({ operator: 'is_set' })).toEqual([0]);
    expect(await ask({ operator: 'is_not_set' })).toEqual([1, 2]);
    expect(await find(projectId, [{ type: 'event_metadata', key: '$group_0', operator: 'is_set' }])).toEqual([
      1,
    ]);
  });

  test.each([
    [{ type: 'behavioral', key: 'x', value: 1 }, 'properties'],
    [{ type: 'event_metadata', key: 'secrets', value: 1 }, 'properties'],
    [{ type: 'cohort', key: 'id', value: 7 }, 'properties'],
    [{ key: 'x', operator: 'regex', value: '(' }, 'properties'],
    [{ key: 'x', operator: 'between', value: ['a', 'b'] }, 'properties'],
    [{ key: 'x', operator: 'semver_gt', value: 'latest' }, 'properties'],
    [{ key: 'x', operator: 'gt', value: [1, 2] }, 'properties__0__value'],
    [{ type: 'element', key: 'selector', value: 'a >' }, 'properties'],
  ])('%j is refused', async (leaf, attr) => {
    await expect(find(1, [leaf])).rejects.toMatchObject({ row: { status: 400 }, attr });
  });

  test('accept names and values of any kind, and never as part of the statement', async () => {
    const names = ['*', '$', 'a.b', '"', '\\', `'); DROP TABLE events; --`, '__proto__', 'é', '{x}', '%'];
    const projectId = await storeEvents(names.map((name) => ({ properties: { [name]: name } })));
    for (const [at, name] of names.entries()) {
      expect(await find(projectId, [{ key: name, value: name }])).toEqual([at]);
    }
  });
});
