import { defineKind, type ActorsSelect, type KindContext } from '../../query-kind.ts';
import { retentionQuery, type RetentionQuery } from '../insight-kinds.contract.ts';
import { queryCells, ofCohort, valuesOf, type Cell, type ValueCells } from './retention-cells.ts';
import { planRetention, type RetentionPlan } from './retention-plan.ts';
import { placesInRow, type RetentionDates } from './retention-dates.ts';
import { fail } from '../../../../errors.ts';
import type { ActorsPoint } from '../actors-point.contract.ts';
import { rowActors } from './retention-statement.ts';

/**
 * Who is in a row, `interval`, or in one of its cells, `day`; both count from 0. With each, in `appearances`, the places of
 * the row in which they were seen. Throws invalid_input for a cell that is not there.
 */
async function retentionActors(
  query: RetentionQuery,
  point: ActorsPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  const plan = await planRetention(query, context);
  const row = point.interval ?? 0;
  if (row >= plan.dates.rows) throw absent(`row ${row}`);
  const picked = pickedPlan(plan, point);
  const values = valuesOf(picked);
  const requested = Array.isArray(point.breakdown) ? point.breakdown.join('::') : point.breakdown;
  const value = values === null || requested === null || requested === undefined ? null : String(requested);
  const place = pickedPlace(plan, row, point.day);
  return {
    select: rowActors(query, picked, values, { row, value, place }),
    groupTypeIndex: plan.actor.groupTypeIndex,
  };
}

function pickedPlace(plan: RetentionPlan, row: number, day: ActorsPoint['day']): number | null {
  if (day === null || day === undefined) return null;
  const place = Number(day);
  if (day === '' || !Number.isInteger(place) || place < 0 || place >= placesInRow(plan.dates, row)) {
    throw absent(`place ${String(day).slice(0, 40)} in row ${row}`);
  }
  return place;
}

function pickedPlan(plan: RetentionPlan, { breakdown }: ActorsPoint): RetentionPlan {
  if (plan.breakdown?.kind !== 'cohorts') return plan;
  const [value = 'all'] = Array.isArray(breakdown) ? breakdown : [breakdown ?? 'all'];
  const cohort = plan.breakdown.cohorts.find((one) => String(one?.id ?? 'all') === String(value));
  if (cohort === undefined) throw absent(`cohort ${String(value).slice(0, 40)}`);
  return ofCohort(plan, cohort);
}

function absent(what: string) {
  return fail('invalid_input', { detail: `The query does not have ${what}.` });
}

const EMPTY_CELL: Cell = { persons: 0, sum: 0, count: 0 };

/** The rows of an answer (management contract 9.9) with one value of the breakdown. */
function retentionRows(
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
      (__, at) => cells.get(`${row}:${at}`) ?? EMPTY_CELL,
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

/** Actors in a later column are also in this one. */
function cumulated(cells: readonly Cell[]): Cell[] {
  const sums: Cell[] = [];
  let total = EMPTY_CELL;
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

/** Who comes back (management contract 9.9, 9.9.1). */
export const retentionKind = defineKind({
  kind: 'RetentionQuery',
  schema: retentionQuery,
  async answer(query, context) {
    const plan = await planRetention(query, context);
    const found = await queryCells(query, plan, context);
    const hidesOther = plan.breakdown?.kind === 'values' && plan.breakdown.hidesOther;
    const shown = found.filter(({ isOther }) => !(isOther && hidesOther));
    return {
      results: shown.flatMap((one) => retentionRows(one, query, plan)),
      hasMore: found.some(({ isOther }) => isOther),
    };
  },
  actors: retentionActors,
});
