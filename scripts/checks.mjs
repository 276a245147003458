import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * What `npm run check` runs besides the house rules, and `npm test` before the tests. Each is a tool of
 * node_modules/.bin: `tsc` is the one of @typescript/native, and Oxlint uses oxlint-tsgolint for types.
 */
const checks = [
  { name: 'types of server, shell and tests', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types of the console', command: ['vue-tsc', '--noEmit', '-p', 'tsconfig.web.json'] },
  { name: 'oxlint', command: ['oxlint', '--type-aware'] },
  { name: 'eslint', command: ['eslint', '--max-warnings', '0', '.'] },
  { name: 'format', command: ['prettier', '--check', '.'] },
];

/** Runs the checks two at a time and prints each with its time, and what it found. Returns how many passed and failed. */
export async function runChecks(extra = []) {
  const waiting = [...checks, ...extra];
  const counts = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now();
      const { code, output } = await execute(check.command);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`);
      if (code !== 0) console.log(output.trimEnd().replaceAll(/^/gm, '    '));
      counts[code === 0 ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all([worker(), worker()]);
  return counts;
}

function execute([tool, ...args]) {
  const isWindows = process.platform === 'win32';
  const child = spawn(join('node_modules/.bin', isWindows ? `${tool}.cmd` : tool), args, {
    shell: isWindows,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
