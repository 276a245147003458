import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber, mayRound, parseExactly, stringifyExactly } from './exact-number.contract.ts';

const digits = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength }).map((list) => list.join(''));

/** Any text that is a number in JSON. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(40).map((text) => text.replace(/^0+(?=\d)/, '')),
    fc.option(digits(30), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(4)), {
      nil: undefined,
    }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      sign +
      whole +
      (fraction === undefined ? '' : `.${fraction}`) +
      (exponent === undefined ? '' : exponent.join('')),
  );

/** The number as digits and a power of ten, computed with whole numbers of any size. */
function isSameNumber(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text)!;
    return { number: BigInt(sign + whole + fraction), power: Number(exponent) - fraction.length };
  }) as [{ number: bigint; power: number }, { number: bigint; power: number }];
  const least = Math.min(x.power, y.power);
  const scaled = ({ number, power }: typeof x) => number * 10n ** BigInt(power - least);
  return scaled(x) === scaled(y);
}

describe('numbers of JSON', () => {
  test('come back as the same text or the same number', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const back = stringifyExactly(parseExactly(text));
        expect(back === text || isSameNumber(back, text), `${text} came back as ${back}`).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('are numbers where a double holds them', () => {
    expect(parseExactly('[9007199254740991,1.0,1e5,0.1,1e300,100000000000000000000000]')).toEqual([
      9007199254740991, 1, 100000, 0.1, 1e300, 1e23,
    ]);
    expect(parseExactly('9007199254740993')).toEqual(new ExactNumber('9007199254740993'));
    expect(parseExactly('1e400')).toEqual(new ExactNumber('1e400'));
    expect(parseExactly('0.12345678901234567890')).toEqual(new ExactNumber('0.12345678901234567890'));
  });

  test('change nothing about the rest of the text', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n'), (json, space) => {
        const text = `${space}{"long" : 9007199254740993 ,"__proto__":${json}, "rest":[${json}${space},"1e400"]}${space}`;
        expect(JSON.stringify(parseExactly(text))).toBe(
          JSON.stringify(JSON.parse(text.replace('9007199254740993', '"9007199254740993"'))),
        );
        expect(JSON.parse(stringifyExactly(parseExactly(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('that are many and deep are read', () => {
    const deep = `${'['.repeat(200_000)}9007199254740993${']'.repeat(200_000)}`;
    expect(() => parseExactly(deep)).not.toThrow();
    const long = '9'.repeat(300_000);
    expect(stringifyExactly(parseExactly(`[${long}]`))).toBe(`[${long}]`);
  });

  test('are looked for in few texts without them: the digits of ids and addresses are none', () => {
    const texts = fc.record({ id: fc.uuid(), hash: fc.stringMatching(/^[0-9a-f]{40}$/), url: fc.webUrl() });
    fc.assert(
      fc.property(texts, fc.double({ noNaN: true, min: -1e6, max: 1e6 }), (one, number) => {
        const price = Number(number.toFixed(2));
        expect(mayRound(JSON.stringify({ ...one, price, at: '2026-11-26T20:00:00.123Z' }))).toBe(false);
      }),
    );
    for (const json of ['12345678901234567', '[1.2345678901234567]', '{"a": -1e400}', '{"a":12345.6e-999}'])
      expect(mayRound(json), json).toBe(true);
  });

  test('are texts for JSON.stringify', () => {
    expect(JSON.stringify(parseExactly('{"id":9007199254740993}'))).toBe('{"id":"9007199254740993"}');
  });
});
