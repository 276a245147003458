// @module-tag deep
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { MARK, openTwoProjects } from '../../../test/support/two-projects.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';
const sql = (query: string, more: object = {}) => ({ kind: 'HogQLQuery', query, ...more });
const deep = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { type: 'AND', values: [deep(levels - 1, inner)] };
const LEAF = { key: 'a', value: 'b', type: 'event' };

const NAMES = Array.from({ length: 50_000 }, (_, n) => `'name' ${n}`);
const LIST = NAMES.slice(0, 20_000)
  .map((name) => `'${name.replaceAll("'", "''")}'`)
  .join(', ');
const PATTERNS = [
  { key: 'a', type: 'event', operator: 'regex', value: NAMES.slice(0, 1_000).map((name) => `(${name}+)+$`) },
];

/** Bodies that no client sends; none of them may cause a server error. */
const BODIES: readonly [string, unknown][] = [
  ['a prototype', JSON.parse('{"query": {"__proto__": {"kind": "HogQLQuery"}, "kind": "__proto__"}}')],
  ['a prototype in a wrapper', { query: { kind: 'DataTableNode', source: { kind: 'toString' } } }],
  ['a huge text', { query: sql(`select ${'1+'.repeat(200_000)}1`) }],
  ['deep brackets', { query: sql(`select ${'('.repeat(5_000)}1${')'.repeat(5_000)}`) }],
  ['deep filters', { query: { kind: 'EventsQuery', select: ['event'], properties: deep(150, LEAF) } }],
  [
    'a hundred thousand names',
    { query: { kind: 'EventsQuery', select: Array.from({ length: 100_000 }, () => '') } },
  ],
  ['lone surrogates in a text', { query: sql(`select '\ud800'`) }],
  ['lone surrogates in a value', { query: sql('select {x}', { values: { x: '\udfff' } }) }],
  ['a null byte', { query: { kind: 'EventsQuery', select: ['event'], event: 'a\u0000b' } }],
  ['a surrogate as an event', { query: { kind: 'EventsQuery', select: ['event'], event: '\ud800' } }],
  ['a person that is no UUID', { query: { kind: 'EventsQuery', select: ['event'], personId: `' or 1=1` } }],
  ['values that are no values', { query: sql('select {x}', { values: { x: { y: [{}] } } }) }],
  [
    'variables of another form',
    { query: sql('select {variables.x}', { variables: { x: { value: [[]] } } }) },
  ],
  ['a limit beyond numbers', { query: { kind: 'EventsQuery', select: ['event'], limit: 1e308 } }],
  ['an offset beyond numbers', { query: sql('select 1 limit 1 offset 99999999999999999999') }],
  ['no id at all', { query: sql('select 1'), client_query_id: '' }],
  ['another mode', { query: sql('select 1'), refresh: 'soon' }],
  ['filters that are a list', { query: sql('select 1'), filters_override: [] }],
  ['variables that are texts', { query: sql('select 1'), variables_override: { x: 'y' } }],
  ['a source that is itself a list', { query: { kind: 'ActorsQuery', source: [] } }],
  ['an actor of an actor of …', { query: actors(50) }],
  [
    'a date that is none',
    { query: sql('select {filters}', { filters: { dateRange: { date_from: '\u0000' } } }) },
  ],
  ['a pattern that explodes', { query: sql(`select match(repeat('a', 30), '(a+)+$') from events`) }],
  ['a division by nothing', { query: sql("select 1 / 0, 5 % 0, sqrt(-1), toFloat('x')") }],
  ['a file', { query: sql(`select * from read_csv('/etc/passwd')`) }],
  ['another project', { query: sql('select * from events where project_id = 2') }],
  ['a text with a list of 20,000 texts', { query: sql(`select 1 from events where event in (${LIST})`) }],
  [
    'a list of 50,000 values',
    { query: sql('select event in {names} from events', { values: { names: NAMES } }) },
  ],
  [
    'a filter by 50,000 values',
    {
      query: {
        kind: 'EventsQuery',
        select: ['event'],
        properties: [{ key: 'plan', type: 'event', operator: 'exact', value: NAMES }],
      },
    },
  ],
  ['a thousand patterns', { query: { kind: 'EventsQuery', select: ['event'], properties: PATTERNS } }],
  ['a remark that never ends', { query: sql('select count() from events /* where 1') }],
  ['a statement behind a remark', { query: sql('select 1 -- \n; drop table events') }],
  ['a remark in a name', { query: sql('select count() as `a */ from x /*` from events') }],
  ['a remark in a column', { query: { kind: 'EventsQuery', select: ['event -- from x', '1 /*'] } }],
];

function actors(levels: number): object {
  return { kind: 'ActorsQuery', ...(levels === 0 ? {} : { source: actors(levels - 1) }) };
}

test('any body is answered 200 or refused with 400, without data of other projects', async () => {
  const app = await openTwoProjects();
  for (const [name, body] of BODIES) {
    const { status, text } = await app.ask(QUERY, { method: 'POST', body });
    expect([200, 400], `${name}: ${text.slice(0, 300)} ${JSON.stringify(app.errors.at(-1))}`).toContain(
      status,
    );
    expect(text.includes(MARK), name).toBe(false);
    if (status === 400)
      expect(JSON.parse(text)).toMatchObject({
        type: expect.stringMatching(/validation_error|invalid_request/),
      });
  }
  expect(app.errors).toEqual([]);
  expect(
    (await app.ask(QUERY, { method: 'POST', body: { query: sql('select count() from events') } })).json
      .results,
  ).toEqual([[2]]);
});

test('queries of disconnected clients are canceled', async () => {
  const app = await openTestApp();
  await sendEvents(app, [{}, {}, {}]);
  const others = Array.from({ length: 30 }, (_, n) => `cross join events e${n}`).join(' ');
  // Each takes longer than this test may; four of them would fill every lane.
  for (const n of [1, 2, 3, 4])
    await leave(app, `select count() + ${n} from events e ${others} where e.event || e7.event != 'x'`);
  const { json } = await app.ask(QUERY, {
    method: 'POST',
    body: { query: sql('select count() from events') },
  });
  expect(json.results).toEqual([[3]]);
});

/** Asks, and goes away as soon as the server has read it. */
async function leave(app: TestApp, text: string): Promise<void> {
  const body = JSON.stringify({ query: sql(text) });
  const headers = {
    Authorization: `Bearer ${app.key}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  const req = request({ host: '127.0.0.1', port: app.port, path: QUERY, method: 'POST', headers });
  req.on('error', () => undefined);
  await new Promise<void>((resolve) => req.end(body, () => resolve()));
  // The answer to another request says that this one has been read.
  await app.ask('/api/users/@me/');
  req.destroy();
}
