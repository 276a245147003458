import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Characters of a program's errors that are kept, the newest. */
const ERRORS_KEPT = 8_000;

/**
 * Runs a program to its end with this one's terminal and passes signals on, so that it ends in its own good order.
 * Resolves with its exit code (128 + n after signal n), whether `watchFor` appeared in its output, and then also with the
 * end of what it wrote to stderr.
 */
export async function run(command, args, { env = process.env, watchFor } = {}) {
  const output = watchFor ? 'pipe' : 'inherit';
  const child = spawn(command, args, { stdio: ['inherit', output, output], env });
  let wasSeen = false;
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    process.stdout.write(chunk);
    wasSeen ||= chunk.includes(watchFor);
  });
  child.stderr?.on('data', (chunk) => {
    process.stderr.write(chunk);
    errors = (errors + chunk).slice(-ERRORS_KEPT);
  });
  const stopPassing = passSignals(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
  }).finally(stopPassing);
  return { code, wasSeen, errors };
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
