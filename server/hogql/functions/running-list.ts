import type { CallContext } from './function-row.ts';
import { unlessTooLarge } from './growth.ts';
import { once } from './local-time.ts';

/** Each pass brings twice as many items together as the one before it. */
const PASSES = 17;

/**
 * SQL for a list that has, at each place, all items up to there combined (`a + b`, `least(a, b)`). Each pass combines every
 * item with the one so many places before, so that the work does not grow with the square of the length.
 */
export function runningList(
  list: string,
  call: CallContext,
  combine: (a: string, b: string) => string,
): string {
  const [item, at] = [call.fresh(), call.fresh()];
  const pass = (from: string, distance: number): string =>
    once(from, call, (all) => {
      const both = combine(`${all}[${at} - ${distance}]`, item);
      return `list_transform(${all}, lambda ${item}, ${at}: CASE WHEN ${at} > ${distance} THEN ${both} ELSE ${item} END)`;
    });
  return once(list, call, (all) => {
    const passes = Array.from({ length: PASSES }, (_, n) => 2 ** n);
    // Short lists, of which there may be many, are through after a few passes.
    const upTo = (most: number): string => passes.filter((distance) => distance < most).reduce(pass, all);
    const sizes = [16, 1024, 2 ** PASSES];
    const cases = sizes.map((size) => `WHEN len(${all}) <= ${size} THEN ${upTo(size)}`);
    return unlessTooLarge(`len(${all}) > ${2 ** PASSES}`, `(CASE ${cases.join(' ')} END)`);
  });
}
