import type { Expected, GoldenTable } from './golden-table.ts';

const DAY = 86_400_000;
/** The days around the ends of years that begin on each day of the week. */
const DAYS = [2015, 2017, 2018, 2019, 2020, 2021, 2024, 2026, 2027].flatMap((year) => [
  Date.UTC(year, 0, 1),
  Date.UTC(year, 0, 2),
  Date.UTC(year, 0, 4),
  Date.UTC(year, 0, 7),
  Date.UTC(year, 11, 29),
  Date.UTC(year, 11, 31),
]);
const iso = (day: number): string => new Date(day).toISOString().slice(0, 10);
const list = DAYS.map((day) => `toDate('${iso(day)}')`).join(', ');

/** Which first days of weeks count as the first of a year: as MySQL's table of modes says it. */
type First = 'whole' | 'four days' | '1 January';
const FIRST: readonly First[] = [
  'whole',
  'four days',
  'whole',
  'four days',
  'four days',
  'whole',
  'four days',
  'whole',
  '1 January',
  '1 January',
];

/** The first day of week 1 of a year. */
function beginOf(year: number, mode: number): number {
  const newYear = Date.UTC(year, 0, 1);
  const past = (new Date(newYear).getUTCDay() + (mode % 2 === 1 ? 6 : 0)) % 7;
  const week = newYear - past * DAY;
  const has = FIRST[mode] === '1 January' || past === 0 || (FIRST[mode] === 'four days' && past <= 3);
  return has ? week : week + 7 * DAY;
}

/** The year of a day's week and its number, looked for year by year. */
function yearWeek(day: number, mode: number): readonly [year: number, week: number] {
  const year = new Date(day).getUTCFullYear();
  const found = [year + 1, year, year - 1].find((one) => beginOf(one, mode) <= day)!;
  return [found, Math.floor((day - beginOf(found, mode)) / DAY / 7) + 1];
}

/** The number of a day's week, 0 before the first one in the modes that count within the year alone. */
function week(day: number, mode: number): number {
  if ([2, 3, 6, 7, 8, 9].includes(mode)) return yearWeek(day, mode)[1];
  const begin = beginOf(new Date(day).getUTCFullYear(), mode);
  return Math.floor((day - begin) / DAY / 7) + 1;
}

const MODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const weeks: GoldenTable = {
  title: 'weeks in each mode, around the ends of years',
  rows: [
    ...MODES.flatMap((mode): [string, Expected][] => [
      [`arrayMap(d -> toWeek(d, ${mode}), [${list}])`, DAYS.map((day) => week(day, mode))],
      [
        `arrayMap(d -> toYearWeek(d, ${mode}), [${list}])`,
        DAYS.map((day) => yearWeek(day, mode)[0] * 100 + yearWeek(day, mode)[1]),
      ],
    ]),
    [`toYearWeek(toDate('2026-01-03'))`, 202_552],
    [`toYearWeek(toDateTime('2027-01-01 12:00:00'), 3)`, 202_653],
    [`toYearWeek(toDateTime('2026-01-04 23:30:00', 'UTC'), 3, 'Europe/Berlin')`, 202_602],
    [`toYearWeek(toDate(NULL))`, null],
  ],
};

const at = (text: string): string => `toDateTime('${text}')`;

const ages: GoldenTable = {
  title: 'whole units between moments, and dates as Postgres has them',
  rows: [
    [`age('year', toDate('2024-02-29'), toDate('2026-02-28'))`, 1],
    [`age('month', toDate('2026-01-15'), toDate('2026-03-14'))`, 1],
    [`age('month', toDate('2026-01-15'), toDate('2026-03-15'))`, 2],
    [`age('month', toDate('2026-01-31'), toDate('2026-02-28'))`, 0],
    [`age('month', toDate('2026-03-15'), toDate('2026-01-16'))`, -1],
    [`age('year', toDate('2026-02-28'), toDate('2024-02-29'))`, -1],
    [`age('quarter', toDate('2026-01-01'), toDate('2026-12-31'))`, 3],
    [`age('week', toDate('2026-01-01'), toDate('2026-01-15'))`, 2],
    [`age('day', ${at('2026-01-01 12:00:00')}, ${at('2026-01-03 11:59:59')})`, 1],
    [`age('hour', ${at('2026-01-01 12:30:00')}, ${at('2026-01-01 14:29:00')})`, 1],
    [`age('minute', ${at('2026-01-01 12:30:00')}, ${at('2026-01-01 12:28:30')})`, -1],
    [`age('second', ${at('2026-01-01 00:00:00')}, ${at('2026-01-01 00:01:30')})`, 90],
    [`age('day', toDate(NULL), toDate('2026-01-15'))`, null],
    [`to_char(${at('2026-11-20 09:30:00')}, '%Y/%m/%d %H:%i')`, '2026/11/20 09:30'],
    [`to_char(${at('2026-11-20 23:30:00')}, '%d.%m.%Y', 'Europe/Berlin')`, '21.11.2026'],
    ['to_timestamp(1795000000)', new Date(1_795_000_000_000).toISOString().replace('.000', '')],
    ['to_timestamp(0)', '1970-01-01T00:00:00Z'],
    ['make_timestamp(2026, 11, 20, 9, 30, 5)', '2026-11-20T09:30:05Z'],
    ['make_timestamp(2026, 13, 20, 9, 30, 5)', null],
    [`date_subtract(toDate('2026-03-31'), INTERVAL 1 MONTH)`, '2026-02-28'],
    [`date_subtract(${at('2026-03-31 00:30:00')}, INTERVAL 1 HOUR)`, '2026-03-30T23:30:00Z'],
    [
      `date_bin(INTERVAL 15 MINUTE, ${at('2026-11-20 09:37:00')}, ${at('2026-11-20 00:05:00')})`,
      '2026-11-20T09:35:00Z',
    ],
    [
      `date_bin(INTERVAL 7 DAY, ${at('2026-11-20 09:37:00')}, ${at('2026-11-18 12:00:00')})`,
      '2026-11-18T12:00:00Z',
    ],
    [`timezone('Europe/Berlin', ${at('2026-11-20 09:30:00')})`, '2026-11-20T09:30:00Z'],
    [`toHour(timezone('Europe/Berlin', ${at('2026-11-20 09:30:00')}))`, 10],
    [`dateName('weekday', toDate('2026-11-20'))`, 'Friday'],
    [`dateName('month', toDate('2026-11-20'))`, 'November'],
    [`dateName('hour', ${at('2026-11-20 09:30:00')}, 'Europe/Berlin')`, '10'],
    [`toModifiedJulianDay('2020-11-01')`, (Date.UTC(2020, 10, 1) - Date.UTC(1858, 10, 17)) / DAY],
    [`toModifiedJulianDay('no day')`, null],
    ['fromModifiedJulianDay(59154)', iso(Date.UTC(1858, 10, 17) + 59_154 * DAY)],
    ['fromModifiedJulianDay(0)', '1858-11-17'],
  ],
};

const berlin: GoldenTable = {
  title: 'whole days in Berlin, over the night in which the clocks go forward',
  timezone: 'Europe/Berlin',
  rows: [
    // 23 hours, but a day by the clocks.
    [`age('day', ${at('2026-03-28 12:00:00')}, ${at('2026-03-29 12:00:00')})`, 1],
    [`age('hour', ${at('2026-03-28 12:00:00')}, ${at('2026-03-29 12:00:00')})`, 23],
    [`toYearWeek(fromUnixTimestamp(${Date.UTC(2026, 0, 4, 23, 30) / 1000}), 3)`, 202_602],
    [
      `date_bin(INTERVAL 1 DAY, ${at('2026-03-29 12:00:00')}, ${at('2026-03-27 06:00:00')})`,
      '2026-03-29T04:00:00Z',
    ],
  ],
};

const DOC = `{"a": {"b": [1, {"c d": "x"}], "it's": true}, "n": null, "$e": 1.5}`;
const doc = `'${DOC.replaceAll("'", "\\'")}'`;

const paths: GoldenTable = {
  title: 'values at paths in JSON',
  rows: [
    [`JSON_VALUE(${doc}, '$.a.b[0]')`, '1'],
    [`JSON_VALUE(${doc}, '$.a.b[1]["c d"]')`, 'x'],
    [`JSON_VALUE(${doc}, '$.a.b[1]."c d"')`, 'x'],
    [`JSON_VALUE(${doc}, '$.$e')`, '1.5'],
    [`JSON_VALUE(${doc}, '$.a["it\\'s"]')`, 'true'],
    [`JSON_VALUE(${doc}, '$.a.b')`, ''],
    [`JSON_VALUE(${doc}, '$.a')`, ''],
    [`JSON_VALUE(${doc}, '$.n')`, 'null'],
    [`JSON_VALUE(${doc}, '$.missing.other')`, ''],
    [`JSON_VALUE('"text"', '$')`, 'text'],
    [`JSON_VALUE('no json', '$.a')`, ''],
  ],
};

export const weekTables: readonly GoldenTable[] = [weeks, ages, berlin, paths];
