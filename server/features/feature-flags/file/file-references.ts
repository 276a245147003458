import type { FileFlag, FlagFile } from './read-flag-file.ts';
import { RefusedReference, type References } from './rewrite-filters.ts';

/** What the things of a file have become in the project so far. */
export interface Arrived {
  /** Ids in the project of flags of the file that were written, by key. */
  readonly flags: ReadonlyMap<string, number>;
  /** Flags of the file that were refused. */
  readonly refusedFlags: ReadonlySet<string>;
  /** Ids in the project of cohorts, by their ids in the file. */
  readonly cohorts: ReadonlyMap<number, number>;
  /** Live flags of the project, by key. */
  readonly known: ReadonlyMap<string, { readonly id: number }>;
  /** Indexes in the project of types of groups, by name. */
  readonly groupTypes: ReadonlyMap<string, number>;
}

/** Translates what a file names, as far as it has arrived; `arrived` may grow between two questions. */
export function referencesOf(file: FlagFile, arrived: Arrived): References {
  const byName = new Map<string, FileFlag>();
  for (const flag of file.flags) if (flag.id !== null) byName.set(String(flag.id), flag);
  // SDKs get keys where the API has ids; an id of the file goes before a key of digits.
  for (const flag of file.flags) if (!byName.has(flag.key)) byName.set(flag.key, flag);

  return {
    flag(idOrKey) {
      const name = String(idOrKey);
      const key = byName.get(name)?.key ?? name;
      if (arrived.refusedFlags.has(key))
        throw new RefusedReference(`It depends on the flag '${key}', which is rejected.`);
      const isNamedByKey = byName.has(name) || !/^\d+$/.test(name);
      const id = arrived.flags.get(key) ?? (isNamedByKey ? arrived.known.get(key)?.id : undefined);
      if (id !== undefined) return id;
      throw new RefusedReference(
        byName.has(name)
          ? `It has a circular dependency on the flag '${key}'.`
          : `It depends on the flag ${name}, which is neither in the file nor in the project.`,
      );
    },
    cohort(id) {
      const arrivedId = arrived.cohorts.get(Number(id));
      if (arrivedId !== undefined) return arrivedId;
      throw new RefusedReference(
        `It uses the cohort ${String(id).slice(0, 40)}, which is not in the file. Burrow files and local evaluation responses contain cohorts; a list of flags does not.`,
      );
    },
    groupTypeIndex(index) {
      if (file.groupTypes === null) return index;
      const type = file.groupTypes.get(Number(index));
      const own = type === undefined ? undefined : arrived.groupTypes.get(type);
      if (own !== undefined) return own;
      throw new RefusedReference(
        type === undefined
          ? `The file does not define the group type with the index ${String(index).slice(0, 40)}.`
          : `It matches by the group type '${type}', and the project already has 5 other group types.`,
      );
    },
  };
}
