/** Counts changes to the data that queries of a project read, in this process. */
interface ChangeCounts {
  /** Increases with each change of the project and with each change that is not limited to one project. */
  of(projectId: number): number;
  /** Call after the commit and before it is acknowledged. Null: the change may affect any project. */
  changed(projectId: number | null): void;
  /** Calls `changed` for each project in `rows`. */
  rowsChanged(rows: readonly { readonly projectId: number }[]): void;
}

/** All counts start at 0; every change also increments `counter`. */
export function createChangeCounts(counter: ChangeCounter): ChangeCounts {
  const byProject = new Map<number, number>();
  let ofAnyProject = 0;

  function changed(projectId: number | null): void {
    if (projectId === null) ofAnyProject++;
    else byProject.set(projectId, (byProject.get(projectId) ?? 0) + 1);
    incrementCounter(counter);
  }

  return {
    of: (projectId) => ofAnyProject + (byProject.get(projectId) ?? 0),
    changed,
    rowsChanged(rows) {
      let last: number | null = null;
      for (const { projectId } of rows) {
        if (projectId !== last) changed(projectId);
        last = projectId;
      }
    },
  };
}

/**
 * A counter in shared memory: the store thread increments it, the server thread compares it with the value it read
 * before.
 */
export type ChangeCounter = BigInt64Array<SharedArrayBuffer>;

export function createChangeCounter(): ChangeCounter {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
}

/** Increments the counter; the change is immediately visible to every thread. */
export function incrementCounter(counter: ChangeCounter): void {
  Atomics.add(counter, 0, 1n);
}

/** Returns the current value. */
export function readCounter(counter: ChangeCounter): bigint {
  return Atomics.load(counter, 0);
}
