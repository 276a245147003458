import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

async function ask(app: TestApp, query: object) {
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe('metadata of a query text', () => {
  test('a query is valid, or invalid with a position', async () => {
    const app = await openTestApp();
    const about = (query: string, more: object = {}) =>
      ask(app, { kind: 'HogQLMetadata', language: 'hogQL', query, ...more });

    const right = await about('WITH a AS (SELECT event FROM events) SELECT * FROM a, persons');
    expect(right).toMatchObject({ isValid: true, errors: [], table_names: ['events', 'persons'] });
    expect(right.warnings).toEqual([
      {
        message: 'This join has no condition: every row is joined with every row of this table.',
        start: 54,
        end: 61,
      },
    ]);
    expect(right.notices).toEqual([
      { message: 'Without LIMIT, only the first 100 rows are returned.', start: null, end: null },
    ]);
    expect((await about('SELECT 1')).notices).toEqual([]);

    const wrong: [text: string, at: string, message: RegExp][] = [
      ['SELECT event FROM evnts', 'evnts', /evnts/],
      ['SELECT cuont() FROM events', 'cuont()', /count/],
      ['SELECT event FROM events WHERE )', ')', /Unmatched/],
      ['SELECT {variables.country}', '{variables.country}', /country/],
    ];
    for (const [text, at, message] of wrong) {
      const { isValid, errors } = await about(text);
      expect(isValid, text).toBe(false);
      expect(errors).toHaveLength(1);
      expect(errors[0].message).toMatch(message);
      expect(text.slice(errors[0].start, errors[0].end)).toBe(at);
    }
    expect(await about('SELECT {name}', { values: { name: 1 } })).toMatchObject({ isValid: true });
  });

  test('an expression is validated over events', async () => {
    const app = await openTestApp();
    const about = (query: string) => ask(app, { kind: 'HogQLMetadata', language: 'hogQLExpr', query });
    expect(await about('properties.$browser')).toMatchObject({ isValid: true, notices: [] });
    expect(await about('nonsense(event)')).toMatchObject({ isValid: false, errors: [{ start: 0, end: 15 }] });
    expect(await about('a, b')).toMatchObject({ isValid: false, errors: [{ start: 1, end: 2 }] });
  });
});

test('the tables of the language are listed with their columns and their relations', async () => {
  const { tables } = await ask(await openTestApp(), { kind: 'DatabaseSchemaQuery' });
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(['events', 'persons', 'groups', 'sessions']));
  const { fields } = tables.events;
  expect(fields.event).toEqual({ name: 'event', hogql_value: 'event', type: 'string', schema_valid: true });
  expect(fields.timestamp.type).toBe('datetime');
  expect(fields.properties.type).toBe('json');
  expect(fields.person).toMatchObject({
    type: 'lazy_table',
    table: 'persons',
    fields: expect.arrayContaining(['properties']),
  });
  expect(fields).not.toHaveProperty('group_0');
});

test('the functions of the language are listed with their signatures, without internal ones', async () => {
  const { functions } = await ask(await openTestApp(), { kind: 'DatabaseSchemaQuery' });
  expect(functions).toContainEqual({
    name: 'count',
    kind: 'aggregate',
    signature: 'count([x])',
    help: 'Number of rows, or of those where x is not NULL.',
  });
  const names = (functions as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain('textNumber');
  expect(new Set(names).size).toBe(names.length);
});
