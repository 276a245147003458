// @module-tag fast
// The plain reader of events rounds whole numbers beyond 2^53 (decision 100).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOperator, OPERATORS, readingsOf } from '../../server/conditions/operators.contract.ts';
import { openTestApp, TEST_TOKEN, type TestApp, type TestResponse } from '../support/test-app.ts';
import { RECORDS } from './recording.ts';

/** JSON texts of stored values: of the person and of the event with this letter. */
const STORED: Readonly<Record<string, string | null>> = {
  a: null,
  b: 'null',
  c: 'true',
  d: 'false',
  e: '0',
  f: '-0',
  g: '1',
  h: '"1"',
  i: '"1.0"',
  j: '"01"',
  k: '""',
  l: '" a"',
  m: '"ä"',
  n: '"Ä"',
  o: '9007199254740993',
  p: '"2026-03-04"',
  q: '"2026-03-04T10:00:00Z"',
  r: '1772582400',
  s: '1772582400000',
  t: '"-7d"',
  u: '["a",1]',
  v: '{"a":1}',
  w: '"1.2.3"',
  x: '"true"',
};
const LETTERS = Object.keys(STORED);

const NOTHING = [null, 'null', '[]', '{"a":1}'];
const SCALARS = ['true', '0', '1', '"1"', '""', '" a"', '"a"', '"Ä"', '9007199254740993'];
const LISTS = ['["1","Ä"]', '["a",1]'];
const DATES = ['"2026-03-04"', '"2026-03-04T10:00:00Z"', '1772582400', '"1772582400000"', '"-7d"', '"-9m"'];
const RANGES = ['[0,10]', '[10,0]', '["0","01"]', '["2026-01-01","2026-12-31"]', '["a","z"]'];

/** JSON texts of what an operator is compared with; null: no value. The first line that has the operator counts. */
const COMPARED: readonly (readonly [operators: RegExp, values: readonly (string | null)[]])[] = [
  [
    /^(exact|is_not)$/,
    [
      ...NOTHING,
      ...SCALARS,
      ...LISTS,
      ...DATES,
      'false',
      '-0',
      '"1.0"',
      '"01"',
      '"9007199254740992"',
      '"1.2.3"',
      '"null"',
      '"true"',
    ],
  ],
  [/^(in|not_in|nonsense)$/, [null, '1', '"1"', '["1","Ä"]']],
  [/contains|_with$/, [...NOTHING, ...SCALARS, ...LISTS]],
  [/regex/, [...NOTHING, '1', '""', '"a"', '"Ä"', '"^1"', '"("', '"(?i)ä"', '"null|true"', '["1","Ä"]']],
  [/^([gl]te?|min|max)$/, [null, 'null', '[]', 'true', '0', '1', '"1"', '"01"', '"a"', '["a",1]', ...DATES]],
  [/between/, [null, '1', '[1]', '["a",1]', ...RANGES]],
  [/set$/, [null, '"a"', '{"a":1}']],
  [/date/, [null, '0', '"a"', '""', '["2026-03-04"]', ...DATES]],
  [/semver/, [null, '1', '"1"', '"01"', '"1.2.3"', '"1.2"', '"1.*"', '"v1.2.2-a"', '"a"']],
];

interface Filter {
  operator: string;
  value: string | null;
  /** The filter as JSON text, without its type and its last brace. */
  json: string;
}

const FILTERS: readonly Filter[] = [...OPERATORS, 'nonsense'].flatMap((operator) => {
  const values = COMPARED.find(([operators]) => operators.test(operator))?.[1];
  if (values === undefined) throw new Error(`The operator ${operator} is new: say what it is compared with.`);
  return values.map((value) => ({
    operator,
    value,
    json: `{"key":"v","operator":"${operator}"${value === null ? '' : `,"value":${value}`}`,
  }));
});

/** A door -> for each filter the letters that match, or why it was refused. */
type Door = (app: TestApp) => Promise<string[]>;

const DOORS: Readonly<Record<string, Door>> = {
  simulation: async (app) => {
    const only = (letter: string): string => `{"key":"letter","type":"person","value":"${letter}"}`;
    return await forEachFilter(async (filter) => {
      const sets = LETTERS.map(
        (letter) =>
          `{"properties":[${filter.json},"type":"person"},${only(letter)}],"rollout_percentage":100}`,
      );
      const answer = await post(
        app,
        '/api/projects/1/burrow/feature_flags/simulate/',
        `{"key":"probe","filters":{"groups":[${sets.join(',')}]}}`,
      );
      return matching(answer, ({ sets: shares }) =>
        LETTERS.filter((_, index) => shares[index].matching === 1),
      );
    });
  },
  'persons list': async (app) =>
    await forEachFilter(async ({ json }) => {
      const answer = await app.ask(
        `/api/projects/1/persons/?limit=100&properties=${encodeURIComponent(`[${json},"type":"person"}]`)}`,
      );
      return matching(answer, ({ results }) => results.map((person: any) => person.distinct_ids[0]));
    }),
  'events list': async (app) =>
    await forEachFilter(async ({ json }) => {
      const answer = await app.ask(
        `/api/projects/1/events/?limit=100&properties=${encodeURIComponent(`[${json},"type":"event"}]`)}`,
      );
      return matching(answer, ({ results }) => results.map((event: any) => event.distinct_id));
    }),
  EventsQuery: async (app) =>
    await forEachFilter(async ({ json }) => {
      const properties = `[${json},"type":"event"}]`;
      const query = `{"kind":"EventsQuery","select":["distinct_id"],"limit":100,"properties":${properties}}`;
      const answer = await post(app, '/api/projects/1/query/', `{"query":${query}}`);
      return matching(answer, ({ results }) => results.map((row: any) => row[0]));
    }),
  ActorsQuery: async (app) =>
    await forEachFilter(async ({ json }) => {
      const properties = `[${json},"type":"person"}]`;
      const query = `{"kind":"ActorsQuery","select":["properties.letter"],"limit":100,"properties":${properties}}`;
      const answer = await post(app, '/api/projects/1/query/', `{"query":${query}}`);
      return matching(answer, ({ results }) => results.map((row: any) => row[0]));
    }),
  cohort: async (app) =>
    await forEachFilter(async ({ json }, index) => {
      const values = `[${json},"type":"person"}]`;
      const made = await post(
        app,
        '/api/projects/1/cohorts/',
        `{"name":"${index}","filters":{"properties":{"type":"AND","values":${values}}}}`,
      );
      cohorts.set(index, made);
      if (made.status !== 201) return refusalOf(made);
      const answer = await app.ask(`/api/projects/1/cohorts/${made.json.id}/persons/?limit=100`);
      return matching(answer, ({ results }) => results.map((person: any) => person.distinct_ids[0]));
    }),
  flag: async (app) => await throughFlags(app, 'f', ({ json }) => `${json},"type":"person"}`),
  'flag by cohort': async (app) =>
    await throughFlags(app, 'c', (_, index) => {
      const { status, json } = cohorts.get(index)!;
      return status === 201 ? `{"key":"id","type":"cohort","value":${json.id}}` : null;
    }),
};

/** Filter -> the response to creating a cohort of it. */
const cohorts = new Map<number, TestResponse>();

/** Creates a flag for each filter, and evaluates all of them for each person. */
async function throughFlags(
  app: TestApp,
  prefix: string,
  property: (filter: Filter, index: number) => string | null,
): Promise<string[]> {
  const refused = await forEachFilter(async (filter, index) => {
    const text = property(filter, index);
    if (text === null) return refusalOf(cohorts.get(index)!);
    const filters = `{"groups":[{"properties":[${text}],"rollout_percentage":100}]}`;
    const made = await post(
      app,
      '/api/projects/1/feature_flags/',
      `{"key":"${prefix}${index}","filters":${filters},"_should_create_usage_dashboard":false}`,
    );
    return made.status === 201 ? '' : refusalOf(made);
  });
  const matches = refused.map((): string[] => []);
  for (const letter of LETTERS) {
    const body = { api_key: TEST_TOKEN, distinct_id: letter };
    const { flags } = (await app.ask('/flags/?v=2', { method: 'POST', key: null, body })).json;
    for (const index of FILTERS.keys())
      if (flags[`${prefix}${index}`]?.enabled === true) matches[index]!.push(letter);
  }
  return refused.map((why, index) => (why === '' ? shown(matches[index]!) : why));
}

async function forEachFilter(find: (filter: Filter, index: number) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  for (const [index, filter] of FILTERS.entries()) found.push(await find(filter, index));
  return found;
}

function post(app: TestApp, path: string, body: string): Promise<TestResponse> {
  return app.ask(path, { method: 'POST', body });
}

function matching(answer: TestResponse, lettersOf: (json: any) => string[]): string {
  return answer.status === 200 ? shown(lettersOf(answer.json)) : refusalOf(answer);
}

function shown(found: readonly string[]): string {
  const others = LETTERS.filter((letter) => !found.includes(letter));
  if (others.length === 0) return 'all';
  if (others.length < LETTERS.length / 2) return `all but ${others.join('')}`;
  return found.length === 0 ? 'none' : found.toSorted().join('');
}

function refusalOf({ status, json }: TestResponse): string {
  return `${status} ${json.code}`;
}

async function sendValues(app: TestApp): Promise<void> {
  const events = Object.entries(STORED).map(([letter, value]) => {
    const own = value === null ? '' : `,"v":${value}`;
    const properties = `{"letter":"${letter}"${own},"$set":{"letter":"${letter}"${own}}}`;
    return `{"event":"probe","distinct_id":"${letter}","timestamp":"2026-11-20T00:00:00Z","properties":${properties}}`;
  });
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: `{"api_key":"${TEST_TOKEN}","batch":[${events.join(',')}]}`,
  });
  expect(answer.status).toBe(200);
}

/** Doors with the same result share a place: `-: flag, cohort; all: persons list`. */
function byResult(results: readonly string[]): string {
  const doors = new Map<string, string[]>();
  for (const [at, name] of Object.keys(DOORS).entries()) {
    const result = results[at]!;
    doors.set(result, [...(doors.get(result) ?? []), name]);
  }
  if (doors.size === 1) return results[0]!;
  return [...doors].map(([result, names]) => `${result} (${names.join(', ')})`).join('; ');
}

const LEGEND = Object.entries(STORED).map(([letter, value]) => `${letter} ${value ?? '(absent)'}`);

test('each operator matches the same stored values as before, through each endpoint', async () => {
  const app = await openTestApp();
  await sendValues(app);
  const found: string[][] = [];
  for (const door of Object.values(DOORS)) found.push(await door(app));
  const rows = FILTERS.map(({ operator, value }, index) => {
    const result = byResult(found.map((results) => results[index]!));
    return { operator, value: value ?? '(no value)', result };
  });
  const table = rows.map(({ operator, value, result }) => `${operator}\t${value}\t${result}`);
  const text = `# ${LEGEND.join('; ')}\n${table.join('\n')}\n`;
  expect(compareFile('conditions.tsv', text)).toBe('');
  expect(compareFile('condition-differences.md', differencesPage(rows))).toBe('');
  // Each difference is in the table of operators, with who reads it how (amendment A-9).
  const named = OPERATORS.filter((operator) => readingsOf(operator).length > 0);
  expect([...new Set(differentRows(rows).map(({ operator }) => operator))].toSorted()).toEqual(
    named.toSorted(),
  );
});

interface Row {
  operator: string;
  value: string;
  result: string;
}

function differentRows(rows: readonly Row[]): Row[] {
  const matches = (result: string): Set<string> =>
    new Set(
      [...result.matchAll(/(?:^|; )([^(]+) \(/g)].map(([, found]) => found!.replace(/^400 .*/, 'refused')),
    );
  return rows.filter(({ result }) => matches(result).size > 1);
}

function differencesPage(rows: readonly Row[]): string {
  const different = differentRows(rows);
  const operators = [...new Set(different.map(({ operator }) => operator))];
  const parts = operators.map((operator) => {
    const lines = different
      .filter((row) => row.operator === operator)
      .map(
        ({ value, result }) => `| \`${value.replaceAll('|', '\\|')}\` | ${result.replaceAll('; ', '<br>')} |`,
      );
    const readings = isOperator(operator) ? readingsOf(operator) : [];
    const why = readings.map(
      ({ flags, queries }) => `- Flags and cohorts: ${flags} Lists and queries: ${queries}\n`,
    );
    return `## ${operator}\n\n${why.join('')}${why.length === 0 ? '' : '\n'}| compared with | matches (through) |\n|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Where the doors read a condition differently

Written by \`conditions.test.ts\`; the whole table is \`conditions.tsv\`. ${different.length} of ${rows.length} comparisons differ.
A letter is a stored value: ${LEGEND.map((text) => `\`${text}\``).join(', ')}.
A number and a word is a refusal; differences of its word alone are left out.

${parts.join('\n')}`;
}

const SHOWN = 10;

/** The lines in which a text differs from a file, empty when none; writes the file instead when `BURROW_RECORD=1`. */
function compareFile(name: string, text: string): string {
  const file = new URL(`./${name}`, import.meta.url);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (before === text) return '';
  if (RECORDS) writeFileSync(file, text);
  const [known, now] = [before.split('\n'), text.split('\n')];
  const [gone, added] = [without(known, now), without(now, known)];
  const lines = [
    `${name}: ${gone.length} lines went, ${added.length} came.`,
    ...gone.slice(0, SHOWN).map((line) => `- ${line}`),
    ...added.slice(0, SHOWN).map((line) => `+ ${line}`),
  ];
  if (!RECORDS) return lines.join('\n');
  console.log(lines.join('\n'));
  return '';
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}
