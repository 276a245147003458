// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright-core';
import { electronSwitches, findElectron } from '../../../scripts/electron-runtime.mjs';
import { readCpuSeconds } from '../proc.mjs';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
/** Animations of the first page and the first tasks of the server are over. */
const SETTLE_MS = 60_000;

/**
 * The built desktop app on an empty folder, on a virtual screen without a GPU: milliseconds from the start of the process
 * to its window and to the console's content in it; then, without a debugger, all its processes together, in per cent of a
 * core over `seconds` and in MB of memory (Pss: shared pages are counted once). Nothing else of Electron may run.
 * @param {{ seconds: number }} options
 */
export async function measureDesktop({ seconds }) {
  const electron = findElectron();
  if (electron === null || process.platform !== 'linux')
    throw new Error('The measure desktop needs Linux and an Electron runtime.');
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-desktop-'));
  try {
    const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (screen.stdio[3]) });
    const [display] = await once(lines, 'line');
    const env = { ...process.env, DISPLAY: `:${display}`, BURROW_DATA_DIR: folder, BURROW_PORT: '0' };
    const args = [...electronSwitches(), '--disable-gpu', PROJECT];
    return { ...(await start(electron, args, env)), ...(await rest(electron, args, env, seconds)) };
  } finally {
    screen.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} executablePath @param {string[]} args @param {Record<string, any>} env */
async function start(executablePath, args, env) {
  const before = performance.now();
  const app = await _electron.launch({ executablePath, args, env });
  const page = await app.firstWindow();
  const windowMs = performance.now() - before;
  await page
    .getByRole('heading', { name: 'Connect' })
    .or(page.getByText('Connect your app'))
    .first()
    .waitFor();
  const contentMs = performance.now() - before;
  await app.close();
  return { windowMs, contentMs };
}

/** @param {string} electron @param {string[]} args @param {Record<string, any>} env @param {number} seconds */
async function rest(electron, args, env, seconds) {
  const child = spawn(electron, args, { env, stdio: 'ignore' });
  try {
    await sleep(SETTLE_MS);
    const pids = await treeOf(Number(child.pid));
    const used = () => pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
    const before = used();
    await sleep(seconds * 1000);
    const desktopCpuPercent = ((used() - before) / seconds) * 100;
    const shares = await Promise.all(pids.map(shareOf));
    return { desktopCpuPercent, desktopMb: shares.reduce((sum, share) => sum + share, 0) };
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

/** A process and all those that it started. @param {number} root */
async function treeOf(root) {
  /** @type {[pid: number, parent: number][]} */
  const all = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat !== null) all.push([Number(name), Number(stat.split(') ')[1]?.split(' ')[1])]);
  }
  const found = [root];
  for (const pid of found) found.push(...all.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found;
}

/** @param {number} pid */
async function shareOf(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024) / 1e6;
}
