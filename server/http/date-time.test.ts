import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateTimeField } from './date-time.contract.ts';

const read = (text: unknown) => dateTimeField().safeParse(text).data ?? null;

test.each([
  ['2025-03-04T09:10:11.123456Z', '2025-03-04T09:10:11.123456Z'],
  ['2025-03-04T09:10:11Z', '2025-03-04T09:10:11.000000Z'],
  ['2025-03-04T11:10:11.5+02:00', '2025-03-04T09:10:11.500000Z'],
  ['2025-03-04T00:30:00-0100', '2025-03-04T01:30:00.000000Z'],
  ['2025-03-04 09:10', '2025-03-04T09:10:00.000000Z'],
  ['2025-03-04', '2025-03-04T00:00:00.000000Z'],
  [' 2024-02-29t09:10:11z ', '2024-02-29T09:10:11.000000Z'],
])('%s is %s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

test.each([
  ['2025-02-29'],
  ['2025-13-01'],
  ['2025-03-04T24:00:00Z'],
  ['2025-03-04T09:60:00Z'],
  ['2025-03-04T09:10:11+24:00'],
  ['0001-01-01T00:00:00+01:00'],
  ['9999-12-31T23:59:59-01:00'],
  ['4 March 2025'],
  ['1741079411'],
  [''],
  [1_741_079_411],
])('%s is not a date', (text) => {
  expect(read(text)).toBeNull();
});

test('a parsed time is parsed to the same value again, for any text', () => {
  const any = fc.oneof(
    fc
      .date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9999-12-30') })
      .map((date) => date.toISOString()),
    fc.string(),
  );
  fc.assert(
    fc.property(any, (text) => {
      const moment = read(text);
      if (moment !== null) expect(read(moment)).toBe(moment);
    }),
  );
});
