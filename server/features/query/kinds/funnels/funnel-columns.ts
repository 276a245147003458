import type { Expr } from '../../../../hogql/ast.ts';
import { field } from '../../../../hogql/build.ts';
import type { FunnelPlan } from './funnels-plan.ts';

/** Who tries. */
export const ACTOR = 'actor';
/** When an event was, in Unix microseconds. */
export const AT = 'at';
/** The number of the interval in which an attempt began. */
export const BUCKET = 'bucket';
/** The number of a moment among those at which an actor did anything. */
export const PLACE = 'place';

/** When a step, counted from 0, was taken: NULL where it was not. */
export function timeName(step: number): string {
  return `time_${step + 1}`;
}

/** A value of the breakdown. */
export function valueName(dimension: number): string {
  return `value_${dimension + 1}`;
}

/** A property that is held constant. */
export function heldName(place: number): string {
  return `held_${place + 1}`;
}

/** The names of all of something. */
export function namesOf(count: number, name: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => name(at));
}

/** How many values a breakdown by properties has. */
export function dimensionsOf({ breakdown }: Pick<FunnelPlan, 'breakdown'>): number {
  return breakdown?.kind === 'values' ? breakdown.dimensions.length : 0;
}

/** Whole numbers from one, up to but without another. */
export function count(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Columns by their names. */
export function fields(names: readonly string[]): Expr[] {
  return names.map((name) => field(name));
}
