import type { FlagFile } from './read-flag-file.ts';
import { namedIn } from './named-in-filters.ts';

/** A project has at most so many types of groups (ingestion contract 6.7). */
const TYPES_LIMIT = 5;

/** The indexes of the file's types of groups in the project, by name, and those that the project lacks. */
export interface GroupTypePlan {
  /** Missing ones have the index that they will get; those without room have none. */
  readonly indexes: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
}

/** Only types that some flag is about count; `stored` are the project's names by index, as text. */
export function planGroupTypes(
  { flags, groupTypes }: FlagFile,
  stored: Readonly<Record<string, string>>,
): GroupTypePlan {
  const indexes = new Map(Object.entries(stored).map(([index, type]) => [type, Number(index)]));
  const taken = new Set(indexes.values());
  const missing: string[] = [];
  const needed = namedIn(flags.map(({ filters }) => filters)).groupTypes;
  for (const [index, type] of [...(groupTypes ?? [])].sort(([a], [b]) => a - b)) {
    if (!needed.has(index) || indexes.has(type)) continue;
    const free = [0, 1, 2, 3, 4].find((one) => one < TYPES_LIMIT && !taken.has(one));
    if (free === undefined) continue;
    indexes.set(type, free);
    taken.add(free);
    missing.push(type);
  }
  return { indexes, missing };
}
