import type { FlagCall } from '../../warehouse/duckdb/flag-call-table.ts';

/** Keys of a project noted at once; senders make them up, so that they are bounded. */
export const KEYS_KEPT = 10_000;
/** No flag has a longer key. */
const MAX_KEY_LENGTH = 400;

/** The latest call of each flag that was not saved yet. */
export interface FlagCallBook {
  readonly isEmpty: boolean;
  note(call: FlagCall): void;
  /** Everything noted since the last time, and starts anew. */
  take(): FlagCall[];
  /** Lets go of what was noted of a project. */
  forget(projectId: number): void;
}

export function createFlagCallBook(): FlagCallBook {
  let projects = new Map<number, Map<string, FlagCall>>();
  return {
    get isEmpty() {
      return projects.size === 0;
    },
    note(call) {
      const { projectId, key, at } = call;
      if (key === '' || key.length > MAX_KEY_LENGTH) return;
      let flags = projects.get(projectId);
      if (flags === undefined) projects.set(projectId, (flags = new Map<string, FlagCall>()));
      const known = flags.get(key);
      if (known === undefined ? flags.size < KEYS_KEPT : known.at < at) flags.set(key, call);
    },
    take() {
      const calls = [...projects.values()].flatMap((flags) => [...flags.values()]);
      projects = new Map();
      return calls;
    },
    forget: (projectId) => void projects.delete(projectId),
  };
}
