import { fail } from '../../errors.ts';
import type { CohortBook } from './cohort-book.ts';

/** A live flag and the cohorts that its conditions name. */
export interface FlagUse {
  readonly id: number;
  readonly key: string;
  /** What people wrote about it. */
  readonly name: string;
  readonly active: boolean;
  readonly createdBy: number | null;
  readonly cohortIds: readonly number[];
}

/** Where a cohort is named. */
export interface CohortUse {
  id: number;
  flags: readonly FlagUse[];
  cohorts: { id: number; name: string }[];
}

const MAX_NAMED = 5;

/** Lists the live cohorts that flags or other cohorts reference, each with its direct references. */
export function usesOf(projectId: number, book: CohortBook, flags: readonly FlagUse[]): CohortUse[] {
  return book.list(projectId).flatMap(({ id }) => {
    const byFlags = flags.filter(({ cohortIds }) => cohortIds.includes(id));
    const byCohorts = book.naming(projectId, id);
    if (byFlags.length === 0 && byCohorts.length === 0) return [];
    return [
      {
        id,
        flags: byFlags,
        cohorts: byCohorts.map((other) => ({ id: other.id, name: other.name })),
      },
    ];
  });
}

/** Whether a member may not see an object, which messages to it then name by the id alone. */
export type HiddenFrom = (resource: 'feature_flag' | 'cohort', id: number) => boolean;

/** The flags that name one of the cohorts, as words of a sentence; null: none does. */
export function namesFlags(
  flags: readonly FlagUse[],
  cohortIds: ReadonlySet<number>,
  isHidden: HiddenFrom,
): string | null {
  const keys = flags
    .filter((flag) => flag.cohortIds.some((id) => cohortIds.has(id)))
    .map(({ id, key }) => (isHidden('feature_flag', id) ? `with the id ${id}` : key));
  return keys.length === 0 ? null : `${keys.length === 1 ? 'the flag' : 'the flags'} ${namesOf(keys)}`;
}

/** Throws invalid_input for a cohort that flags or other cohorts name, and says which. */
export function checkUnused(
  projectId: number,
  id: number,
  book: CohortBook,
  flags: readonly FlagUse[],
  isHidden: HiddenFrom,
): void {
  const cohorts = book.naming(projectId, id).filter((other) => other.id !== id);
  const names = cohorts.map((other) =>
    isHidden('cohort', other.id) ? `with the id ${other.id}` : other.name,
  );
  const users = [
    namesFlags(flags, new Set([id]), isHidden),
    cohorts.length === 0 ? null : `the cohorts ${namesOf(names)}`,
  ].filter((words) => words !== null);
  if (users.length === 0) return;
  throw fail('invalid_input', {
    attr: 'deleted',
    detail: `This cohort is used by ${users.join(' and ')}.`,
  });
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
