import { expect, test } from 'vitest';
import type { IngestionReport } from '../../../server/features/ingestion/ingestion.contract.ts';
import { flowOf } from './flow.ts';

const aReport = { received: 100, stored: 80, duplicates: 15, inspected: 0, dropped: 5 } as IngestionReport;

test.each([aReport, { ...aReport, stored: 60, inspected: 20 }])(
  'the received count is the sum of all outcomes (%#)',
  (report) => {
    const [received, ...rest] = flowOf(report);
    expect(received!.count).toBe(rest.reduce((sum, { count }) => sum + count, 0));
  },
);

test('only dropped events are bad, and only when there are some', () => {
  const badOf = (report: IngestionReport) =>
    flowOf(report)
      .filter(({ isBad }) => isBad)
      .map(({ label }) => label);
  expect(badOf(aReport)).toEqual(['Dropped']);
  expect(badOf({ ...aReport, dropped: 0 })).toEqual([]);
});
