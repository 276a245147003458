import { describe, expect, test } from 'vitest';
import { evaluate, flagWith, NOW, passes } from '../../test/support/flag-subject.ts';
import { PROPERTY_OPERATORS } from './index.ts';

/** Whether `p` with this value passes the operator. */
function holds(operator: string, wanted: unknown, got: unknown, now = NOW): boolean {
  return passes({ operator, value: wanted }, { p: got }, now);
}

/** Values that the operators are tested with, where a text is not enough. */
const VALUES: Readonly<Record<string, unknown>> = {
  gt: 5,
  gte: 5,
  lt: 5,
  lte: 5,
  between: [1, 2],
  not_between: [1, 2],
  is_date_exact: '2026-01-01',
  is_date_before: '2026-01-01',
  is_date_after: '2026-01-01',
  ...Object.fromEntries(
    PROPERTY_OPERATORS.filter((operator) => operator.startsWith('semver')).map((operator) => [
      operator,
      '1.2.3',
    ]),
  ),
  semver_wildcard: '1.*',
};

describe('P-1 a missing property', () => {
  const NEGATIVE = PROPERTY_OPERATORS.filter((operator) => /^not_|^is_not/.test(operator));

  test.each(NEGATIVE.map((operator) => [operator, VALUES[operator] ?? 'x']))(
    'passes %s',
    (operator, value) => {
      expect(passes({ operator, value }, {})).toBe(true);
    },
  );

  test.each(
    PROPERTY_OPERATORS.filter((operator) => !NEGATIVE.includes(operator)).map((operator) => [
      operator,
      VALUES[operator] ?? 'x',
    ]),
  )('does not pass %s', (operator, value) => {
    expect(passes({ operator, value }, {})).toBe(false);
  });

  test('P-1 a key of Object.prototype is not a property', () => {
    for (const key of ['toString', 'constructor', '__proto__']) {
      expect(passes({ key, operator: 'is_set' }, {})).toBe(false);
      expect(passes({ key, operator: 'is_set' }, JSON.parse(`{"${key}": 1}`))).toBe(true);
    }
  });
});

describe('P-2 exact and is_not', () => {
  test.each([
    ['pro', 'PRO', true],
    ['Straße', 'STRASSE', false],
    ['É', 'é', true],
    ['1', 1, true],
    [1, '1', true],
    [1, '1.0', false],
    [1.5, 1.5, true],
    [true, 'TRUE', true],
    ['true', true, true],
    [false, 'banana', false],
    [false, false, true],
    [false, 'False', true],
    ['null', null, true],
    [null, null, true],
    ['', '', true],
    ['["a",1]', ['a', 1], true],
    ['{"a":1,"b":[2]}', { b: [2], a: 1 }, true],
    ['', null, false],
    ['\ud800', '\ud800', true],
  ])('P-2 exact %j and %j', (wanted, got, expected) => {
    expect(holds('exact', wanted, got)).toBe(expected);
    expect(holds('is_not', wanted, got)).toBe(!expected);
  });

  test('P-2 one matching value of a list is enough', () => {
    expect(holds('exact', ['a', 2, true], 'A')).toBe(true);
    expect(holds('exact', ['a', 2, true], '2')).toBe(true);
    expect(holds('exact', ['a', 2, true], 'TRUE')).toBe(true);
    expect(holds('exact', ['a', 2, true], 'b')).toBe(false);
    expect(holds('is_not', ['a', 'b'], 'b')).toBe(false);
    expect(holds('is_not', ['a', 'b'], 'c')).toBe(true);
  });

  test('P-2 an empty list means truthy', () => {
    for (const got of [true, 'true', 'TRUE', [true, 'true'], []]) {
      expect(holds('exact', [], got)).toBe(true);
      expect(holds('is_not', [], got)).toBe(false);
    }
    for (const got of [false, 'yes', 1, null, {}, [true, 1]]) expect(holds('exact', [], got)).toBe(false);
  });

  test('P-2 without an operator it is exact', () => {
    expect(passes({ value: 'a' }, { p: 'A' })).toBe(true);
    expect(passes({ value: 'a', operator: null }, { p: 'A' })).toBe(true);
    expect(passes({ value: 'a' }, { p: 'b' })).toBe(false);
  });

  test('P-2 a list of a thousand values is compared like a list of two', () => {
    const wanted = Array.from({ length: 1000 }, (_, n) => `Value ${n}`);
    expect(holds('exact', wanted, 'value 999')).toBe(true);
    expect(holds('exact', wanted, 'value 1000')).toBe(false);
  });
});

describe('P-3 parts of a text', () => {
  test.each([
    ['icontains', 'MPL', 'example', true],
    ['icontains', 'É', 'café', true],
    ['icontains', 'x', 'y', false],
    ['icontains', '', 'y', true],
    ['icontains', 12, 4123, true],
    ['icontains', 'ul', null, true],
    ['icontains', 'b', ['a', 'b'], true],
    ['icontains_multi', ['q', 'AMP'], 'example', true],
    ['icontains_multi', ['q', 'r'], 'example', false],
    ['starts_with', 'EX', 'example', true],
    ['starts_with', 'xa', 'example', false],
    ['ends_with', 'PLE', 'example', true],
    ['ends_with', 'pl', 'example', false],
  ])('P-3 %s %j of %j', (operator, wanted, got, expected) => {
    expect(holds(operator, wanted, got)).toBe(expected);
    expect(holds(`not_${operator}`, wanted, got)).toBe(!expected);
  });
});

describe('P-4 patterns', () => {
  test.each([
    ['mpl', 'example', true],
    ['^mpl', 'example', false],
    ['^ex.*le$', 'example', true],
    ['EX', 'example', false],
    ['(?i)EX', 'example', true],
    ['', 'anything', true],
    ['^\\d+$', 123, true],
    ['^.$', '😀', true],
    ['true', true, true],
  ])('P-4 %j in %j', (pattern, got, expected) => {
    expect(holds('regex', pattern, got)).toBe(expected);
    expect(holds('not_regex', pattern, got)).toBe(!expected);
  });

  test.each([
    '(',
    '[z-a]',
    'a**',
    '(?=a)',
    '(?<!a)b(?!c)',
    '(a)\\1',
    'a{2,1}',
    '('.repeat(50_000),
    'a'.repeat(20_000),
  ])('P-4 an invalid pattern does not match, and neither does its negation: %#', (pattern) => {
    expect(holds('regex', pattern, 'aaa')).toBe(false);
    expect(holds('not_regex', pattern, 'aaa')).toBe(false);
    expect(passes({ operator: 'not_regex', value: pattern }, {})).toBe(false);
  });

  test('P-4 a text of any kind is searched in linear time, or not at all when it is very long', () => {
    expect(holds('regex', '(a+)+$', `${'a'.repeat(19_000)}b`)).toBe(false);
    expect(holds('regex', 'a', 'a'.repeat(1_000_000))).toBe(false);
    expect(holds('not_regex', 'b', 'a'.repeat(1_000_000))).toBe(false);
  });
});

describe('P-5 comparisons of numbers', () => {
  test.each([
    ['gt', 5, 6, true],
    ['gt', 5, 5, false],
    ['gte', 5, 5, true],
    ['lt', 5, 4, true],
    ['lt', 5, 5, false],
    ['lte', '5', '5.0', true],
    ['gt', '5', '10', true],
    ['gt', 5, ' 007 ', true],
    ['lt', 5, '-1e3', true],
    ['gt', '.5', 0.6, true],
    ['gt', 5, 'ten', false],
    ['lt', 5, 'ten', false],
    ['gt', 'ten', 'two', false],
    ['gt', 5, '12abc', false],
    ['gt', 5, true, false],
    ['lt', 5, null, false],
    ['lt', 5, '', false],
    ['gt', 5, '1e999', false],
    ['gt', 5, [6], false],
    ['gt', [5], 6, true],
    ['gt', [5, 6], 7, false],
    ['between', [1, 3], 1, true],
    ['between', [1, 3], '3', true],
    ['between', [1, 3], 3.1, false],
    ['not_between', [1, 3], 4, true],
    ['not_between', [1, 3], 2, false],
    ['not_between', [1, 3], 'four', false],
    ['between', 5, 5, false],
    ['between', [1], 1, false],
    ['not_between', [1, 'x'], 4, false],
  ])('P-5 %s %j of %j is %j', (operator, wanted, got, expected) => {
    expect(holds(operator, wanted, got)).toBe(expected);
  });
});

describe('P-6 is_set and is_not_set', () => {
  test('P-6 a present property is set, also when it is null', () => {
    for (const got of [null, '', 0, false, 'x']) {
      expect(holds('is_set', undefined, got)).toBe(true);
      expect(holds('is_not_set', 'is_not_set', got)).toBe(false);
    }
    expect(passes({ operator: 'is_set' }, {})).toBe(false);
    expect(passes({ operator: 'is_not_set' }, {})).toBe(true);
  });
});

describe('P-7 dates', () => {
  test.each([
    ['is_date_before', '2026-03-04', '2026-03-03', true],
    ['is_date_before', '2026-03-04', '2026-03-04', false],
    ['is_date_after', '2026-03-04', '2026-03-04T00:00:01Z', true],
    ['is_date_after', '2026-03-04', '2026-03-04', false],
    ['is_date_after', '2026-03-04T10:00:00Z', '2026-03-04T12:00:00+01:00', true],
    ['is_date_after', '2026-03-04T10:00:00+02:00', '2026-03-04 08:30', true],
    ['is_date_exact', '2026-03-04', '2026-03-04T23:59:59Z', true],
    ['is_date_exact', '2026-03-04', '2026-03-05', false],
    ['is_date_exact', '2026-03-04T10:00:00Z', '2026-03-04T11:00:00+01:00', true],
    ['is_date_exact', '2026-03-04T10:00:00Z', '2026-03-04T10:00:01Z', false],
    ['is_date_after', '2026-03-04', 1_772_582_400 + 1, true],
    ['is_date_after', '2026-03-04', 1_772_582_400, false],
    ['is_date_exact', '2026-03-04', '1772582400', true],
    ['is_date_before', '2026-03-04', '1.5', true],
    ['is_date_before', '2026-03-04', '01', false],
    ['is_date_before', '2026-03-04', 'soon', false],
    ['is_date_after', '2026-03-04', 'soon', false],
    ['is_date_before', '2026-03-04', null, false],
    ['is_date_before', '2026-03-04', true, false],
    ['is_date_before', 'soon', '2026-03-03', false],
    ['is_date_after', '2026-02-30', '2026-03-05', false],
    // A number is a date in a property, not in a condition.
    ['is_date_exact', 1_772_582_400, '2026-03-04', false],
    ['is_date_before', 1_772_582_400, '2026-03-03', false],
  ])('P-7 %s %j of %j is %j', (operator, wanted, got, expected) => {
    expect(holds(operator, wanted, got)).toBe(expected);
  });

  test.each([
    ['2026-11-20T12:00:00Z', '-6h', '2026-11-20T06:00:00Z'],
    ['2026-11-20T12:00:00Z', '6h', '2026-11-20T06:00:00Z'],
    ['2026-11-20T12:00:00Z', '-7d', '2026-11-13T12:00:00Z'],
    ['2026-11-20T12:00:00Z', '-2w', '2026-11-06T12:00:00Z'],
    ['2026-11-20T12:00:00Z', '-1m', '2026-10-20T12:00:00Z'],
    ['2026-11-20T12:00:00Z', '-14m', '2025-09-20T12:00:00Z'],
    ['2026-03-31T12:00:00Z', '-1m', '2026-02-28T12:00:00Z'],
    ['2026-03-31T12:00:00Z', '-2m', '2026-01-28T12:00:00Z'],
    ['2026-05-31T12:00:00Z', '-1m', '2026-04-30T12:00:00Z'],
    ['2024-03-31T12:00:00Z', '-1m', '2024-02-29T12:00:00Z'],
    ['2026-11-20T12:00:00Z', '-1y', '2025-11-20T12:00:00Z'],
    ['2028-02-29T12:00:00Z', '-1y', '2027-02-28T12:00:00Z'],
    ['2028-02-29T12:00:00Z', '-4y', '2024-02-28T12:00:00Z'],
    ['2026-11-20T12:00:00Z', '0d', '2026-11-20T12:00:00Z'],
  ])('P-7 at %s, %s is %s', (now, span, moment) => {
    const at = Date.parse(moment);
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(holds('is_date_before', span, iso(at - 1), Date.parse(now))).toBe(true);
    expect(holds('is_date_before', span, iso(at), Date.parse(now))).toBe(false);
    expect(holds('is_date_after', span, iso(at + 1), Date.parse(now))).toBe(true);
    expect(holds('is_date_exact', span, moment.slice(0, 10), Date.parse(now))).toBe(true);
  });

  test.each(['-10000d', '-7q', '-7', 'd', '--7d', '-7 d', '-7D', '- 7d', '1.5d'])(
    'P-7 %s is not a relative date',
    (span) => {
      expect(holds('is_date_after', span, '2026-11-20T11:00:00Z')).toBe(false);
      expect(holds('is_date_before', span, '1990-01-01')).toBe(false);
    },
  );

  test('P-7 the longest relative dates are before the calendar starts', () => {
    for (const unit of 'hdwmy') expect(holds('is_date_after', `-9999${unit}`, '2026-11-20')).toBe(true);
  });
});

describe('P-8 versions', () => {
  test.each([
    ['semver_eq', '1.2.3', 'v1.2.3', true],
    ['semver_eq', '1.2', '1.2.0', true],
    ['semver_eq', '1', 1, true],
    ['semver_eq', '1.2.3', '01.02.03', true],
    ['semver_eq', '1.2.3', '1.2.3+build.5', true],
    ['semver_eq', '1.2.3', '1.2.3.4', true],
    ['semver_eq', '1.2.3', ' 1.2.3 ', true],
    ['semver_eq', '1.2.3', '1.2.3.x', true],
    ['semver_eq', '1.2.3', '1.2.3-', true],
    ['semver_gt', '1.1.0', '1.2.x', false],
    ['semver_gt', '0.1.0', '1.x', false],
    ['semver_eq', '1..3', '1.0.3', true],
    ['semver_eq', '1.2.3', '1.2.3-beta', false],
    ['semver_neq', '1.2.3', '1.2.4', true],
    ['semver_neq', '1.2.3', '1.2.3', false],
    ['semver_gt', '1.2.3', '1.10.0', true],
    ['semver_gt', '1.2.3', '1.2.3', false],
    ['semver_gte', '1.2.3', '1.2.3', true],
    ['semver_lt', '1.2.3', '1.2.3-rc.1', true],
    ['semver_lt', '1.2.3-rc.2', '1.2.3-rc.1', true],
    ['semver_gt', '1.2.3-rc.2', '1.2.3-rc.10', true],
    ['semver_eq', '1.2.3-rc.1', '1.2.3-rc.1+build-7', true],
    ['semver_lt', '1.2.3-rc', '1.2.2', true],
    ['semver_lte', '1.2.3', ' V1.2.3 ', true],
    ['semver_tilde', '1.2.3', '1.2.9', true],
    ['semver_tilde', '1.2.3', '1.3.0', false],
    ['semver_tilde', '1.2.3', '1.2.2', false],
    ['semver_caret', '1.2.3', '1.9.0', true],
    ['semver_caret', '1.2.3', '2.0.0', false],
    ['semver_caret', '1.2.3', '2.0.0-beta', false],
    ['semver_caret', '0.2.3', '0.2.9', true],
    ['semver_caret', '0.2.3', '0.3.0', false],
    ['semver_caret', '0.0.3', '0.0.3', true],
    ['semver_caret', '0.0.3', '0.0.4', false],
    ['semver_wildcard', '1.*', '1.9.9', true],
    ['semver_wildcard', '1.*', '2.0.0', false],
    ['semver_wildcard', 'v1.2.*', '1.2.9', true],
    ['semver_wildcard', '1.2.*', '1.3.0', false],
    ['semver_eq', '1.2.3', 'latest', false],
    ['semver_neq', '1.2.3', 'latest', false],
    ['semver_lt', '1.2.3', '', false],
    ['semver_lt', '1.2.3', null, false],
    ['semver_gt', 'latest', '1.2.3', false],
    ['semver_neq', 'latest', '1.2.3', false],
    ['semver_wildcard', '*', '1.2.3', false],
    ['semver_gt', '1.2.3', '9'.repeat(30), false],
    ['semver_gt', '1.2.3', '9'.repeat(300), false],
    ['semver_gt', '1.2.3', '2.0.0-?!', false],
    ['semver_gt', '1.2.3', -2, false],
  ])('P-8 %s %j of %j is %j', (operator, wanted, got, expected) => {
    expect(holds(operator, wanted, got)).toBe(expected);
  });
});

describe('P-9 operators of cohorts and flags', () => {
  test.each(['in', 'not_in', 'flag_evaluates_to'])('P-9 %s does not match a property', (operator) => {
    expect(passes({ operator, value: 'a' }, { p: 'a' })).toBe(false);
    expect(passes({ operator, value: 'a' }, { p: 'b' })).toBe(false);
  });
});

describe('P-10 an error', () => {
  test.each([
    { operator: 'sounds_like', value: 'a' },
    { operator: '__proto__', value: 'a' },
    { operator: 'gt', value: {} },
    { operator: 'exact' },
    { operator: 'is_not' },
    { operator: 'regex', value: '(' },
    { type: 'event', value: 'a' },
    { type: 'behavioral', value: 'a' },
    { type: 'hogql', value: 'a' },
  ])('P-10 %j fails its condition, not the flag', (property) => {
    const broken = { properties: [{ key: 'p', ...property }], rollout_percentage: 100 };
    const answer = evaluate(flagWith({ groups: [broken, { properties: [], rollout_percentage: 100 }] }), {
      person: { request: { p: 'a' }, geoip: null, stored: null },
    });
    expect(answer).toMatchObject({ value: true, reason: { code: 'condition_match', conditionIndex: 1 } });
  });

  test.each(PROPERTY_OPERATORS.filter((operator) => operator !== 'is_set' && operator !== 'is_not_set'))(
    'P-10 %s without a value matches no person',
    (operator) => {
      expect(passes({ operator }, { p: 'undefined' })).toBe(false);
      expect(passes({ operator }, { p: 'a' })).toBe(false);
      expect(passes({ operator }, {})).toBe(false);
    },
  );

  test('P-6 is_set and is_not_set need no value', () => {
    expect(passes({ operator: 'is_set' }, { p: 'a' })).toBe(true);
    expect(passes({ operator: 'is_not_set' }, {})).toBe(true);
  });

  test('P-10 a value nested deeper than the stack fails only its condition', () => {
    let deep: unknown = 'a';
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(holds('icontains', 'a', deep)).toBe(false);
    expect(holds('not_icontains', 'b', deep)).toBe(false);
    expect(holds('exact', [], deep)).toBe(false);
    expect(holds('exact', deep, 'a')).toBe(false);
  });
});
