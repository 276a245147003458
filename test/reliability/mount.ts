import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const isRoot = process.getuid?.() === 0;

/** Why this process cannot mount a file system, or null when it can. */
export const noMount: string | null = tryMount();

function tryMount(): string | null {
  if (process.platform !== 'linux' || !isRoot) return 'only root on Linux may mount a file system';
  const folder = mkdtempSync(join(tmpdir(), 'burrow-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return null;
  } catch {
    return 'this machine refuses to mount a file system';
  } finally {
    rmdirSync(folder);
  }
}

/** Puts a disk of that size (as `mount` writes it: `64m`) at the folder until the test has ended. */
export function mountSmallDisk(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
}

/** Why a file cannot be set read-only for this process, or null: root may write regardless of permissions. */
export const noReadOnly: string | null = isRoot ? noMount : null;

/** Makes a file or folder read-only until the test has ended; for root it is mounted so over itself. */
export function makeReadOnly(path: string): void {
  if (!isRoot) {
    chmodSync(path, 0o500);
    onTestFinished(() => chmodSync(path, 0o700));
    return;
  }
  execFileSync('mount', ['--bind', path, path]);
  onTestFinished(() => void execFileSync('umount', [path]));
  execFileSync('mount', ['-o', 'remount,bind,ro', path]);
}

/** Leaves so many KiB free on the disk of the folder; returns the file that takes the rest. */
export async function fillDisk(folder: string, leftKib: number): Promise<string> {
  const ballast = join(folder, 'ballast');
  await writeFile(ballast, '');
  const { bavail, bsize } = statfsSync(folder);
  // The file system takes some of the last blocks for itself, and then the disk is as full as it gets.
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftKib * 1_024))).catch(
    () => undefined,
  );
  return ballast;
}
