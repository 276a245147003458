import { expect, test } from 'vitest';
import { withDisplay } from '../../insights/hogql/sql-node.ts';
import { sqlFormat, withText } from './sql-format.ts';

const saved = sqlFormat.empty({});

test('the URL has the text, or the whole node once its settings differ', () => {
  expect(sqlFormat.toText(saved, saved)).toBeUndefined();
  const written = withText(saved, 'SELECT 1');
  expect(sqlFormat.toText(written, saved)).toBe('SELECT 1');
  expect(sqlFormat.fromText('SELECT 1', saved)).toEqual(written);
  const drawn = withDisplay(written, 'ActionsBar');
  const text = sqlFormat.toText(drawn, saved)!;
  expect(sqlFormat.fromText(text, saved)).toEqual(drawn);
});

test('a text that starts with a brace and is not a node is read as SQL', () => {
  expect(sqlFormat.fromText('{filters}', saved)).toEqual(withText(saved, '{filters}'));
  expect(sqlFormat.fromText(undefined, saved)).toBeNull();
});

test('a query that is too long for a URL is left out of it', () => {
  expect(sqlFormat.toText(withText(saved, 'x'.repeat(8_001)), saved)).toBeUndefined();
});
