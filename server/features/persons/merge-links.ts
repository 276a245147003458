import type { StoredMerge } from '../../warehouse/duckdb/person-tables.ts';

/**
 * Who has whose events: the merges that stand, and those of the commit under way, which are kept or taken back as a
 * whole. A merge costs the same however many went before it.
 */
export interface MergeLinks {
  /** Takes the merges that stand now in place of those known; between two commits. */
  read(standing: readonly StoredMerge[]): void;
  /** From now on events of `oldId`, and of all whose events it had, belong to the person. */
  link(projectId: number, oldId: number, personId: number): void;
  /** Who has the events of this id now. */
  survivorOf(id: number): number;
  /** Every id under which events of this person may be stored. */
  allIdsOf(personId: number): readonly number[];
  /** What the commit has changed: each old id with who has its events at its end. */
  changes(): StoredMerge[];
  /** Takes over the commit's merges and forgets what is known of the persons that were removed. */
  keep(removedIds: Iterable<number>): void;
  takeBack(): void;
}

export function createMergeLinks(standing: readonly StoredMerge[]): MergeLinks {
  /** Old ids by the person that has their events. */
  const followers = new Map<number, number[]>();
  /** The merges of the commit: old id -> who took it in, perhaps taken in since. */
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
    // Shortens the way for the next who asks.
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
    keep(removedIds) {
      for (const oldId of links.keys()) {
        const survivor = survivorOf(oldId);
        follow(survivor, oldId);
        for (const id of followers.get(oldId) ?? []) follow(survivor, id);
        followers.delete(oldId);
      }
      links.clear();
      for (const id of removedIds) followers.delete(id);
    },
    takeBack: () => links.clear(),
  };
}
