import { expect, test } from 'vitest';
import { queryOf, variableNames, variableValue, typedValues, withValues } from './query-variables.ts';

test('placeholders are found once, outside of texts and comments', () => {
  const text = `SELECT {a}, '{no}', { variables.plan }, {a} -- {no}
    FROM events /* {no} */ WHERE {filters} AND x = 'it\\'s {no}'`;
  expect(variableNames(text)).toEqual(['a', 'variables.plan']);
});

test('typed text is parsed as JSON where possible, else it is a text', () => {
  const typed = ['12', '-1.5', 'true', 'null', '["a", 1]', '[a', '007', 'Ana', ''];
  expect(typed.map(variableValue)).toEqual([12, -1.5, true, null, ['a', 1], '[a', '007', 'Ana', '']);
});

test('a query has only the values of its own names', () => {
  expect(queryOf('SELECT 1', { a: '1' })).toEqual({ kind: 'HogQLQuery', query: 'SELECT 1' });
  expect(queryOf('SELECT {a}, {variables.plan}', { a: '1', b: '2', 'variables.plan': 'solo' })).toEqual({
    kind: 'HogQLQuery',
    query: 'SELECT {a}, {variables.plan}',
    values: { a: 1, 'variables.plan': 'solo' },
    variables: { plan: { code_name: 'plan', value: 'solo' } },
  });
});

test('a stored query shows its values, and an unchanged one keeps its type and its id', () => {
  const stored = {
    kind: 'HogQLQuery' as const,
    query: 'SELECT {variables.plan}, {n}',
    values: { n: '5' },
    variables: { 'id-1': { code_name: 'plan', variableId: 'id-1', value: '2026' } },
  };
  expect(typedValues(stored)).toEqual({ 'variables.plan': '2026', n: '5' });
  const changed = withValues(stored, { ...typedValues(stored), 'variables.plan': 'free' });
  expect(changed.values).toEqual({ n: '5', 'variables.plan': 'free' });
  expect(changed.variables).toEqual({ 'id-1': { code_name: 'plan', variableId: 'id-1', value: 'free' } });
});
