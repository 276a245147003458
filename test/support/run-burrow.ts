import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from './start-server.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

/** What a command has printed so far, and how it ends. */
export interface RunningCommand {
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Reads no more of its output. */
  closeOutput(): void;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts a command of the built program. */
export function startBurrow(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...inheritedEnvironment(), ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    closeOutput: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))),
  };
}

/** Runs a command of the built program to its end. */
export function burrow(args: readonly string[], env: Record<string, string> = {}, input = '') {
  return startBurrow(args, env, input).ended;
}
