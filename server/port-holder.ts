import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { basename } from 'node:path';

const LISTENS = '0A';
const LIMIT_MS = 2_000;

/** The program that listens on a port of this machine, such as "node (process 4711)"; null when that cannot be found out. */
export function holderOf(port: number): string | null {
  try {
    const pid = platform() === 'linux' ? holderOnLinux(port) : holderByLsof(port);
    return pid === null ? null : `${nameOf(pid)} (process ${pid})`;
  } catch {
    // Another user's process, or a system without these ways.
    return null;
  }
}

/** proc(5): the table of sockets names an inode, which is a descriptor of the process. */
function holderOnLinux(port: number): string | null {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => inodesOf(table, port));
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (descriptorsOf(pid).some((target) => inodes.some((inode) => target === `socket:[${inode}]`)))
      return pid;
  return null;
}

function inodesOf(table: string, port: number): string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return linesOf(table)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(ending) && state === LISTENS)
    .map((fields) => fields[9]!);
}

/** Without IPv6 the second table is missing. */
function linesOf(table: string): string[] {
  try {
    return readFileSync(table, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** None for a process of another user, or one that has just ended. */
function descriptorsOf(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((name) => targetOf(`${folder}/${name}`));
  } catch {
    return [];
  }
}

/** Some close between being listed and being read. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function holderByLsof(port: number): string | null {
  if (platform() === 'win32') return null;
  const found = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n')[0] || null;
}

function nameOf(pid: string): string {
  // Its `comm` is the name of a thread, which programs choose.
  if (platform() === 'linux') return basename(readlinkSync(`/proc/${pid}/exe`));
  return execFileSync('ps', ['-o', 'comm=', '-p', pid], { encoding: 'utf8', timeout: LIMIT_MS }).trim();
}
