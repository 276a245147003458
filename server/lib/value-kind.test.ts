import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindOfJson, kindOfValue, VALUE_KIND, type ValueKind } from './value-kind.ts';

const NAMES = Object.fromEntries(Object.entries(VALUE_KIND).map(([name, kind]) => [kind, name]));

function kindOfText(json: string): ValueKind {
  const bytes = Buffer.from(`[${json}]`);
  return kindOfJson(bytes, 1, bytes.length - 1);
}

describe('the kind of a value', () => {
  test.each([
    ['null', 'nothing'],
    ['{}', 'nothing'],
    ['["2026-11-20"]', 'nothing'],
    ['""', 'text'],
    ['"Paris"', 'text'],
    ['"5"', 'text'],
    ['"tru"', 'text'],
    ['"truth"', 'text'],
    ['"True"', 'text'],
    ['"true"', 'booleanText'],
    ['"FALSE"', 'booleanText'],
    ['"2026-11-20"', 'dateText'],
    ['"2026/11/20"', 'dateText'],
    ['"2026-11-20T09:30:00Z"', 'dateText'],
    ['"2026-11-20T09:30:00.123456+02:00"', 'dateText'],
    ['"2026-11-20 09:30"', 'dateText'],
    ['"2026-13-20"', 'text'],
    ['"2026-11/20"', 'text'],
    ['"2026-11-20 was a Friday"', 'text'],
    ['"2026"', 'text'],
    ['"20/11/2026"', 'text'],
    ['5', 'number'],
    ['-1790000000', 'number'],
    ['179000000', 'number'],
    ['1790000000', 'instantNumber'],
    ['1790000000.25', 'instantNumber'],
    ['1790000000123', 'instantNumber'],
    ['17900000001', 'number'],
    ['9999999999.9999999999', 'number'],
    ['1.79e9', 'instantNumber'],
    ['1790000000e1', 'number'],
    ['true', 'boolean'],
    ['false', 'boolean'],
  ])('of %s is %s', (json, name) => {
    expect(NAMES[kindOfText(json)]).toBe(name);
    expect(NAMES[kindOfValue(JSON.parse(json))]).toBe(name);
  });

  const dateLike = fc.stringMatching(
    /^(20[012]\d[-/][01]\d[-/][0-3]\d([T ][0-2]\d:[0-5]\d(:[0-5]\d)?Z?)?|true|FALSE|t[rR]ue)$/,
  );
  /** Any spelling of the text: characters written as escapes here and there. */
  const spelled = fc
    .tuple(fc.oneof(dateLike, fc.string()), fc.array(fc.boolean()))
    .map(([text, escapes]) =>
      JSON.stringify(text).includes('\\')
        ? JSON.stringify(text)
        : `"${[...text]
            .map((letter, i) =>
              escapes[i] && letter.length === 1
                ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
                : letter,
            )
            .join('')}"`,
    );
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.integer(), fc.integer({ min: 0, max: 12 }))
      .map(([digits, exponent]) => `${digits}e${exponent}`),
  );

  test('is the same, read from the bytes or parsed, for any spelling of the value', () => {
    fc.assert(
      fc.property(fc.oneof(spelled, number, fc.json()), (json) => {
        expect(kindOfText(json)).toBe(kindOfValue(JSON.parse(json)));
      }),
      { numRuns: 2_000 },
    );
  });
});
