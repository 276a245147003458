import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { events, matches, NOW, trees } from '../../../test/support/filter-model.ts';
import { insertFiltered } from '../../../test/support/filter-store.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { formatElementsChain } from '../../lib/elements-chain.ts';
import { compileFilter, propertyText, type CohortConditions } from './compile-filter.ts';
import type { Operator, Scalar } from '../../conditions/operators.contract.ts';
import type { PropertyGroup, PropertyLeaf } from './property-filters.contract.ts';

let store: Store;

let project = 0;

beforeAll(async () => {
  store = await openTestStore();
});

afterAll(() => store.close());

/** Cohort 1 has all persons on the free plan; there is no other cohort. */
const cohorts: CohortConditions = {
  has: (id) => id === 1,
  of: (id, alias, bind) =>
    id === 1 ? `coalesce(${propertyText(`${alias}.properties`, 'plan', bind)} = 'free', false)` : null,
};

async function find(projectId: number, filter: PropertyGroup): Promise<number[]> {
  const { sql, params } = compileFilter(filter, {
    rows: 'events',
    alias: 'e',
    projectId,
    now: NOW,
    timezone: 'UTC',
    cohorts,
  });
  const rows = await store.analytics.all<{ event: string }>(
    `SELECT event FROM all_events e WHERE project_id = $projectId AND ${sql}`,
    { ...params, projectId },
  );
  return rows.map(({ event }) => Number(event)).toSorted((a, b) => a - b);
}

describe('a filter', () => {
  test(
    'finds the same events in the store as the rules written out in JavaScript',
    { tags: ['deep'], timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(events, { minLength: 1, maxLength: 8 }),
          fc.array(trees, { minLength: 6, maxLength: 6 }),
          async (list, filters) => {
            const projectId = ++project;
            await insertFiltered(store, projectId, list);
            for (const filter of filters) {
              const expected = list.flatMap((event, at) => (matches(event, filter) ? [at] : []));
              expect(await find(projectId, filter)).toEqual(expected);
            }
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  test.each<[stored: unknown, operator: Operator, value: Scalar | Scalar[], holds: boolean]>([
    ['free', 'exact', 'FREE', true],
    ['1.10', 'exact', '1.1', false],
    ['007', 'exact', 7, false],
    [7, 'exact', '7', true],
    ['7', 'exact', 7, true],
    [true, 'exact', ['true'], true],
    ['1_000', 'gt', 5, false],
    ['9', 'lt', '10', true],
    ['9', 'lt', '10a', false],
    ['unknown', 'gt', 5, false],
    ['unknown', 'not_between', [1, 5], false],
    ['2026-03-04T23:00:00-05:00', 'gt', '2026-03-05', true],
    ['2026-03-04T23:00:00-05:00', 'is_date_exact', '2026-03-04', false],
    [1_772_668_800, 'is_date_exact', '2026-03-05', true],
    ['soon', 'is_date_before', '2026-03-05', false],
    ['inf', 'gt', 5, false],
  ])('%j %s %j: %s', async (stored, operator, value, expected) => {
    const projectId = ++project;
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, $properties, NULL,
         now()::TIMESTAMP, false, false)`,
      { projectId, properties: JSON.stringify({ plan: stored }) },
    );
    const leaf: PropertyLeaf = { type: 'event', key: 'plan', operator, value };
    expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual(expected ? [0] : []);
  });

  test('reads properties of any name, and never as part of the statement', async () => {
    const names = ['*', '$', 'a.b', 'a/b', 'a~1', '"', '\\', `'; DROP TABLE events; --`, '[0]', 'é', '$."x"'];
    const projectId = ++project;
    for (const [at, name] of names.entries()) {
      await store.db.run(
        `INSERT INTO events_recent VALUES ($at, $projectId, now()::TIMESTAMP, uuid(), $event, 'd', 0, $properties, NULL,
           now()::TIMESTAMP, false, false)`,
        { at, projectId, event: String(at), properties: JSON.stringify({ [name]: name }) },
      );
    }
    for (const [at, name] of names.entries()) {
      const leaf: PropertyLeaf = { type: 'event', key: name, operator: 'exact', value: name };
      expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual([at]);
    }
  });

  test('on a flag uses the event property of the flag', async () => {
    const projectId = ++project;
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, $properties, NULL,
         now()::TIMESTAMP, false, false)`,
      { projectId, properties: '{"$feature/new-nav": "test"}' },
    );
    for (const key of ['new-nav', '$feature/new-nav']) {
      const leaf: PropertyLeaf = { type: 'feature', key, operator: 'exact', value: 'test' };
      expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual([0]);
    }
  });

  test('on an element matches any element of the chain', async () => {
    const projectId = ++project;
    const chain =
      'button.buy:attr__href="/no"attr_id="b"nth-child="1"text="Buy; \\"now\\""href="/Shop";form.x:nth-child="2"';
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, '{}', $chain,
         now()::TIMESTAMP, false, false),
       (2, $projectId, now()::TIMESTAMP, uuid(), '1', 'd', 0, '{}', NULL, now()::TIMESTAMP, false, false)`,
      { projectId, chain },
    );
    const ask = (key: string, operator: Operator, value?: Scalar | Scalar[]): Promise<number[]> =>
      find(projectId, { type: 'AND', values: [{ type: 'element', key, operator, value }] });
    expect(await ask('tag_name', 'exact', 'form')).toEqual([0]);
    expect(await ask('tag_name', 'exact', ['input', 'a'])).toEqual([]);
    expect(await ask('tag_name', 'is_not', 'button')).toEqual([1]);
    expect(await ask('tag_name', 'is_set')).toEqual([0]);
    expect(await ask('tag_name', 'is_not_set')).toEqual([1]);
    expect(await ask('text', 'exact', 'buy; "now"')).toEqual([0]);
    expect(await ask('text', 'not_icontains', 'now')).toEqual([1]);
    expect(await ask('href', 'exact', '/shop')).toEqual([0]);
    expect(await ask('href', 'exact', '/no')).toEqual([]);
    expect(await ask('href', 'regex', '^/Sh')).toEqual([0]);
    expect(await ask('selector', 'exact', ['a', 'form button'])).toEqual([0]);
    expect(await ask('selector', 'is_not', 'form > button')).toEqual([1]);
  });

  test.each([
    ['button', true],
    ['BUTTON', true],
    ['butto', false],
    ['*', true],
    ['a', false],
    ['.buy', true],
    ['.bu', false],
    ['.md\\:flex', true],
    ['.buy.big', true],
    ['.big.buy', true],
    ['button.buy.big#go', true],
    ['form.big', false],
    ['#go', true],
    ['#g', false],
    ['[data-x]', true],
    ['[data-y]', false],
    ['[data-x="a;b\\"]', true],
    [`[data-x='a']`, false],
    ['[data-x^="a;"]', true],
    ['[data-x$=b]', false],
    ['[data-x*=";"]', true],
    ['[href="/shop"]', true],
    ['button:nth-child(2)', true],
    ['button:nth-child(22)', false],
    ['button:nth-of-type(1)', true],
    ['form > button', true],
    ['form>button', true],
    ['main > button', false],
    ['main button', true],
    ['main > form button', true],
    ['main > form > button', true],
    ['body main > button', false],
    ['main.wide form', true],
    ['button form', false],
    ['* > * > *', true],
    ['* > * > * > *', false],
  ])('by the selector %s: %s', async (selector, expected) => {
    const projectId = ++project;
    const chain = formatElementsChain([
      {
        tag_name: 'button',
        attr__class: 'md:flex buy big',
        attr__id: 'go',
        nth_child: 2,
        nth_of_type: 1,
        $el_text: '.nothing; a#b.c form>x attr__data-y="1"',
        'attr__data-x': 'a;b\\',
        attr__href: '/shop',
      },
      { tag_name: 'form', attr__class: 'small' },
      { tag_name: 'main', attr__class: 'wide' },
    ]);
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, '{}', $chain,
         now()::TIMESTAMP, false, false)`,
      { projectId, chain },
    );
    const leaf: PropertyLeaf = { type: 'element', key: 'selector', operator: 'exact', value: selector };
    expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual(expected ? [0] : []);
  });
});
