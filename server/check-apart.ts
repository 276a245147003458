import { spawn } from 'node:child_process';
import { check, type CheckReport } from './check.ts';

/** What runs this program's file. */
export interface NodeProgram {
  command: readonly [string, ...string[]];
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Checks a file in a process of its own: a damaged file can end the process that reads it, and this one has to go on.
 * Returns the faults in sentences. Without a program that runs Node it is checked here.
 */
export async function checkApart(
  file: string,
  memoryLimitBytes: number,
  program: NodeProgram | null,
): Promise<string[]> {
  if (program === null) return (await check(file, memoryLimitBytes)).faults;
  const [node, ...args] = program.command;
  const child = spawn(node, [...args, 'check', file, '--json', '--memory-limit', String(memoryLimitBytes)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: program.env,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject));
  try {
    return (JSON.parse(text) as CheckReport).faults;
  } catch {
    return ['It cannot be read completely.'];
  }
}
