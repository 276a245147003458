import type { Expected, GoldenTable } from '../golden-table.ts';

// The last second but a little of a leap year's 29 February, and the end of that year.
const LEAP = Date.UTC(2024, 1, 29, 23, 59, 59);
const T = `toDateTime64('2024-02-29 23:59:59.999999', 6, 'UTC')`;
const END = Date.UTC(2024, 11, 31, 23, 5, 9, 999);
const E = `toDateTime64('2024-12-31 23:05:09.999', 6, 'UTC')`;
const D = `toDate('2024-12-31')`;

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const day = (ms: number): string => iso(ms).slice(0, 10);
/** The beginning of the minutes in which a moment lies. */
const startOf = (minutes: number): string => iso(Math.floor(LEAP / (minutes * 60_000)) * minutes * 60_000);

const starts: GoldenTable = {
  title: 'starts of seconds to years, again',
  rows: [
    [`toStartOfSecond(${T})`, iso(LEAP)],
    [`toStartOfMinute(${T})`, startOf(1)],
    [`toStartOfFiveMinutes(${T})`, startOf(5)],
    [`toStartOfFiveMinute(${T})`, startOf(5)],
    [`toStartOfTenMinutes(${T})`, startOf(10)],
    [`toStartOfFifteenMinutes(${T})`, startOf(15)],
    [`timeSlot(${T})`, startOf(30)],
    [`toStartOfYear(${T})`, day(Date.UTC(2024, 0, 1))],
    // A Monday of the week in which 2025 begins.
    [`toStartOfISOYear(toDate('2024-12-30'))`, '2024-12-30'],
  ],
};

const at = (text: string): string => `toDateTime('${text}')`;

const spans: GoldenTable = {
  title: 'spans of time, again',
  rows: [
    [`addSeconds(${at('2026-12-31 23:59:59')}, 1)`, iso(Date.UTC(2026, 11, 31, 23, 59, 60))],
    [`subtractSeconds(${at('2026-01-01 00:00:30')}, 45)`, iso(Date.UTC(2026, 0, 1, 0, 0, -15))],
    [`addMinutes(${at('2026-01-01 00:00:00')}, 90)`, iso(Date.UTC(2026, 0, 1, 0, 90))],
    [`subtractMinutes(${at('2026-01-01 01:00:00')}, 90)`, iso(Date.UTC(2026, 0, 1, 1, -90))],
    [`subtractHours(${at('2026-01-01 01:00:00')}, 2)`, iso(Date.UTC(2026, 0, 1, -1))],
    [`subtractDays(toDate('2024-03-01'), 1)`, day(Date.UTC(2024, 2, 0))],
    [`addWeeks(toDate('2026-12-28'), 2)`, day(Date.UTC(2026, 11, 28 + 14))],
    [`subtractWeeks(toDate('2026-01-05'), 1)`, day(Date.UTC(2026, 0, 5 - 7))],
    [`addMonths(toDate('2026-11-15'), 3)`, day(Date.UTC(2026, 10 + 3, 15))],
    [`addQuarters(toDate('2026-11-30'), 1)`, '2027-02-28'],
    [`subtractQuarters(toDate('2026-02-15'), 1)`, day(Date.UTC(2026, 1 - 3, 15))],
    [`addYears(toDate('2026-06-01'), 2)`, '2028-06-01'],
    [`subtractYears(toDate('2024-02-29'), 1)`, '2023-02-28'],
    [`toIntervalSecond(90) + ${at('2026-01-01 00:00:00')}`, iso(Date.UTC(2026, 0, 1, 0, 0, 90))],
    [`toIntervalMinute(90) + ${at('2026-01-01 00:00:00')}`, iso(Date.UTC(2026, 0, 1, 0, 90))],
    [`toIntervalHour(25) + ${at('2026-01-01 00:00:00')}`, iso(Date.UTC(2026, 0, 1, 25))],
    [`toIntervalDay(31) + toDate('2026-01-01')`, '2026-02-01'],
    [`toIntervalWeek(2) + toDate('2026-01-01')`, '2026-01-15'],
    [`toIntervalMonth(1) + toDate('2026-01-31')`, '2026-02-28'],
    [`toIntervalQuarter(2) + toDate('2026-01-31')`, '2026-07-31'],
    [`toIntervalYear(4) + toDate('2024-02-29')`, '2028-02-29'],
    [`date_add('week', 1, ${D})`, day(Date.UTC(2024, 11, 31 + 7))],
    [`timestampAdd('minute', 30, ${at('2026-03-29 23:45:00')})`, iso(Date.UTC(2026, 2, 29, 23, 75))],
    [`timestamp_add(${D}, INTERVAL 1 DAY)`, '2025-01-01'],
    [`dateSub('month', 1, toDate('2026-03-31'))`, '2026-02-28'],
    [`date_sub('week', 1, ${D})`, day(Date.UTC(2024, 11, 24))],
    [`timestampSub('hour', 1, ${at('2026-03-29 00:00:00')})`, iso(Date.UTC(2026, 2, 28, 23))],
    [`timestamp_sub(${D}, INTERVAL 2 DAY)`, '2024-12-29'],
    [`date_diff('month', toDate('2025-12-31'), toDate('2026-03-01'))`, 3],
    [`timestampDiff('hour', ${at('2026-03-28 23:59:59')}, ${at('2026-03-29 01:00:00')})`, 2],
    [`timestamp_diff('days', toDate('2026-02-28'), toDate('2026-03-01'))`, 1],
    [`toDaysSinceYearZero(toDate('1970-01-01'))`, 719_528],
  ],
};

const parts: GoldenTable = {
  title: 'parts of dates, again',
  rows: [
    [`toYear(${E})`, 2024],
    [`year(toDate('1999-12-31'))`, 1999],
    [`toQuarter(${E})`, 4],
    [`quarter(toDate('2026-04-01'))`, 2],
    [`toMonth(${E})`, 12],
    [`month(toDate('2026-04-01'))`, 4],
    [`toDayOfYear(${E})`, 366],
    [`dayofyear(toDate('2026-01-01'))`, 1],
    [`toDayOfMonth(${E})`, 31],
    [`dayofmonth(toDate('2026-04-01'))`, 1],
    [`day(toDate('2026-02-28'))`, 28],
    [`hour(${E})`, 23],
    [`minute(${E})`, 5],
    [`toSecond(${E})`, 9],
    [`second(${E})`, 9],
    [`toMillisecond(${E})`, 999],
    // New Year of 2027 is a Friday.
    [`toISOYear(toDate('2027-01-01'))`, 2026],
    [`toISOWeek(toDate('2027-01-01'))`, 53],
    [`dayOfWeek(${D})`, new Date(END).getUTCDay()],
    [`week(toDate('2026-01-03'))`, 0],
    [`toUnixTimestamp64Second(${E})`, Math.floor(END / 1_000)],
    [`toUnixTimestamp64Milli(${E})`, END],
    [`toUnixTimestamp64Micro(${E})`, END * 1_000],
    [`toYYYYMM(${E})`, 202_412],
    [`toYYYYMMDD(${E})`, 20_241_231],
    [`toYYYYMMDDhhmmss(${E})`, 20_241_231_230_509],
    [`toRelativeYearNum(${D})`, 2024],
    [`toRelativeQuarterNum(${D})`, 2024 * 4 + 3],
    [`toRelativeMonthNum(${D})`, 2024 * 12 + 12],
    [`toRelativeDayNum(toDate('1971-01-01'))`, 365],
    [`monthName(${D})`, 'December'],
    [`timezoneOf(toTimeZone(${E}, 'Asia/Tokyo'))`, 'Asia/Tokyo'],
  ],
};

/** What can be read is read by every form of a conversion. */
function readable(names: string, text: string, value: Expected, rest = ''): [string, Expected][] {
  return ['OrNull', 'OrZero', 'OrDefault'].map((suffix) => [`${names}${suffix}('${text}'${rest})`, value]);
}

/** The first 48 bits of such an id are its milliseconds. */
const idOf = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
};

const NEW_YEAR = '2026-12-31T00:00:00Z';

const conversions: GoldenTable = {
  title: 'dates made of other values, again',
  rows: [
    ...readable('toDate', '2024-12-31', '2024-12-31'),
    [`toDate32('2100-12-31')`, '2100-12-31'],
    ...readable('toDate32', '2100-12-31', '2100-12-31'),
    ...readable('toDateTime', '2024-12-31 23:05:09', '2024-12-31T23:05:09Z'),
    [`toDateTime64('2024-12-31 23:05:09.5', 1)`, '2024-12-31T23:05:09.500000Z'],
    ...readable('toDateTime64', '2024-12-31 23:05:09.5', '2024-12-31T23:05:09.500000Z', ', 3'),
    [`toDateTimeUS('12/31/2026')`, NEW_YEAR],
    ...readable('parseDateTimeBestEffort', '2026-12-31T00:00:00Z', NEW_YEAR),
    [`parseDateTimeBestEffortUS('12/31/2026')`, NEW_YEAR],
    ...readable('parseDateTimeBestEffortUS', '12/31/2026', NEW_YEAR),
    [`parseDateTime64BestEffort('2026-01-02 03:04:05.25')`, '2026-01-02T03:04:05.250000Z'],
    ...readable('parseDateTime64BestEffort', '2026-01-02 03:04:05.25', '2026-01-02T03:04:05.250000Z'),
    [`parseDateTimeOrNull('2026', '%Y')`, '2026-01-01T00:00:00Z'],
    [`toTimeZone(${E}, 'Europe/Berlin')`, '2024-12-31T23:05:09.999000Z'],
    [`fromUnixTimestamp64Second(0)`, iso(0)],
    [`fromUnixTimestamp64Milli(1500)`, '1970-01-01T00:00:01.500000Z'],
    [`fromUnixTimestamp64Micro(1)`, '1970-01-01T00:00:00.000001Z'],
    [`now() > ${at('2026-11-20 09:29:59')}`, 1],
    [`current_timestamp() = now()`, 1],
    [`now64() >= now()`, 1],
    [`current_date() = today()`, 1],
    [`yesterday() < today()`, 1],
    [`makeDateTime(2024, 2, 29, 0, 0, 1)`, '2024-02-29T00:00:01Z'],
    [`UUIDv7ToDateTime('${idOf(LEAP)}')`, iso(LEAP)],
    [`date_format(${E}, '%H:%i')`, '23:05'],
  ],
};

export const dateTables: readonly GoldenTable[] = [starts, spans, parts, conversions];
