import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql, testHogqlContext } from '../../test/support/ask-hogql.ts';
import { parseHogql } from '../../test/support/parse-hogql.ts';
import { openTestStore } from '../../test/support/store.ts';
import type { Store } from '../db/client.ts';
import { compileHogql } from './compile.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const ask = async (text: string): Promise<unknown> => (await askHogql(store, text)).results[0]![0];
const nested = (levels: number, inner: string, wrap: (inner: string) => string): string =>
  levels === 0 ? inner : wrap(nested(levels - 1, inner, wrap));

describe('the size of function results is limited', () => {
  test('a funnel is limited in events per group, without those that make no difference', async () => {
    const funnel = (modes: string, last: string) =>
      ask(`select windowFunnel(1${modes})(number, number % 2 = 0, ${last}) from numbers(200000)`);
    await expect(funnel('', 'number % 2 = 1')).rejects.toThrow(/too large/);
    await expect(funnel(`, 'strict_order'`, 'number = 5')).rejects.toThrow(/too large/);
    expect(await funnel('', 'number = 199999')).toBe(2);
  });

  test('A-7 a funnel of PostHog is limited in steps of events per group', async () => {
    const funnel = (order: string, count: number) =>
      ask(
        `select length(aggregate_funnel(2, 9, 'first_touch', '${order}', [''], groupArray((toFloat(number), number, '', [number % 2 + 1])))) from numbers(${count})`,
      );
    await expect(funnel('ordered', 20_001)).rejects.toThrow(/the limit is 20000 steps of events/);
    await expect(funnel('unordered', 5_001)).rejects.toThrow(/the limit is 5000 steps of events/);
    const repeated = (order: string, list: string) =>
      ask(
        `select length(aggregate_funnel(2, 9, 'first_touch', '${order}', ['', 'a'], groupArray((toFloat(number), number, '', ${list})))) from numbers(400)`,
      );
    for (const order of ['ordered', 'strict', 'unordered']) {
      await expect(repeated(order, 'arrayMap(x -> 1, range(1000))')).rejects.toThrow(/steps of events/);
      await expect(repeated(order, 'range(1000)')).rejects.toThrow(/steps of events/);
      expect(await repeated(order, '[1, 2, 3]'), order).toBe(2);
    }
    const trends = `aggregate_funnel_trends(1, 2, 2, 9, 'first_touch', 'ordered', [''], groupArray((toFloat(number), number, number, '', [1])))`;
    await expect(ask(`select length(${trends}) from numbers(2000)`)).rejects.toThrow(
      /the limit is 1000000 steps of events, times intervals/,
    );
    expect(await funnel('strict', 1000)).toBe(1);
  });

  test('arrays filled by position, and running sums, terminate', async () => {
    await expect(ask('select groupArrayInsertAt(1, 5000000)')).rejects.toThrow(/too large/);
    await expect(ask('select length(arrayCumSum(range(200000)))')).rejects.toThrow(/too large/);
    await expect(ask('select sumForEach(range(100000)) from numbers(101)')).rejects.toThrow(/too large/);
    expect(await ask('select arraySum(arrayCumSum(range(100000))) > 0')).toBe(true);
    expect(await ask('select length(arraySplit(x -> x % 3 = 0, range(100000)))')).toBe(33_334);
    expect(await ask('select length(sumMap([number % 1000], [1]).1) from numbers(100000)')).toBe(1000);
  });

  test('A-7 a list, or a filled text, that would be cut is refused with its function and limit', async () => {
    const items =
      /The result of "(range|generateSeries|arrayWithConstant)" is too large: the limit is 1000000 items/;
    for (const list of [
      'range(1000001)',
      'range(0, -1000000000, -1)',
      'generateSeries(0, 1000000000)',
      'arrayWithConstant(1000001, 1)',
    ])
      await expect(ask(`select length(${list})`)).rejects.toThrow(items);
    const texts =
      /The result of "(leftPad|rpad|space|repeat)" is too large: the limit is (10000|32768) (characters|bytes)/;
    for (const text of [
      `leftPad('a', 10001)`,
      `rpad('a', 10001, 'b')`,
      `space(32769)`,
      `repeat('a', 32769)`,
      `repeat('', 9223372036854775807)`,
    ])
      await expect(ask(`select length(${text})`)).rejects.toThrow(texts);
    expect(
      await ask(`select length(repeat('a', 32768)) + length(lpad('a', 10000)) + length(space(-1))`),
    ).toBe(42_768);
    expect(await ask('select length(range(1000000))')).toBe(1_000_000);
    expect(await ask('select length(range(5, -9223372036854775807, -9223372036854775807))')).toBe(2);
    expect(await ask('select range(3, 0, -1)')).toEqual([3, 2, 1]);
    expect(await ask('select range(0, 9, 3)')).toEqual([0, 3, 6]);
  });

  test('lists and texts created by a lambda for each item are refused when their total is too large', async () => {
    const list = 'range(number, number + 9999)';
    for (const made of [
      'range(x, x + 9999)',
      'range(100)',
      'arrayWithConstant(10000, x)',
      'arrayResize([x], 10000)',
      'arrayEnumerate(a)',
      'a',
      't',
      'upper(t)',
      'hex(t)',
      'concat(t, t)',
      `repeat('a', 3000)`,
      `replaceAll(t, '1', 'aa')`,
      '(x, a)',
      `map('a', a)`,
      'arraySlice(a, 1, x)',
      `[${'t, '.repeat(20)}t]`,
      `splitByChar(',', t)`,
    ]) {
      const query = `select length(arrayMap(x -> ${made}, a)) from (select ${list} as a, repeat(toString(number), 5000) as t from numbers(2))`;
      await expect(ask(query), made).rejects.toThrow(/is too large/);
    }
    for (const call of [
      `arraySort(x -> repeat(toString(x), 5000), ${list})`,
      `arrayMap((x, y) -> range(y), ${list}, ${list})`,
      `mapApply((k, v) -> (k, range(1000)), mapFromArrays(range(1000), range(1000)))`,
      `arrayWithConstant(10000, ${list})`,
      `arrayFold((all, x) -> concat(all, toString(x)), ${list}, '')`,
      `arrayFold((all, x) -> arrayConcat(all, [x, x]), range(number, number + 1999), [0])`,
      `arrayFlatten(arrayMap(x -> [x, x, x, x], arrayFlatten(arrayMap(x -> [x, x, x, x], ${list}))))`,
      `[${Array.from({ length: 20 }, () => 'a').join(', ')}]`,
      `(${Array.from({ length: 20 }, () => 'a').join(', ')}).1`,
    ])
      await expect(
        ask(`select length(${call}) from (select number, ${list} as a from numbers(2))`),
        call,
      ).rejects.toThrow(/is too large/);
  });

  test('texts that are split into too many parts are refused, and long texts with few parts are not', async () => {
    const [many, few] = [`repeat('ab', 12000)`, `concat(repeat('ab', 15000), ', ', repeat('c', 9))`];
    for (const cut of [
      `splitByChar('b', TEXT)`,
      `splitByString('', TEXT)`,
      `splitByWhitespace(repeat('a ', 15000))`,
      `extractAll(TEXT, '[a-c]')`,
      `splitByRegexp('[abc]', TEXT)`,
      `extractAllGroups(TEXT, '([a-c])')`,
    ])
      await expect(ask(`select length(${cut.replace('TEXT', () => many)})`), cut).rejects.toThrow(
        /the limit is 10000 items/,
      );
    expect(await ask(`select length(splitByString(', ', ${few}))`)).toBe(2);
    expect(await ask(`select length(splitByWhitespace(${few}))`)).toBe(2);
    expect(await ask(`select length(alphaTokens(${few}))`)).toBe(2);
    expect(await ask(`select extractAll(${few}, 'b, c')`)).toEqual(['b, c']);
    expect(await ask(`select length(splitByRegexp(', *', ${few}))`)).toBe(2);
    expect(await ask(`select countMatches(${many}, '[a-c]')`)).toBe(24_000);
    expect(await ask(`select countMatchesCaseInsensitive(${many}, 'AB')`)).toBe(12_000);
  });

  test('the lambda results of a long list are accepted when they are about as large as the list', async () => {
    const long = `groupArray((number, concat('https://example.com/', toString(number))))`;
    const of = (call: string) => ask(`select length(${call}) from numbers(60000)`);
    expect(await of(`arrayMap(x -> x.2, ${long})`)).toBe(60_000);
    expect(await of(`arrayMap(x -> (x.2, x.1, x.1 + 1), ${long})`)).toBe(60_000);
    expect(await of(`arrayMap(x -> upper(concat(x.2, '?page=', toString(x.1))), ${long})`)).toBe(60_000);
    expect(await of(`arraySort(x -> lower(x.2), ${long})`)).toBe(60_000);
    expect(
      await of(
        `arrayMap((x, y) -> concat(x.2, y.2), arraySlice(${long}, 1, 5000), arraySlice(${long}, 1, 5000))`,
      ),
    ).toBe(5000);
    expect(await of(`if(arrayFold((all, x) -> all + x.1, ${long}, 0) > 1, 'yes', 'no')`)).toBe(3);
    expect(await of(`arrayMap(x -> [x.1, x.1], arraySlice(${long}, 1, 5000))`)).toBe(5000);
    expect(await of(`arrayFold((all, x) -> arrayPushBack(all, x), range(1000), [0])`)).toBe(1001);
  });

  test('a long literal list is refused when each row would have it', async () => {
    for (const text of [
      'select sum(length(arrayMap(x -> x + number, range(1000000)))) from numbers(100000)',
      'select sum(arraySum(r) + number) from (select range(1000000) as r) a cross join numbers(100000) b',
      'select count(arrayWithConstant(20000, 1)) from events',
    ])
      await expect(ask(text)).rejects.toThrow(
        /more than 10000 items is too large in a query that reads rows/,
      );
  });

  test('algorithms that compare all pairs of letters are refused for long texts', async () => {
    for (const name of [
      'levenshteinDistance',
      'damerauLevenshteinDistance',
      'jaroSimilarity',
      'jaroWinklerSimilarity',
    ])
      await expect(
        ask(
          `select max(${name}(repeat(toString(number), 1001), repeat(toString(number), 1000))) from numbers(2)`,
        ),
      ).rejects.toThrow(/product of their bytes is limited to 1000000/);
  });

  const A = `toString(number)`;
  const bombs: [string, string][] = [
    ['repeat of repeat', nested(3, `concat('ab', ${A})`, (x) => `repeat(${x}, 10000)`)],
    ['replaceAll of replaceAll', nested(30, A, (x) => `replaceAll(concat('a', ${x}), 'a', 'aaaa')`)],
    ['every letter by a thousand', nested(4, A, (x) => `replaceAll(${x}, '0', repeat('0', 1000))`)],
    [
      'what matches, four times',
      nested(30, A, (x) => `replaceRegexpAll(${x}, '.+', '\\\\0\\\\0\\\\0\\\\0')`),
    ],
    ['every place by many letters', nested(6, A, (x) => `replaceRegexpAll(${x}, 'z*', 'abcdefghij')`)],
    ['one place by itself', nested(30, A, (x) => `replaceRegexpOne(${x}, '.*', '\\\\0\\\\0\\\\0')`)],
    ['texts of tuples of texts', nested(24, A, (x) => `toString((${x}, 1))`)],
    ['hex of hex', nested(16, A, (x) => `hex(${x})`)],
    [
      'percent-encoding of letters',
      nested(12, `repeat('%', 1000)`, (x) => `replaceAll(encodeURLComponent(${x}), '2', '%')`),
    ],
    ['signs before signs', nested(20, `concat('.', ${A})`, (x) => `regexpQuoteMeta(${x})`)],
    ['a list for each row', `arrayResize([${A}], 1000000, 'x')`],
    ['numbers for each row', 'range(number, 1000000)'],
    ['the same value so often', `arrayWithConstant(number + 1000000, 'x')`],
    ['a list as one text', `arrayStringConcat(arrayResize([${A}], 10000, repeat('x', 10000)))`],
    ['so many ngrams', `ngrams(${nested(3, `concat('ab', ${A})`, (x) => `repeat(${x}, 30)`)}, 100)`],
    ['parts of an address, each with all before it', `URLHierarchy(repeat(concat('a/', ${A}), 5000))`],
    ['letters of XML', nested(12, `repeat('&', 1000)`, (x) => `encodeXMLComponent(concat(${x}, ${A}))`)],
    ['a format', nested(3, `repeat(concat('ab', ${A}), 5000)`, (x) => `format('{0}{0}', ${x})`)],
    ['a long text in base 58', `base58Encode(repeat(concat('ab', ${A}), 50))`],
    [
      'words that nearly match, of many letters',
      `multiFuzzyMatchAny(repeat(concat('ab', ${A}), 50), 8, [repeat('a', 50)])`,
    ],
    ['the geohashes of a country', `geohashesInBox(6, 47, 15 + number, 55, 6)`],
    ['series for each row', 'generateSeries(number, 1000000)'],
    ['slots of time', `timeSlots(toDateTime(number), 1000000000, 1)`],
    ['maps', `mapAdd(map(1, number), mapFromArrays(range(20000), range(20000)))`],
    ['a separator', `arrayStringConcat(range(100000), 'xxxxxxxxxxxxxxxxxxxx')`],
  ];

  test.each(bombs)('a text does not exceed memory: %s', async (_, text) => {
    await expect(ask(`select max(length(${text})) from numbers(50)`)).rejects.toThrow(/too large/);
  });

  test('texts and lists doubled by subqueries are refused', async () => {
    const text = nested(
      18,
      'select toString(number) as x from numbers(50)',
      (x) => `select concat(x, x) as x from (${x})`,
    );
    await expect(ask(`select max(length(x)) from (${text})`)).rejects.toThrow(/is too large/);
    const separated = nested(
      18,
      'select toString(number) as x from numbers(50)',
      (x) => `select concatWithSeparator('-', x, x) as x from (${x})`,
    );
    await expect(ask(`select max(length(x)) from (${separated})`)).rejects.toThrow(/is too large/);
    for (const name of ['arrayConcat', 'concat']) {
      const list = nested(18, 'select [1, 2] as x', (x) => `select ${name}(x, x) as x from (${x})`);
      await expect(ask(`select max(length(x)) from (${list})`)).rejects.toThrow(/is too large/);
    }
  });

  test('texts that are long already are accepted, and null stays null', async () => {
    const long = `repeat(repeat('0123456789', 100), 32)`;
    expect(await ask(`select length(replaceAll(${long}, '9', 'x'))`)).toBe(32_000);
    expect(await ask(`select length(concat(${long}, '-', ${long}))`)).toBe(64_001);
    expect(await ask(`select length(replaceRegexpAll(${long}, '[0-9]', '<'))`)).toBe(32_000);
    // In concat it is an empty text, as HogQL has it.
    expect(await ask(`select concat('a', null, 'b')`)).toBe('ab');
    expect(await ask(`select repeat(null, 3)`)).toBeNull();
    expect(await ask(`select replaceAll('banana', 'an', '<an>')`)).toBe('b<an><an>a');
    expect(await ask(`select replaceRegexpAll('ab12', '([a-z])([0-9])', '\\\\2\\\\1')`)).toBe('a1b2');
  });
});

describe('patterns', () => {
  const compile = async (text: string) => compileHogql(await parseHogql(text), testHogqlContext());

  test('with a high compile cost are refused before they are compiled', async () => {
    const refused = /up to 10000 characters/;
    await expect(compile(`select match('a', '${'a'.repeat(10_001)}')`)).rejects.toThrow(refused);
    await expect(compile(`select extract('a', '${'(a{100}b{9})'.repeat(20)}')`)).rejects.toThrow(refused);
    const many = Array.from({ length: 30 }, (_, n) => `match('a', '${'(x+)+'.repeat(190)}${n}')`);
    await expect(compile(`select ${many.join(', ')}`)).rejects.toThrow(/too long in total/);
  });

  test('of usual length are compiled, also several', async () => {
    expect(await ask(`select extract('2026-11-20', '([0-9]{4})-([0-9]{2}){1,2}')`)).toBe('2026');
    const many = Array.from({ length: 50 }, (_, n) => `match('a${n}', '^a[0-9]{1,3}$')`);
    expect(await ask(`select ${many.join(' and ')}`)).toBe(true);
  });
});
