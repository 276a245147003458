import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, openKindContext, type KindOptions } from '../../../../../test/support/kind-context.ts';
import { edgesOf, type ModelPaths, type ModelVisit } from '../../../../../test/support/paths-model.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';
import { pathsKind } from './index.ts';

const START = Date.UTC(2026, 10, 18, 10);
const MINUTE = 60;

interface Edge {
  source: string;
  target: string;
  value: number;
  average_conversion_time: number;
}

/** An app that stores visits of persons that no other call has, and asks for the paths of these alone. */
async function openPaths(options: KindOptions = {}) {
  const app = await openTestApp();
  const context = await openKindContext(app, options);
  let run = 0;
  const store = async (visits: readonly ModelVisit[]): Promise<void> => {
    run += 1;
    await sendEvents(
      app,
      visits.map(({ who, name, isPage, at }) => ({
        event: isPage ? '$pageview' : name,
        distinct_id: `${who}-${run}`,
        timestamp: new Date(START + at * 1_000).toISOString(),
        properties: { run: `r${run}`, ...(isPage && { $current_url: name }) },
      })),
    );
  };
  const ask = async (pathsFilter: object): Promise<Edge[]> => {
    const query = {
      kind: 'PathsQuery',
      dateRange: { date_from: '-3d' },
      properties: [{ key: 'run', value: `r${run}`, type: 'event', operator: 'exact' }],
      pathsFilter,
    };
    return (await answerOf(pathsKind, pathsKind.schema.parse(query), context)).results as Edge[];
  };
  return { app, context, store, ask };
}

const page = (who: string, name: string, minutes: number): ModelVisit => ({
  who,
  name,
  isPage: true,
  at: minutes * MINUTE,
});
const own = (who: string, name: string, minutes: number): ModelVisit => ({
  who,
  name,
  isPage: false,
  at: minutes * MINUTE,
});

const SHOP: readonly ModelVisit[] = [
  page('ann', '/', 0),
  page('ann', '/shoes/1', 1),
  page('ann', '/shoes/1', 2),
  page('ann', '/cart', 4),
  own('ann', 'bought', 5),
  page('bob', '/', 0),
  page('bob', '/shoes/2', 3),
  page('bob', '/cart', 4),
  // Half an hour later.
  page('bob', '/', 34),
  page('bob', '/help', 36),
  page('cy', '/shoes/1', 0),
  page('cy', '/', 1),
  page('cy', '/a', 2),
  page('cy', '/b', 3),
  page('cy', '/c', 4),
  page('cy', '/d', 5),
  page('cy', '/cart', 6),
];

const lines = (edges: readonly Edge[]): string[] =>
  edges.map(({ source, target, value, average_conversion_time: took }) =>
    [source, target, value, took / 1_000].join(' '),
  );

describe('M9.9.2 a PathsQuery', () => {
  test('has groupings of up to 1,000 characters', async () => {
    const { app } = await openPaths();
    const answerTo = (grouping: string) => {
      const query = { kind: 'PathsQuery', pathsFilter: { pathGroupings: ['/a', grouping] } };
      return app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
    };
    expect((await answerTo(`${'*'.repeat(999)}x`)).status).toBe(200);
    const { status, json } = await answerTo(`${'*'.repeat(40_000)}x`);
    expect([status, json.detail]).toEqual([400, expect.stringContaining('can have up to 1000 characters')]);
  });

  test('returns the number of transitions between pages, and their average duration', async () => {
    const { store, ask } = await openPaths();
    await store(SHOP);
    expect(await ask({ includeEventTypes: ['$pageview'], stepLimit: 2 })).toEqual([
      { source: '1_/', target: '2_/help', value: 1, average_conversion_time: 120_000 },
      { source: '1_/', target: '2_/shoes/1', value: 1, average_conversion_time: 120_000 },
      { source: '1_/', target: '2_/shoes/2', value: 1, average_conversion_time: 180_000 },
      { source: '1_/shoes/1', target: '2_/', value: 1, average_conversion_time: 60_000 },
    ]);
    expect(
      lines(await ask({ includeEventTypes: ['$pageview'], pathGroupings: ['/shoes/*'], stepLimit: 3 })),
    ).toEqual([
      '1_/ 2_/shoes/* 2 150',
      // Two shoes are one item, at the time of the second.
      '2_/shoes/* 3_/cart 2 90',
      '1_/ 2_/help 1 120',
      '1_/shoes/* 2_/ 1 60',
      '2_/ 3_/a 1 60',
    ]);
    expect(
      lines(await ask({ includeEventTypes: ['$pageview'], pathGroupings: ['/shoes/*'], minEdgeWeight: 2 })),
    ).toEqual(['1_/ 2_/shoes/* 2 150', '2_/shoes/* 3_/cart 2 90']);
    expect(lines(await ask({ startPoint: '/shoes/1', endPoint: '/cart' }))).toEqual([
      '1_/shoes/1 2_/ 1 60',
      '1_/shoes/1 2_/cart 1 120',
      '2_/ 3_... 1 60',
      '3_... 4_/d 1 180',
      '4_/d 5_/cart 1 60',
    ]);
    expect(lines(await ask({ endPoint: 'bought', stepLimit: 2 }))).toEqual(['1_/cart 2_bought 1 60']);
    expect(lines(await ask({ includeEventTypes: ['custom_event'] }))).toEqual([]);
    // Of several groupings that fit, the one whose part of the name ends first.
    const pathGroupings = ['/shoes/1', '/ca*t', '/sh*'];
    expect(
      lines(await ask({ includeEventTypes: ['$pageview'], pathGroupings, stepLimit: 3, startPoint: '/sh*' })),
    ).toEqual(['1_/sh* 2_/ca*t 2 90', '1_/sh* 2_/ 1 60', '2_/ 3_/a 1 60']);
    const excludeEvents = ['/shoes/*', '/'];
    expect(lines(await ask({ edgeLimit: 1, pathGroupings: ['/shoes/*'], excludeEvents }))).toEqual([
      '1_/a 2_/b 1 60',
    ]);
    // What is excluded is a name: without the grouping there is none with a star.
    expect(lines(await ask({ includeEventTypes: ['$pageview'], stepLimit: 2, excludeEvents }))).toEqual([
      '1_/shoes/1 2_/a 1 120',
      '1_/shoes/1 2_/cart 1 120',
      '1_/shoes/2 2_/cart 1 60',
    ]);
  });

  test('A-6 groups pages by patterns anywhere in their address', async () => {
    const { store, ask } = await openPaths();
    const shop = 'https://shop.example/merchant';
    await store([
      page('ann', `${shop}/17/pay?x=1`, 0),
      page('ann', '/a', 1),
      page('ann', `${shop}/18/pay`, 2),
    ]);
    expect(lines(await ask({ pathGroupings: ['/merchant/*/pay'] }))).toEqual([
      '1_/merchant/*/pay 2_/a 1 60',
      '2_/a 3_/merchant/*/pay 1 60',
    ]);
  });

  test('A-6 leaves out edges whose source the limit has removed', async () => {
    const { store, ask } = await openPaths();
    const visits = (who: string, ...names: string[]) => names.map((name, at) => page(who, name, at));
    await store([
      ...visits('a', '/1', '/x', '/y'),
      ...visits('b', '/2', '/x', '/y'),
      ...visits('c', '/3', '/x', '/y'),
    ]);
    // Most went from the second page to the third, which no edge that is left leads to.
    expect(lines(await ask({ edgeLimit: 1 }))).toEqual([]);
    expect(lines(await ask({ edgeLimit: 2 }))).toEqual(['2_/x 3_/y 3 60', '1_/1 2_/x 1 60']);
  });

  test('cleans paths by rules, and names items by an expression', async () => {
    const { store, ask } = await openPaths({
      pathCleaningFilters: [{ regex: '/mail$', alias: '/letters' }],
    });
    await store([page('ann', '/user/17/', 0), page('ann', '/user/18/mail', 1)]);
    const localPathCleaningFilters = [
      { regex: '/user/[0-9]+', alias: '/user/<id>', order: 0 },
      { regex: '<id>/mail', alias: '<id>/post', order: 1 },
    ];
    expect(lines(await ask({ localPathCleaningFilters }))).toEqual(['1_/user/<id> 2_/user/<id>/post 1 60']);
    expect(lines(await ask({ pathReplacements: true }))).toEqual(['1_/user/17 2_/user/18/letters 1 60']);
    const expression = {
      includeEventTypes: ['hogql'],
      pathsHogQLExpression: "concat('x', properties.$current_url)",
    };
    expect(lines(await ask(expression))).toEqual(['1_x/user/17/ 2_x/user/18/mail 1 60']);
    await expect(ask({ includeEventTypes: ['hogql'] })).rejects.toThrow('pathsHogQLExpression');
    await expect(ask({ includeEventTypes: ['$autocapture'] })).rejects.toThrow('Unknown path event type');
    await expect(ask({ localPathCleaningFilters: [{ regex: '(' }] })).rejects.toThrow('regular expression');
    await expect(ask({ localPathCleaningFilters: [{ regex: 5 }] })).rejects.toThrow(
      'requires a regex and an alias',
    );
    await expect(ask({ stepLimit: 51 })).rejects.toThrow('stepLimit must be 2 to 50');
  });

  test('lists the persons of a step, and of its drop-off', async () => {
    const { app, store } = await openPaths();
    await store(SHOP);
    const ask = async (keys: object): Promise<unknown> => {
      const source = {
        kind: 'PathsQuery',
        dateRange: { date_from: '-3d' },
        pathsFilter: { stepLimit: 3, ...keys },
      };
      const { status, json } = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: {
          query: {
            kind: 'ActorsQuery',
            source: { kind: 'InsightActorsQuery', source },
            select: ['actor', 'event_count'],
          },
        },
      });
      expect(status).toBe(200);
      return json.results
        .map(
          ([actor, steps]: [{ distinct_ids: string[] }, number]) =>
            `${actor.distinct_ids[0]!.slice(0, -2)} ${steps}`,
        )
        .sort();
    };
    expect(await ask({ pathStartKey: '1_/', pathEndKey: '2_/shoes/2' })).toEqual(['bob 1']);
    expect(await ask({ pathEndKey: '3_/cart' })).toEqual(['ann 1', 'bob 1']);
    expect(await ask({ pathStartKey: '1_/' })).toEqual(['ann 1', 'bob 2']);
    expect(await ask({ pathDropoffKey: '2_/help' })).toEqual(['bob 1']);
  });

  test(
    'of any visits has the steps that brute force finds',
    { tags: ['deep'], timeout: 120_000 },
    async () => {
      const { store, ask } = await openPaths();
      const names = fc.constantFrom('/a', '/b', '/c/1', '/c/2', 'own');
      const visits = fc.array(
        fc
          .record({ who: fc.constantFrom('ann', 'bob'), name: names, at: fc.integer({ min: 0, max: 20 }) })
          .map(({ who, name, at }): ModelVisit => ({
            who,
            name,
            isPage: name !== 'own',
            at: at * 5 * MINUTE,
          })),
        { minLength: 1, maxLength: 20 },
      );
      const points = fc.option(fc.constantFrom('/a', '/b', 'own'), { nil: undefined });
      const filters: fc.Arbitrary<ModelPaths> = fc.record(
        {
          startPoint: points,
          endPoint: points,
          excludeEvents: fc.subarray(['/b', 'own', '/c/1']),
          pathGroupings: fc.subarray(['/c/*', '/*']),
          types: fc.subarray(['$pageview' as const, 'custom_event' as const]),
          stepLimit: fc.integer({ min: 2, max: 6 }),
          minEdgeWeight: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
          maxEdgeWeight: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        },
        { requiredKeys: ['stepLimit'] },
      );
      await fc.assert(
        fc.asyncProperty(visits, filters, async (all, { types, ...filter }) => {
          await store(all);
          const found = await ask({ ...filter, ...(types && { includeEventTypes: types }) });
          const rounded = ({ average_conversion_time: took, ...edge }: Edge): object => ({
            ...edge,
            took: Math.round(took),
          });
          expect(found.map(rounded)).toEqual(
            edgesOf(all, { ...filter, ...(types && { types }) }).map(rounded),
          );
        }),
        { numRuns: Number(process.env['RUNS'] ?? 40) },
      );
    },
  );
});
