import type { RetentionQuery } from '../insight-kinds.contract.ts';
import type { Cell, ValueCells } from './retention-cells.ts';
import { placesInRow, type RetentionDates } from './retention-dates.ts';
import type { RetentionPlan } from './retention-plan.ts';

const NOBODY: Cell = { persons: 0, sum: 0, count: 0 };

/** The rows of an answer (management contract 9.9) with one value of the breakdown. */
export function retentionRows(
  { value, cells }: ValueCells,
  { samplingFactor }: RetentionQuery,
  plan: RetentionPlan,
): object[] {
  const { dates, isCumulative, aggregated } = plan;
  const ratio = samplingFactor ?? 1;
  const whole = (count: number): number => (ratio === 1 ? count : Math.round(count / ratio));
  return Array.from({ length: dates.rows }, (_, row) => {
    const own = Array.from(
      { length: placesInRow(dates, row) },
      (__, at) => cells.get(`${row}:${at}`) ?? NOBODY,
    );
    const shown = isCumulative ? cumulated(own) : own;
    return {
      date: localIso(dates.buckets.starts[row]!, dates),
      label: `${dates.period} ${row}`,
      values: shown.map(({ persons, sum, count }, at) => ({
        count: whole(persons),
        label: dates.places[at]!.label,
        aggregation_value:
          aggregated === null
            ? null
            : aggregated.type === 'sum'
              ? sum / ratio
              : count === 0
                ? null
                : sum / count,
      })),
      ...(value !== null && { breakdown_value: value }),
    };
  });
}

/** Whoever is in a later place is in this one too. */
function cumulated(cells: readonly Cell[]): Cell[] {
  const sums: Cell[] = [];
  let total = NOBODY;
  for (const { persons, sum, count } of cells.toReversed()) {
    total = { persons: total.persons + persons, sum: total.sum + sum, count: total.count + count };
    sums.push(total);
  }
  return sums.toReversed();
}

/** A moment as local clocks show it, with their distance from UTC: `2026-03-29T00:00:00+01:00`. */
function localIso(ms: number, { zone }: RetentionDates): string {
  const local = zone.localOf(ms);
  const minutes = Math.round((local - ms) / 60_000);
  const iso = new Date(local).toISOString().slice(0, 19);
  if (minutes === 0) return `${iso}Z`;
  const offset = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${iso}${minutes < 0 ? '-' : '+'}${offset}`;
}
