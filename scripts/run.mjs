import { spawn } from 'node:child_process';

/**
 * Runs a program to its end with this one's terminal and passes signals on, so that it ends in its own good order.
 * Resolves with its exit code (128 + n after signal n) and whether `watchFor` appeared in its output.
 */
export async function run(command, args, { env = process.env, watchFor } = {}) {
  const child = spawn(command, args, { stdio: ['inherit', watchFor ? 'pipe' : 'inherit', 'inherit'], env });
  let wasSeen = false;
  child.stdout?.on('data', (chunk) => {
    process.stdout.write(chunk);
    wasSeen ||= chunk.includes(watchFor);
  });
  const stopPassing = passSignals(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? (signal === 'SIGINT' ? 130 : 143)));
  }).finally(stopPassing);
  return { code, wasSeen };
}

const PARENT = process.ppid;
const PARENT_CHECK_MS = 250;

/**
 * A terminal's Ctrl-C reaches the child by itself; this process must only outlive it. npm passes SIGTERM only to its
 * shell, so below npm the end of the parent means the same. Each is passed on once: a second signal means
 * "immediately".
 */
function passSignals(child) {
  const terminate = () => {
    clearInterval(watch);
    child.kill('SIGTERM');
  };
  const outlive = () => clearInterval(watch);
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== PARENT) terminate();
  }, PARENT_CHECK_MS);
  process.on('SIGTERM', terminate).on('SIGINT', outlive);
  return () => {
    clearInterval(watch);
    process.off('SIGTERM', terminate).off('SIGINT', outlive);
  };
}
