import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { type EventTimes, parseTime, resolveEventTime } from './event-time.ts';

/** What a time is in Unix microseconds, by the platform's own reading of its milliseconds. */
function us(iso: string, microseconds = 0): number {
  return Date.parse(iso) * 1000 + microseconds;
}

describe('4.6 formats of times', () => {
  test.each<[unknown, number]>([
    // RFC 3339
    ['2020-08-16T09:03:11.913Z', us('2020-08-16T09:03:11.913Z')],
    ['2020-08-16T09:03:11Z', us('2020-08-16T09:03:11Z')],
    ['2020-08-16t09:03:11z', us('2020-08-16T09:03:11Z')],
    ['2020-08-16T09:03Z', us('2020-08-16T09:03:00Z')],
    ['2020-08-16T09:03:11.9Z', us('2020-08-16T09:03:11.900Z')],
    // The documents' examples: no zone is UTC, with and without the T
    ['2020-08-16T09:03:11.913767', us('2020-08-16T09:03:11.913Z', 767)],
    ['2020-08-16 09:03:11.913767', us('2020-08-16T09:03:11.913Z', 767)],
    // Python: microseconds and +00:00
    ['2026-11-20T09:10:11.123456+00:00', us('2026-11-20T09:10:11.123Z', 456)],
    ['2020-08-16T09:03:11.913767999Z', us('2020-08-16T09:03:11.913Z', 767)],
    ['2020-08-16T09:03:11,5Z', us('2020-08-16T09:03:11.500Z')],
    // Offsets
    ['2020-08-16T09:03:11+03', us('2020-08-16T06:03:11Z')],
    ['2020-08-16T09:03:11+0300', us('2020-08-16T06:03:11Z')],
    ['2020-08-16T09:03:11+03:00', us('2020-08-16T06:03:11Z')],
    ['2020-08-16T09:03:11.250-05:30', us('2020-08-16T14:33:11.250Z')],
    ['2020-01-01T00:30:00+01:00', us('2019-12-31T23:30:00Z')],
    ['2020-08-16T09:03:11-00:00', us('2020-08-16T09:03:11Z')],
    ['2020-08-16 09:03:11 +0200', us('2020-08-16T07:03:11Z')],
    ['2020-08-16 09:03:11 UTC', us('2020-08-16T09:03:11Z')],
    // Dates alone, slashes
    ['2020-08-16', us('2020-08-16T00:00:00Z')],
    ['2020/08/16', us('2020-08-16T00:00:00Z')],
    ['2020/8/6 9:03:11', us('2020-08-06T09:03:11Z')],
    ['08/16/2020', us('2020-08-16T00:00:00Z')],
    ['8/6/2020 09:03', us('2020-08-06T09:03:00Z')],
    // RFC 2822
    ['Sun, 16 Aug 2020 09:03:11 +0000', us('2020-08-16T09:03:11Z')],
    ['16 Aug 2020 09:03:11 GMT', us('2020-08-16T09:03:11Z')],
    ['Sun, 6 Aug 2020 09:03 -0430', us('2020-08-06T13:33:00Z')],
    ['Sun, 16 Aug 2020 09:03:11 EST', us('2020-08-16T14:03:11Z')],
    ['Sun, 16 Aug 2020 09:03:11 PDT', us('2020-08-16T16:03:11Z')],
    // Unix seconds and milliseconds
    [1_597_568_591, us('2020-08-16T09:03:11Z')],
    [1_597_568_591_913, us('2020-08-16T09:03:11.913Z')],
    [1_597_568_591.913767, us('2020-08-16T09:03:11.913Z', 767)],
    ['1597568591', us('2020-08-16T09:03:11Z')],
    ['1597568591913', us('2020-08-16T09:03:11.913Z')],
    ['1597568591.5', us('2020-08-16T09:03:11.500Z')],
    [0, 0],
    [-1, -1_000_000],
    // Calendar
    ['2000-02-29T00:00:00.000Z', us('2000-02-29T00:00:00.000Z')],
    ['2024-02-29', us('2024-02-29T00:00:00Z')],
    ['1969-12-31T23:59:59.999Z', -1000],
    ['1600-02-29T12:00:00Z', us('1600-02-29T12:00:00Z')],
    ['0000-01-01T00:00:00Z', us('0000-01-01T00:00:00Z')],
    ['-000001-01-01T00:00:00Z', us('-000001-01-01T00:00:00Z')],
    ['+012026-01-01T00:00:00.000Z', us('+012026-01-01T00:00:00.000Z')],
    ['2016-12-31T23:59:60Z', us('2017-01-01T00:00:00Z')],
    // Hours that clocks skip or show twice somewhere are plain UTC here
    ['2026-03-29T02:30:00', us('2026-03-29T02:30:00Z')],
    ['2026-10-25T02:30:00', us('2026-10-25T02:30:00Z')],
    ['  2020-08-16T09:03:11Z\n', us('2020-08-16T09:03:11Z')],
  ])('%j', (value, expected) => {
    expect(parseTime(value)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    'yesterday',
    '2020',
    '2021-02-29',
    '2021-02-29T00:00:00.000Z',
    '1900-02-29',
    '2020-13-01',
    '2020-00-10T00:00:00.000Z',
    '2020-04-31',
    '2020-08-00',
    '2020-08-16T24:00:00.000Z',
    '2020-08-16T09:60:00',
    '2020-08-16T09:03:61Z',
    '2020-08-16T09:03:11+99:99',
    '2020-08-16T09:03:1x.000Z',
    '2020-08/16',
    '2020-08-16T',
    '16 Foo 2020 09:03:11 GMT',
    '16/08/2020',
    'NaN',
    '1e9',
    `2020-08-16T09:03:11.${'1'.repeat(100)}Z`,
    null,
    undefined,
    true,
    {},
    [],
    ['2020-08-16'],
    NaN,
    Infinity,
  ])('%j is not a time', (value) => {
    expect(parseTime(value)).toBe(value === '2020' ? 2_020_000_000 : null);
  });

  // Between these years a double holds every microsecond.
  const instant = fc.date({ min: new Date('1700-01-01'), max: new Date('2250-01-01'), noInvalidDate: true });

  test('any instant is parsed the same in all its formats', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 0, max: 999 }),
        fc.integer({ min: -839, max: 839 }),
        (date, micro, offset) => {
          const iso = date.toISOString();
          const expected = date.getTime() * 1000;
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const two = (value: number) => String(Math.abs(value)).padStart(2, '0');
          const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`;
          expect(parseTime(iso)).toBe(expected);
          expect(parseTime(iso.replace('T', ' '))).toBe(expected);
          expect(parseTime(iso.slice(0, -1))).toBe(expected);
          expect(parseTime(iso.slice(0, 10).replaceAll('-', '/') + iso.slice(10))).toBe(expected);
          expect(parseTime(local + zone)).toBe(expected);
          expect(parseTime(local + zone.replace(':', ''))).toBe(expected);
          expect(parseTime(`${iso.slice(0, -1)}${String(micro).padStart(3, '0')}Z`)).toBe(expected + micro);
          expect(parseTime(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000) * 1_000_000);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('any instant after 1973 is parsed from its milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e11, max: 253_402_300_799_999 }), (milliseconds) => {
        expect(parseTime(milliseconds)).toBe(milliseconds * 1000);
        expect(parseTime(String(milliseconds))).toBe(milliseconds * 1000);
      }),
    );
  });

  test('any text is a whole number or null', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789-+:./TZ GMT'), minLength: 8, maxLength: 30 }),
      instant.map((date) => date.toISOString().replace(/\d/, 'x')),
    );
    fc.assert(
      fc.property(text, (value) => {
        const time = parseTime(value);
        expect(time === null || Number.isInteger(time)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('4.7, 3.3/time the time of an event', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z');
  function resolve(times: Partial<EventTimes>): number {
    return resolveEventTime({
      timestamp: undefined,
      offset: undefined,
      sentAt: null,
      ignoreSentAt: false,
      now,
      ...times,
    });
  }

  test("4.2 the skew of the sender's clock is corrected", () => {
    const sentAt = us('2026-11-20T15:00:05Z');
    expect(resolve({ timestamp: '2026-11-20T15:00:00Z', sentAt })).toBe(us('2026-11-20T11:59:55Z'));
    expect(resolve({ timestamp: '2026-11-20T15:00:00.000001Z', sentAt })).toBe(us('2026-11-20T11:59:55Z', 1));
  });
  test('4.2 unless the event has $ignore_sent_at', () => {
    const times = {
      timestamp: '2026-11-20T11:00:00Z',
      sentAt: us('2026-11-20T15:00:05Z'),
      ignoreSentAt: true,
    };
    expect(resolve(times)).toBe(us('2026-11-20T11:00:00Z'));
  });
  test('4.3 a timestamp without sent_at is used unchanged', () => {
    expect(resolve({ timestamp: '2020-08-16T09:03:11.913767' })).toBe(us('2020-08-16T09:03:11.913Z', 767));
  });
  test.each([undefined, null, '', 'soon', {}, false])('4.3 a timestamp of %j is now', (timestamp) => {
    expect(resolve({ timestamp })).toBe(now * 1000);
    expect(resolve({ timestamp, sentAt: us('2020-01-01') })).toBe(now * 1000);
  });
  test('4.4 an offset is milliseconds before now and overrides the timestamp', () => {
    const times = { timestamp: '2020-08-16', sentAt: us('2020-08-16'), offset: 1500 };
    expect(resolve(times)).toBe(us('2026-11-20T11:59:58.500Z'));
    expect(resolve({ offset: 0, timestamp: '2020-08-16' })).toBe(now * 1000);
    expect(resolve({ offset: null, timestamp: '2020-08-16' })).toBe(us('2020-08-16'));
  });
  test.each(['1500', 1.5, {}, true, NaN])('4.4 an offset of %j makes the request malformed', (offset) => {
    expect(() => resolve({ offset })).toThrow(ApiError);
  });
  test('4.5 more than 23 hours ahead becomes now; 23 hours are stored unchanged', () => {
    expect(resolve({ timestamp: '2026-11-21T11:00:00Z' })).toBe(us('2026-11-21T11:00:00Z'));
    expect(resolve({ timestamp: '2026-11-21T11:00:00.000001Z' })).toBe(now * 1000);
    expect(resolve({ timestamp: '+012026-01-01' })).toBe(now * 1000);
    expect(resolve({ offset: -24 * 3_600_000 })).toBe(now * 1000);
    expect(resolve({ timestamp: 1e300 })).toBe(now * 1000);
  });
  test('4.5 a year before 0 becomes the epoch; the year 0 is stored unchanged', () => {
    expect(resolve({ timestamp: '-000001-12-31T23:59:59Z' })).toBe(0);
    expect(resolve({ timestamp: '0000-01-01' })).toBe(us('0000-01-01T00:00:00Z'));
    expect(resolve({ offset: 1e300 })).toBe(0);
    expect(resolve({ timestamp: -1e300 })).toBe(0);
  });
  test('4.5 a clock after the year 9999 becomes the epoch, too', () => {
    expect(resolve({ now: 253_402_300_800_000 })).toBe(0);
  });
});
