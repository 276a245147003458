// @module-tag deep
import { expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  askTrend,
  byDay,
  daysFrom,
  openModelApp,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import { QUERY_OPERATORS } from '../../node-schema.ts';

const DAYS = daysFrom('2026-11-18', '2026-11-20');

/** What events have under `x`; null: nothing. */
const VALUES = [
  'Free',
  'free trial',
  'Pro',
  '',
  '10',
  9,
  10.5,
  true,
  '2026-03-04',
  '2026-03-04T12:00:00Z',
  '2026-11-19T00:00:00Z',
  '1.2.3',
  'v1.3.0',
  '2.0.0-rc.1',
  null,
] as const;
type X = (typeof VALUES)[number];

const text = (x: X): string => String(x).toLowerCase();
/** A text that is one as JSON writes it. */
const number = (x: X): number | null => (/^-?\d+(\.\d+)?$/.test(String(x)) ? Number(x) : null);
/** Unix milliseconds of an ISO date; a number is Unix seconds. */
const moment = (x: X): number | null =>
  number(x) === null
    ? /^\d{4}-\d\d-\d\d/.test(String(x))
      ? Date.parse(String(x))
      : null
    : number(x)! * 1000;
const version = (x: X): string | null =>
  ['1.2.3', 'v1.3.0', '2.0.0-rc.1'].includes(String(x)) ? String(x) : null;
/** Numbers, and a day as well, are versions too: of the year 2026, before its release. */
const isLater = (x: X): boolean => number(x) !== null || x === '2026-03-04';
const isVersion =
  (...wanted: string[]) =>
  (x: X): boolean =>
    version(x) !== null && wanted.includes(String(x));
const above =
  (of: (x: X) => number | null, holds: (value: number) => boolean) =>
  (x: X): boolean => {
    const value = x === null ? null : of(x);
    return value !== null && holds(value);
  };

/** For each operator: the value of the filter, and what it finds in plain TypeScript. */
const CASES: [operator: (typeof QUERY_OPERATORS)[number], value: unknown, fits: (x: X) => boolean][] = [
  ['exact', 'free', (x) => x !== null && text(x) === 'free'],
  ['exact', ['pro', 10], (x) => x !== null && (text(x) === 'pro' || number(x) === 10)],
  ['is_not', 'free', (x) => x === null || text(x) !== 'free'],
  ['is_not', ['pro', '10'], (x) => x === null || !['pro', '10'].includes(text(x))],
  ['in', ['FREE'], (x) => x !== null && text(x) === 'free'],
  ['in', ['true', 'pro'], (x) => x !== null && ['true', 'pro'].includes(text(x))],
  ['not_in', ['FREE'], (x) => x === null || text(x) !== 'free'],
  ['not_in', [9], (x) => x === null || number(x) !== 9],
  ['icontains', 'FREE', (x) => x !== null && text(x).includes('free')],
  ['icontains', ['tri', 'pr'], (x) => x !== null && (text(x).includes('tri') || text(x).includes('pr'))],
  ['not_icontains', 'free', (x) => x === null || !text(x).includes('free')],
  ['not_icontains', '0', (x) => x === null || !text(x).includes('0')],
  [
    'icontains_multi',
    ['tri', 'pr'],
    (x) => x !== null && (text(x).includes('tri') || text(x).includes('pr')),
  ],
  ['icontains_multi', ['-'], (x) => x !== null && text(x).includes('-')],
  [
    'not_icontains_multi',
    ['tri', 'pr'],
    (x) => x === null || !(text(x).includes('tri') || text(x).includes('pr')),
  ],
  ['not_icontains_multi', ['.'], (x) => x === null || !text(x).includes('.')],
  ['starts_with', 'FR', (x) => x !== null && text(x).startsWith('fr')],
  ['starts_with', ['1', '2'], (x) => x !== null && (text(x).startsWith('1') || text(x).startsWith('2'))],
  ['not_starts_with', 'fr', (x) => x === null || !text(x).startsWith('fr')],
  ['not_starts_with', '1', (x) => x === null || !text(x).startsWith('1')],
  ['ends_with', 'RO', (x) => x !== null && text(x).endsWith('ro')],
  ['ends_with', ['z', '0'], (x) => x !== null && (text(x).endsWith('z') || text(x).endsWith('0'))],
  ['not_ends_with', 'o', (x) => x === null || !text(x).endsWith('o')],
  ['not_ends_with', 'e', (x) => x === null || !text(x).endsWith('e')],
  ['regex', '^F', (x) => x !== null && /^F/.test(String(x))],
  ['regex', '(?i)r[oi]', (x) => x !== null && /r[oi]/i.test(String(x))],
  ['not_regex', '^F', (x) => x === null || !/^F/.test(String(x))],
  ['not_regex', '[0-9]', (x) => x === null || !/[0-9]/.test(String(x))],
  ['gt', 9, above(number, (value) => value > 9)],
  ['gt', '2026-03-04', above(moment, (value) => value > Date.UTC(2026, 2, 4))],
  ['gte', '10', above(number, (value) => value >= 10)],
  ['gte', 9, above(number, (value) => value >= 9)],
  ['lt', 10, above(number, (value) => value < 10)],
  ['lt', 10.5, above(number, (value) => value < 10.5)],
  ['lte', 9, above(number, (value) => value <= 9)],
  ['lte', '2026-03-04', above(moment, (value) => value <= Date.UTC(2026, 2, 4))],
  ['min', 10, above(number, (value) => value >= 10)],
  ['min', 10.5, above(number, (value) => value >= 10.5)],
  ['max', 10, above(number, (value) => value <= 10)],
  ['max', 9, above(number, (value) => value <= 9)],
  ['between', [9, 10], above(number, (value) => value >= 9 && value <= 10)],
  [
    'between',
    ['2026-03-04', '2026-03-05'],
    above(moment, (value) => value >= Date.UTC(2026, 2, 4) && value <= Date.UTC(2026, 2, 5)),
  ],
  ['not_between', [9, 10], (x) => x === null || above(number, (value) => value < 9 || value > 10)(x)],
  ['not_between', [0, 10.4], (x) => x === null || above(number, (value) => value < 0 || value > 10.4)(x)],
  ['is_set', undefined, (x) => x !== null],
  ['is_set', 'is_set', (x) => x !== null],
  ['is_not_set', undefined, (x) => x === null],
  ['is_not_set', 'is_not_set', (x) => x === null],
  [
    'is_date_exact',
    '2026-03-04',
    above(moment, (value) => new Date(value).toISOString().startsWith('2026-03-04')),
  ],
  ['is_date_exact', '2026-11-19T00:00:00Z', above(moment, (value) => value === Date.UTC(2026, 10, 19))],
  ['is_date_before', '2026-11-01', above(moment, (value) => value < Date.UTC(2026, 10, 1))],
  ['is_date_before', '-1d', above(moment, (value) => value < Date.UTC(2026, 10, 19, 9, 30))],
  ['is_date_after', '2026-03-04', above(moment, (value) => value > Date.UTC(2026, 2, 4))],
  ['is_date_after', '-7d', above(moment, (value) => value > Date.UTC(2026, 10, 13, 9, 30))],
  ['semver_eq', '1.2.3', isVersion('1.2.3')],
  ['semver_eq', '1.3', isVersion('v1.3.0')],
  ['semver_neq', '1.2.3', (x) => isVersion('v1.3.0', '2.0.0-rc.1')(x) || isLater(x)],
  ['semver_neq', '10.0.0', (x) => version(x) !== null || (isLater(x) && number(x) !== 10)],
  ['semver_gt', '1.2.3', (x) => isVersion('v1.3.0', '2.0.0-rc.1')(x) || isLater(x)],
  ['semver_gt', '2.0.0', isLater],
  ['semver_gte', '1.3.0', (x) => isVersion('v1.3.0', '2.0.0-rc.1')(x) || isLater(x)],
  ['semver_gte', '10.5', (x) => isLater(x) && number(x) !== 9 && number(x) !== 10],
  ['semver_lt', '1.3.0', isVersion('1.2.3')],
  ['semver_lt', '2.0.0', isVersion('1.2.3', 'v1.3.0', '2.0.0-rc.1')],
  ['semver_lte', '1.3.0', isVersion('1.2.3', 'v1.3.0')],
  ['semver_lte', '1.2.2', () => false],
  ['semver_tilde', '1.2.0', isVersion('1.2.3')],
  ['semver_tilde', '1.3.0', isVersion('v1.3.0')],
  ['semver_caret', '1.2.0', isVersion('1.2.3', 'v1.3.0')],
  ['semver_caret', '1.2.4', isVersion('v1.3.0')],
  ['semver_wildcard', '1.*', isVersion('1.2.3', 'v1.3.0')],
  ['semver_wildcard', '1.2.*', isVersion('1.2.3')],
];

/** What a flag said: anything but false; nothing, or false; a variant by its letters. */
const FLAGS: [value: boolean | string, fits: (x: X) => boolean][] = [
  [true, (x) => x !== null && String(x) !== 'false'],
  ['Free', (x) => x === 'Free'],
  ['free', () => false],
];

test('P-1 to P-8, M9.9 every filter operator finds the same events as plain TypeScript', async () => {
  const events: ModelEvent[] = VALUES.map((x, at) => ({
    event: 'seen',
    who: 'lin',
    at: new Date(Date.UTC(2026, 10, 18 + (at % 3), 8)).toISOString(),
    properties: x === null ? {} : { x, '$feature/x': x },
  }));
  const app = await openModelApp(events);
  const table = createCoverageTable('Operators of filters', QUERY_OPERATORS);
  for (const [operator, value, fits] of CASES) {
    const expected = byDay(
      events.filter(({ properties }) => fits((properties['x'] ?? null) as X)),
      DAYS,
      'UTC',
    ).map((list) => list.length);
    const properties = [{ key: 'x', operator, ...(value !== undefined && { value }) }];
    const { results } = await askTrend(app, {
      series: [{ kind: 'EventsNode', event: 'seen', properties }],
      dateRange: { date_from: '-2d' },
    });
    expect(results[0]!.data, `${operator} ${JSON.stringify(value)}`).toEqual(expected);
    table.saw(operator);
  }
  for (const [value, fits] of FLAGS) {
    const properties = [{ key: 'x', type: 'flag', operator: 'flag_evaluates_to', value }];
    const { results } = await askTrend(app, {
      series: [{ kind: 'EventsNode', event: 'seen', properties }],
      dateRange: { date_from: '-2d' },
    });
    const expected = byDay(
      events.filter(({ properties: { x = null } }) => fits(x as X)),
      DAYS,
      'UTC',
    ).map((list) => list.length);
    expect(results[0]!.data, String(value)).toEqual(expected);
    table.saw('flag_evaluates_to');
  }
  expect(table.missing()).toEqual([]);
}, 180_000);

test('M9.9 an operator that no filter computes is refused by its field', async () => {
  const app = await openModelApp([]);
  for (const operator of ['is_cleaned_path_exact', 'flag_evaluates_to', 'sounds_like']) {
    const properties = [{ key: 'x', type: 'event', operator, value: 'a' }];
    const answer = await app.ask('/api/projects/1/query/', {
      method: 'POST',
      body: { query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'seen', properties }] } },
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('operator')]);
  }
});
