import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { channels } from '../channels.ts';

const place = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  isMaximized: z.boolean(),
});

const shellState = z.object({
  theme: channels.setTheme.argument.catch('system'),
  /** Whether the app goes on without a window; null: closing the last one asks. */
  keepsCollecting: z.boolean().nullable().catch(null),
  /** Both from the next start. */
  hasTray: z.boolean().catch(true),
  usesGpu: z.boolean().catch(true),
  notifies: z.boolean().catch(true),
  /** Pixels of the whole desktop, as Electron's screens count. */
  window: place.nullable().catch(null),
  /** The windows that were open last, with the console's page in each: a path without the origin. */
  openWindows: z.array(z.object({ ...place.shape, page: z.string().startsWith('/') })).catch([]),
});

export type ShellState = z.infer<typeof shellState>;
export type WindowPlace = NonNullable<ShellState['window']>;

/** What the shell remembers between starts. */
export interface ShellMemory {
  get(): ShellState;
  set(change: Partial<ShellState>): void;
  /** Calls back after each change. */
  watch(listener: () => void): void;
}

/** Keeps the shell's state in a small JSON file; a missing or damaged file, or a wrong part of it, means the defaults. */
export function createShellMemory(file: string): ShellMemory {
  let state = read(file);
  const listeners: (() => void)[] = [];
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      write(file, state);
      for (const listener of listeners) listener();
    },
    watch: (listener) => void listeners.push(listener),
  };
}

/** The defaults for a file that is missing or damaged. */
function read(file: string): ShellState {
  try {
    return shellState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return shellState.parse({});
  }
}

function write(file: string, state: ShellState): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  } catch (error) {
    // Forgetting where a window was must not stop the app.
    console.error(
      `Cannot remember the window's place and the app's settings: ${error instanceof Error ? error.message : error}`,
    );
  }
}
