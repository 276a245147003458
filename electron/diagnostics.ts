import { readFile, readdir, stat } from 'node:fs/promises';
import { arch, cpus, release, totalmem, type as systemName } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { logFileIn } from './log-file.ts';
import type { ServerState } from './server-process.ts';

/** Lines of the log that are shown, newest last. */
const SHOWN_LINES = 20;
const MEGABYTE = 1_000_000;
const WARNING = 40;

const logLine = z.object({ level: z.number(), time: z.string(), msg: z.string() });

export interface DiagnosticsOf {
  version: string;
  /** By name: Electron, Chromium, Node. */
  versions: Readonly<Record<string, string>>;
  state: ServerState;
  /** Settings of the app, by name. */
  settings: Readonly<Record<string, unknown>>;
  logFolder: string;
}

/**
 * What helps to find a fault, as text to paste: versions, the server's state, sizes, settings, and the last warnings of the
 * log. Keys and events are in none of it: of a line of the log only time and sentence are shown.
 */
export async function diagnosticsText({
  version,
  versions,
  state,
  settings,
  logFolder,
}: DiagnosticsOf): Promise<string> {
  const dataDir = state.phase === 'running' || state.phase === 'starting' ? state.dataDir : null;
  const named = Object.entries(versions).map(([name, number]) => `${name} ${number}`);
  return [
    `Burrow ${version}, ${named.join(', ')}`,
    `${systemName()} ${release()} ${arch()}, ${cpus().length} processors, ${Math.round(totalmem() / MEGABYTE)} MB`,
    `Server: ${state.phase}${state.phase === 'running' ? ` on ${state.url}` : ''}`,
    ...(state.phase === 'failed' ? [state.message] : []),
    ...(dataDir === null ? [] : ['', `Data folder: ${dataDir}`, ...(await sizesOf(dataDir))]),
    '',
    ...Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    '',
    'Last warnings of the log:',
    ...(await lastWarnings(logFolder)),
    '',
  ].join('\n');
}

/** The files of the folder with their sizes; folders inside are left out. */
async function sizesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() ? `  ${name}: ${(found.size / MEGABYTE).toFixed(1)} MB` : null;
    }),
  );
  return sizes.filter((line) => line !== null);
}

async function lastWarnings(folder: string): Promise<string[]> {
  // Without a log there is nothing to show of it.
  const text = await readFile(logFileIn(folder), 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => {
    const parsed = logLine.safeParse(jsonOf(line));
    return parsed.success && parsed.data.level >= WARNING ? [`  ${parsed.data.time} ${parsed.data.msg}`] : [];
  });
  return lines.length === 0 ? ['  none'] : lines.slice(-SHOWN_LINES);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A stack or another program's output: no line of the log.
    return null;
  }
}
