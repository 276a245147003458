import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from './exact-json.contract.ts';

test("whole numbers beyond a double's precision are texts with all digits", () => {
  expect(
    parseExactJson('{"a":9007199254740993,"b":[-9223372036854775808,{"c":9007199254740991}],"d":1.5e300}'),
  ).toEqual({ a: '9007199254740993', b: ['-9223372036854775808', { c: 9007199254740991 }], d: 1.5e300 });
  expect(parseExactJson('9007199254740993')).toBe('9007199254740993');
  expect(parseExactJson('[0.12345678901234567,12345678901234567890.5,12345678901234567e1]')).toEqual([
    0.12345678901234567, 12345678901234567890.5, 12345678901234567e1,
  ]);
});

test('texts and names with long numbers in them are unchanged', () => {
  const text =
    '{"9007199254740993":"9007199254740993","a\\"9007199254740993":"\\\\","b":"x\\"9007199254740993"}';
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});

test('all other JSON equals the result of JSON.parse', () => {
  const text = fc.stringMatching(/^[0-9"\\{}:,[\] -]{0,40}$/);
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noDefaultInfinity: true, noNaN: true, max: 1e15, min: -1e15 }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      number,
      fc.constantFrom(null, true),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, (any) => {
      const json = JSON.stringify({ any, long: '1234567890123456789' });
      expect(parseExactJson(json)).toEqual(JSON.parse(json));
    }),
  );
});
