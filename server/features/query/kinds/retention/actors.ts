import type { ActorsSelect } from '../../query-kind.ts';
import type { retentionPoint } from './schema.ts';
import { type RetentionPlan, placesInRow, cohortValue, ofCohort } from './plan.ts';
import { fail } from '../../../../errors.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { NULL_VALUE } from '../../breakdown.ts';
import { rowActors, valuesOf } from './to-hogql.ts';

/**
 * Who is in a row, `interval`, or in one of its cells, `day`; both count from 0. With each, in `appearances`, the places of
 * the row in which they were seen. Throws invalid_input for a cell that is not there.
 */
export async function retentionActors(
  plan: RetentionPlan,
  point: ActorsPoint<typeof retentionPoint>,
): Promise<ActorsSelect> {
  const row = point.interval ?? 0;
  if (row >= plan.dates.rows) throw absent(`row ${row}`);
  const picked = pickedPlan(plan, point);
  const values = valuesOf(picked);
  const requested = Array.isArray(point.breakdown) ? point.breakdown.join('::') : point.breakdown;
  const value = values === null || requested === null || requested === undefined ? null : textOf(requested);
  const place = pickedPlace(plan, row, point.day);
  return {
    select: rowActors(picked, values, { row, value, place }),
    groupTypeIndex: plan.actor.groupTypeIndex,
  };
}

/** A breakdown value as the answer has it; PostHog's clients send an empty text for what is missing. */
function textOf(value: string | number): string {
  return value === '' ? NULL_VALUE : String(value);
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
  const requested = value === 'all' ? cohortValue(null) : String(value);
  const cohort = plan.breakdown.cohorts.find((one) => cohortValue(one) === requested);
  if (cohort === undefined) throw absent(`cohort ${String(value).slice(0, 40)}`);
  return ofCohort(plan, cohort);
}

function absent(what: string) {
  return fail('invalid_input', { detail: `The query does not have ${what}.` });
}
