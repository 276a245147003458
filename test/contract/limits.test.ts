import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { shareTestApp, TEST_TOKEN, type TestRequest } from '../support/test-app.ts';

const P = '/api/projects/1/';
const open = shareTestApp();

const MiB = 1_048_576;
/** A flags request as JSON of exactly this many bytes. */
function flagsBody(bytes: number): string {
  const [start, end] = [`{"api_key":"${TEST_TOKEN}","distinct_id":"a","x":"`, '"}'];
  return start + 'x'.repeat(bytes - start.length - end.length) + end;
}

describe.each(['/decide/?v=3', '/flags/?v=2'])('%s', (path) => {
  const statusOf = async (body: string | Buffer, headers = {}): Promise<number> =>
    (await (await open()).ask(path, { method: 'POST', key: null, body, headers })).status;

  test('accepts a body below 5 MiB, and refuses one of 5 MiB', async () => {
    expect(await statusOf(flagsBody(5 * MiB - 1))).toBe(200);
    expect(await statusOf(flagsBody(5 * MiB))).toBe(413);
  });

  test('accepts a compressed body that decompresses to 20 MiB, and refuses one that is a byte longer', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    expect(await statusOf(gzipSync(flagsBody(20 * MiB)), headers)).toBe(200);
    expect(await statusOf(gzipSync(flagsBody(20 * MiB + 1)), headers)).toBe(413);
  });
});

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const leaf = { key: 'plan', type: 'person', value: 'pro' };
const nested = (levels: number): object =>
  levels === 0 ? leaf : { type: 'AND', values: [nested(levels - 1)] };
const on = (properties: readonly object[]): object => ({ groups: [{ properties, rollout_percentage: 100 }] });
const EVENT = { kind: 'EventsNode', event: 'signup' };
const post = (path: string, body: object) => [P + path, { method: 'POST', body }] as const;
const query = (body: object) => post('query/', { query: body });
const filter = (tree: object) =>
  [`${P}persons/?properties=${encodeURIComponent(JSON.stringify(tree))}`, {}] as const;
const cohort = (tree: object) => post('cohorts/', { name: 'x', filters: { properties: tree } });
const retention = (retentionFilter: object): object => ({
  kind: 'RetentionQuery',
  retentionFilter: {
    targetEntity: { id: 'a', type: 'events' },
    returningEntity: { id: 'a', type: 'events' },
    ...retentionFilter,
  },
});
const paths = (pathsFilter: object): object => ({ kind: 'PathsQuery', pathsFilter });
const breakdown = (breakdownFilter: object): object => ({
  kind: 'TrendsQuery',
  series: [EVENT],
  breakdownFilter,
});

/** What is taken up to a number and refused beyond it; pages, edges and values of breakdowns are cut to theirs instead. */
const COUNTS: readonly (readonly [
  what: string,
  most: number,
  request: (count: number) => readonly [string, TestRequest],
])[] = [
  ['levels of filters', 8, (count) => filter(nested(count))],
  [
    'filters and groups of a list',
    498,
    (count) =>
      query({
        kind: 'ActorsQuery',
        properties: { type: 'OR', values: [{ type: 'OR', values: list(count, () => leaf) }] },
      }),
  ],
  ['levels of the rule of a cohort', 8, (count) => cohort(nested(count))],
  [
    'conditions and groups of a cohort',
    498,
    (count) => cohort({ type: 'OR', values: [{ type: 'OR', values: list(count, () => leaf) }] }),
  ],
  [
    'values of a condition of a cohort',
    1_000,
    (count) => cohort({ type: 'AND', values: [{ ...leaf, value: list(count, String) }] }),
  ],
  [
    'values of a condition of a flag',
    1_000,
    (count) =>
      post('feature_flags/', { key: `f${count}`, filters: on([{ ...leaf, value: list(count, String) }]) }),
  ],
  [
    'columns of a list of events',
    100,
    (count) => [`${P}events/?select=${encodeURIComponent(JSON.stringify(list(count, () => 'event')))}`, {}],
  ],
  [
    'columns of an EventsQuery',
    1_000,
    (count) => query({ kind: 'EventsQuery', select: list(count, () => '1') }),
  ],
  ['steps of a funnel', 32, (count) => query({ kind: 'FunnelsQuery', series: list(count, () => EVENT) })],
  ['intervals of a retention', 999, (count) => query(retention({ retentionCustomBrackets: [count] }))],
  [
    'brackets of a retention',
    100,
    (count) => query(retention({ retentionCustomBrackets: list(count, () => 1) })),
  ],
  [
    'intervals of a retention by its cells',
    316,
    (count) => query(retention({ totalIntervals: count, period: 'Hour' })),
  ],
  ['steps of paths', 50, (count) => query(paths({ stepLimit: count }))],
  [
    'rules that clean paths',
    100,
    (count) => query(paths({ localPathCleaningFilters: list(count, () => ({ regex: 'a', alias: 'b' })) })),
  ],
  [
    'bins of a breakdown',
    100,
    (count) =>
      query(breakdown({ breakdown: 'a', breakdown_type: 'event', breakdown_histogram_bin_count: count })),
  ],
  [
    'dimensions of a breakdown',
    3,
    (count) => query(breakdown({ breakdowns: list(count, (at) => ({ property: `p${at}`, type: 'event' })) })),
  ],
  [
    'tiles of a template',
    1_000,
    (count) =>
      post('dashboard_templates/', {
        template_name: 'x',
        dashboard_description: '',
        dashboard_filters: {},
        variables: [],
        tags: [],
        tiles: list(count, () => ({ type: 'TEXT', body: 'x', layouts: {} })),
      }),
  ],
  [
    'persons in one deletion',
    1_000,
    (count) => post('persons/bulk_delete/', { distinct_ids: list(count, String) }),
  ],
  [
    'questions of a survey',
    200,
    (count) =>
      post('surveys/', {
        name: `s${count}`,
        type: 'api',
        questions: list(count, () => ({ type: 'open', question: 'x' })),
      }),
  ],
];

describe('limits apply exactly at their number', () => {
  test.each(COUNTS)('%s: %i', async (_, most, request) => {
    const app = await open();
    const within = await app.ask(...request(most));
    expect([within.status < 300, within.text.slice(0, 300)]).toEqual([true, within.text.slice(0, 300)]);
    const beyond = await app.ask(...request(most + 1));
    expect([beyond.status, beyond.text.slice(0, 300)]).toEqual([400, beyond.text.slice(0, 300)]);
  });
});

type Schema = Record<string, any>;

/** Values just beyond what a schema allows, with the limit's name. */
function* beyond(schema: Schema): Generator<readonly [limit: string, value: unknown]> {
  for (const option of [schema, ...((schema['anyOf'] as Schema[] | undefined) ?? [])]) {
    const { type, maxLength, maximum, minimum, maxItems } = option;
    if (type === 'string' && maxLength !== undefined && maxLength < 100_000) {
      yield [`maxLength ${maxLength}`, 'x'.repeat(maxLength + 1)];
    }
    if (type === 'integer' && maximum !== undefined && maximum < 2 ** 53 - 1)
      yield [`maximum ${maximum}`, maximum + 1];
    if (type === 'integer' && minimum !== undefined && minimum > 1 - 2 ** 53)
      yield [`minimum ${minimum}`, minimum - 1];
    if (type === 'array' && maxItems !== undefined)
      yield [`maxItems ${maxItems}`, list(maxItems + 1, String)];
  }
}

test('each documented limit of a field refuses a value beyond it', async () => {
  const app = await open();
  const { paths: operations, components } = (await app.ask('/openapi.json')).json as OpenApiDocument;
  const taken: string[] = [];
  let tried = 0;
  for (const [path, item] of Object.entries(operations)) {
    // Below an object that is not there, nothing is looked at.
    if (path.startsWith('/api/environments/') || /\{(?!project_id|organization_id)/.test(path)) continue;
    const url = path.replace('{project_id}', '1').replace('{organization_id}', '@current');
    for (const [method, operation] of Object.entries(item)) {
      const { requestBody, tags } = operation;
      if (requestBody === undefined || tags.includes('public')) continue;
      const name = requestBody.content['application/json']?.schema.$ref?.split('/').at(-1);
      const schema = components.schemas[name ?? ''] as Schema | undefined;
      const example = (schema?.['examples'] as object[] | undefined)?.[0] ?? {};
      for (const [field, inner] of Object.entries<Schema>(schema?.['properties'] ?? {})) {
        for (const [limit, value] of beyond(inner)) {
          tried++;
          const body = { ...example, [field]: value };
          const answer = await app.ask(url, { method: method.toUpperCase(), body });
          if (answer.status !== 400) taken.push(`${method} ${path} ${field} ${limit}: ${answer.status}`);
        }
      }
    }
  }
  expect(taken).toEqual([]);
  expect(tried).toBeGreaterThan(30);
});
