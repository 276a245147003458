import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron, hasDisplay } from './electron-runtime.mjs';

const ELSEWHERE = process.platform === 'darwin' || process.platform === 'win32';

describe('where the Electron runtime is found', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burrow-runtime-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function put(...path: string[]): string {
    const runtime = join(folder, ...path);
    mkdirSync(runtime, { recursive: true });
    writeFileSync(join(runtime, 'electron'), '');
    return join(runtime, 'electron');
  }

  test('in the folder named by the environment variable, which overrides the cache', (context) => {
    context.skip(ELSEWHERE, 'The executable has another name here.');
    const named = put('named');
    put('cache', 'burrow-electron-33.2.1');
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'named'), XDG_CACHE_HOME: join(folder, 'cache') };
    expect(findElectron(env)).toBe(named);
    expect(findElectron({ ...env, ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'empty') })).toBeNull();
  });
});

describe('whether windows can be shown', () => {
  test.each([
    [{ DISPLAY: ':0' }, true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, true],
    [{ DISPLAY: '', WAYLAND_DISPLAY: '' }, ELSEWHERE],
    [{}, ELSEWHERE],
  ])('%j: %s', (env, isShown) => {
    expect(hasDisplay(env)).toBe(isShown);
  });
});
