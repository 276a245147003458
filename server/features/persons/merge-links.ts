import type { StoredMerge } from '../../warehouse/duckdb/person-tables.ts';

/**
 * Union-find over merged persons: the committed merges, and those of the current commit, which are committed or
 * rolled back as a whole. The cost of a merge does not depend on the number of earlier merges.
 */
export interface MergeLinks {
  /** Replaces all merges; call between two commits. */
  read(standing: readonly StoredMerge[]): void;
  /** Reassigns events of `oldId`, and of all IDs merged into it, to the person. */
  link(projectId: number, oldId: number, personId: number): void;
  /** The person that events of this ID belong to. */
  survivorOf(id: number): number;
  /** Every id under which events of this person may be stored. */
  allIdsOf(personId: number): readonly number[];
  /** The merges of the commit: each old ID with its final survivor. */
  changes(): StoredMerge[];
  /** Commits the merges and drops data of removed persons. */
  commit(removedIds: Iterable<number>): void;
  rollback(): void;
}

export function createMergeLinks(standing: readonly StoredMerge[]): MergeLinks {
  /** Merged IDs by survivor. */
  const followers = new Map<number, number[]>();
  /** The merges of the commit: old ID -> survivor, which may itself have been merged since. */
  const links = new Map<number, { projectId: number; personId: number }>();

  function read(merges: readonly StoredMerge[]): void {
    followers.clear();
    for (const { oldPersonId, personId } of merges) follow(personId, oldPersonId);
  }

  function follow(personId: number, oldId: number): void {
    const ids = followers.get(personId);
    if (ids === undefined) followers.set(personId, [oldId]);
    else ids.push(oldId);
  }

  function survivorOf(id: number): number {
    let survivor = id;
    for (let link = links.get(id); link !== undefined; link = links.get(survivor)) survivor = link.personId;
    // Path compression.
    for (let link = links.get(id); link !== undefined && link.personId !== survivor;) {
      const next = link.personId;
      link.personId = survivor;
      link = links.get(next);
    }
    return survivor;
  }

  read(standing);
  return {
    read,
    link: (projectId, oldId, personId) => void links.set(oldId, { projectId, personId }),
    survivorOf,
    allIdsOf: (personId) => [personId, ...(followers.get(personId) ?? [])],
    changes() {
      const merges: StoredMerge[] = [];
      for (const [oldId, { projectId }] of links) {
        const personId = survivorOf(oldId);
        merges.push({ projectId, oldPersonId: oldId, personId });
        for (const oldPersonId of followers.get(oldId) ?? []) {
          merges.push({ projectId, oldPersonId, personId });
        }
      }
      return merges;
    },
    commit(removedIds) {
      for (const oldId of links.keys()) {
        const survivor = survivorOf(oldId);
        follow(survivor, oldId);
        for (const id of followers.get(oldId) ?? []) follow(survivor, id);
        followers.delete(oldId);
      }
      links.clear();
      for (const id of removedIds) followers.delete(id);
    },
    rollback: () => links.clear(),
  };
}
