import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const KEPT = 8;

const launchState = z.object({
  /** The data folder of the next start; null: the usual one. */
  folder: z.string().nullable().catch(null),
  /** Data folders, the one opened last first. */
  recent: z.array(z.string()).catch([]),
  /** Where the server keeps its data when no folder is named; null: it has not been started so yet. */
  usual: z.string().nullable().catch(null),
});

export type LaunchState = z.infer<typeof launchState>;

/** Which data folder the app opens, kept outside of all of them: `launch.json` in the app's own configuration. */
export interface LaunchFile {
  get(): LaunchState;
  /** Opens the folder from the next start on; `previous` becomes a recent one too. */
  open(folder: string, previous?: string | null): void;
  /** Notes the folder that was opened without naming one. */
  setUsual(folder: string): void;
}

/** A missing or damaged file, or a wrong part of it, means that nothing was opened yet. */
export function openLaunchFile(file: string): LaunchFile {
  let state = read(file);
  function set(change: Partial<LaunchState>): void {
    state = { ...state, ...change };
    write(file, state);
  }
  return {
    get: () => state,
    open: (folder, previous = null) =>
      set({
        folder: folder === state.usual ? null : folder,
        recent: newestFirst([folder, ...(previous === null ? [] : [previous]), ...state.recent]),
      }),
    setUsual(folder) {
      if (state.usual === folder && state.recent[0] === folder) return;
      set({ usual: folder, recent: newestFirst([folder, ...state.recent]) });
    },
  };
}

function newestFirst(folders: readonly string[]): string[] {
  return [...new Set(folders)].slice(0, KEPT);
}

function read(file: string): LaunchState {
  try {
    return launchState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing at the first start, or damaged: nothing was opened yet.
    return launchState.parse({});
  }
}

function write(file: string, state: LaunchState): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
    renameSync(`${file}.new`, file);
  } catch (error) {
    // Then the next start opens the folder of this one.
    console.error(`Cannot remember the data folder: ${(error as Error).message}`);
  }
}
