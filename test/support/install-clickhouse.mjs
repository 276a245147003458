// @ts-check
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '3.4.0';
const INSTALL_LIMIT_MS = 600_000;

/**
 * Puts ClickHouse (npm `chdb`) into a folder beside the project, once per machine; the path of the module, or null where it cannot be had
 * (Windows, no network).
 * @returns {Promise<string | null>}
 */
export async function installClickhouse() {
  const folder = join(tmpdir(), `burrow-chdb-${VERSION}`);
  const module = join(folder, 'node_modules', 'chdb');
  const isThere = () => existsSync(join(folder, '.complete'));
  if (isThere()) return module;
  try {
    await mkdir(folder, { recursive: true });
    await promisify(execFile)(
      'npm',
      ['install', '--no-save', '--no-package-lock', '--prefix', folder, `chdb@${VERSION}`],
      { timeout: INSTALL_LIMIT_MS, shell: process.platform === 'win32' },
    );
    await mkdir(join(folder, '.complete'));
    return module;
  } catch (error) {
    process.stderr.write(`ClickHouse cannot be installed: ${String(error).slice(0, 300)}\n`);
    return null;
  }
}
