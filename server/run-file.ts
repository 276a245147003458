import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const runFile = z.object({
  url: z.url(),
  pid: z.int(),
  version: z.string(),
  /** Makes console links and nothing else; the file is readable by its owner alone. */
  key: z.string(),
});

/** What `burrow.json` says of the server that runs on its folder. */
export type RunFile = z.output<typeof runFile>;

function pathOf(dataDir: string): string {
  return join(dataDir, 'burrow.json');
}

/** Rewrites the file, readable by its owner alone. */
export async function writeRunFile(dataDir: string, content: RunFile): Promise<void> {
  const draft = `${pathOf(dataDir)}.${content.pid}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, pathOf(dataDir));
}

/** The server that runs on the folder, or null when the file is missing or is no such file. */
export async function readRunFile(dataDir: string): Promise<RunFile | null> {
  try {
    return runFile.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** Removes the file, unless another process has written its own there. */
export async function removeRunFile(dataDir: string, pid: number): Promise<void> {
  if ((await readRunFile(dataDir))?.pid === pid) await rm(pathOf(dataDir), { force: true });
}
