import type { Value } from '../../../../db/db.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { type RetentionPlan, placesInRow, type RetentionDates } from './plan.ts';

/** What was counted of a place in a row. */
interface Cell {
  /** Of the place alone, also where places are cumulated. */
  readonly persons: number;
  /** The sum of the property. */
  readonly sum: number;
}

/** The cells with one value of the breakdown, or without one. */
export interface ValueCells {
  readonly value: string | null;
  readonly isOther: boolean;
  /** By the row's place and its own: `3:0`. */
  readonly cells: ReadonlyMap<string, Cell>;
}

export function valueCells(value: ValueCells['value'], rows: readonly (readonly Value[])[]): ValueCells {
  const cells = new Map<string, Cell>();
  for (const [start, ...arrays] of rows) {
    const [places, persons, sums] = arrays as unknown as [
      readonly Value[],
      readonly Value[],
      ...(readonly Value[])[],
    ];
    places.forEach((place, at) => {
      const cell = { persons: Number(persons[at]), sum: Number(sums?.[at] ?? 0) };
      cells.set(`${Number(start)}:${Number(place)}`, cell);
    });
  }
  return { value, isOther: value === OTHER_VALUE, cells };
}

export function inOrder(found: readonly ValueCells[]): ValueCells[] {
  const begun = ({ cells }: ValueCells): number =>
    [...cells].reduce((sum, [key, { persons }]) => (key.endsWith(':0') ? sum + persons : sum), 0);
  const last = ({ value, isOther }: ValueCells): number => (isOther ? 2 : value === NULL_VALUE ? 1 : 0);
  const ranked = found.map((one) => ({ one, last: last(one), begun: begun(one) }));
  return ranked
    .toSorted(
      (a, b) => a.last - b.last || b.begun - a.begun || (String(a.one.value) < String(b.one.value) ? -1 : 1),
    )
    .map(({ one }) => one);
}

const EMPTY_CELL: Cell = { persons: 0, sum: 0 };

/** The rows of an answer (management contract 9.9) with one value of the breakdown. */
export function retentionRows({ value, cells }: ValueCells, plan: RetentionPlan): object[] {
  const { dates, isCumulative, aggregated } = plan;
  const ratio = plan.query.samplingFactor ?? 1;
  const whole = (count: number): number => (ratio === 1 ? count : Math.round(count / ratio));
  return Array.from({ length: dates.rows }, (_, row) => {
    const own = Array.from(
      { length: placesInRow(dates, row) },
      (__, at) => cells.get(`${row}:${at}`) ?? EMPTY_CELL,
    );
    const shown = isCumulative ? cumulated(own) : own;
    return {
      date: localIso(dates.buckets.starts[row]!, dates),
      label: `${dates.period} ${row}`,
      values: shown.map(({ persons, sum }, at) => ({
        count: whole(persons),
        label: dates.places[at]!.label,
        aggregation_value:
          aggregated === null
            ? null
            : aggregated.type === 'sum'
              ? sum / ratio
              : persons === 0
                ? 0
                : sum / persons,
      })),
      ...(value !== null && { breakdown_value: value }),
    };
  });
}

/** Actors in a later column are also in this one. */
function cumulated(cells: readonly Cell[]): Cell[] {
  const sums: Cell[] = [];
  let total = EMPTY_CELL;
  for (const { persons, sum } of cells.toReversed()) {
    total = { persons: total.persons + persons, sum: total.sum + sum };
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
