import { moveMark, type SharedMark } from './shared-mark.ts';

/** How often what questions about a project read has changed in this process. */
export interface ChangeCounts {
  /** Grows with every change of the project, and with those that may be of any. */
  of(projectId: number): number;
  /** To be called after the commit, before anybody is told of it. Null: the change may be of any project. */
  changed(projectId: number | null): void;
  /** The same for the projects of rows. */
  rowsChanged(rows: readonly { readonly projectId: number }[]): void;
}

/** Counts from nothing; every change moves the mark. */
export function createChangeCounts(mark: SharedMark): ChangeCounts {
  const byProject = new Map<number, number>();
  let ofAny = 0;

  function changed(projectId: number | null): void {
    if (projectId === null) ofAny++;
    else byProject.set(projectId, (byProject.get(projectId) ?? 0) + 1);
    moveMark(mark);
  }

  return {
    of: (projectId) => ofAny + (byProject.get(projectId) ?? 0),
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
