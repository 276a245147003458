import { evaluateFlag, type FlagContext } from '../../../conditions/index.ts';
import type { SimulationJson } from './flag-simulation.contract.ts';
import type { Simulation } from './simulation.ts';

type Value = boolean | string;
/** One whom a flag was evaluated for. */
export interface Example {
  readonly value: Value;
  readonly before: Value | null;
}

/** Counts what a flag answers. */
export interface Tally {
  /** Evaluates for one; `context` is used here alone, and its set is not looked at. */
  add(context: Omit<FlagContext, 'set'>): Example;
  result(): Pick<SimulationJson, 'evaluated' | 'values' | 'sets' | 'now' | 'changes'>;
}

export function createTally({ set, flag, conditions, before }: Simulation): Tally {
  const values = new Map<Value, number>();
  const valuesNow = new Map<Value, number>();
  const sets = conditions.map((_, index) => ({ index, matching: 0, decided: 0 }));
  const changes = { same: 0, added: 0, removed: 0, moved: 0 };
  let evaluated = 0;

  return {
    add(subject) {
      const context: FlagContext = { ...subject, set };
      const { value, reason } = evaluateFlag(flag, context);
      evaluated++;
      count(values, value);
      const decided = reason.code === 'condition_match' ? reason.conditionIndex : null;
      if (decided !== null && sets[decided] !== undefined) sets[decided].decided++;
      for (const [index, condition] of conditions.entries()) {
        if (evaluateFlag(condition, context).value !== false) sets[index]!.matching++;
      }
      if (before === null) return { value, before: null };
      const old = evaluateFlag(before.flag, { ...subject, set: before.set }).value;
      count(valuesNow, old);
      changes[changeOf(old, value)]++;
      return { value, before: old };
    },
    result: () => ({
      evaluated,
      values: sharesOf(values),
      sets,
      now: before === null ? null : { values: sharesOf(valuesNow) },
      changes: before === null ? null : changes,
    }),
  };
}

function changeOf(before: Value, after: Value): 'same' | 'added' | 'removed' | 'moved' {
  if (before === after) return 'same';
  if (before === false) return 'added';
  return after === false ? 'removed' : 'moved';
}

function count(counts: Map<Value, number>, value: Value): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function sharesOf(counts: ReadonlyMap<Value, number>): { value: Value; count: number }[] {
  return [...counts].map(([value, number]) => ({ value, count: number })).sort((a, b) => b.count - a.count);
}
