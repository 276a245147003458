import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsvIds } from './csv-ids.ts';

describe('the ids of a CSV file', () => {
  test.each([
    ['', []],
    ['\n\r\n', []],
    ['u1', ['u1']],
    ['u1\nu2\r\nu3\ru4', ['u1', 'u2', 'u3', 'u4']],
    ['u1,ada\nu2,lin\n', ['u1', 'u2']],
    [' u1 \nu1\n"u1"', ['u1']],
    ['name;Distinct_ID\nada;u1\nlin;u2', ['u1', 'u2']],
    ['\uFEFFperson_id\nu1', ['u1']],
    ['uuid,name,email,distinct_id\na,b,c,d', ['a']],
    ['name\tid\nada\tu1', ['u1']],
    ['"a ""quoted"" one",1\n"two\nlines",2', ['a "quoted" one', 'two\nlines']],
    ['"never closed', ['never closed']],
    ['u1,\n,u2\nu3', ['u1', 'u3']],
    ['email\nada@local.test', ['email', 'ada@local.test']],
  ])('%j are %j', (text, expected) => {
    expect(readCsvIds(text)).toEqual(expected);
  });

  test('are read from the output of a CSV library, whatever they contain', () => {
    const ids = fc.uniqueArray(
      fc.string({ unit: 'binary', minLength: 1 }).map((text) => `x${text.trim()}x`),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(ids, fc.constantFrom(',', ';'), (list, delimiter) => {
        const rows = list.map((id) => [id, 'more']);
        expect(readCsvIds(stringify([['distinct_id', 'note'], ...rows], { delimiter }))).toEqual(list);
      }),
    );
  });

  test('of any text are read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a",;\n\r\t ') }), (text) => void readCsvIds(text)),
    );
  });
});
