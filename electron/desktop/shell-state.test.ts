import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createShellMemory } from './shell-state.ts';

const DEFAULTS = {
  theme: 'system',
  keepsCollecting: null,
  hasTray: true,
  usesGpu: true,
  notifies: true,
  window: null,
  openWindows: [],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burrow-shell-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the saved shell state', () => {
  const place = { x: 10, y: 20, width: 800, height: 600, isMaximized: true };

  test('is restored at the next start', () => {
    const file = join(folder, 'new', 'shell.json');
    createShellMemory(file).set({ window: place });
    createShellMemory(file).set({ theme: 'dark' });
    expect(createShellMemory(file).get()).toEqual({ ...DEFAULTS, theme: 'dark', window: place });
    expect(readdirSync(join(folder, 'new'))).toEqual(['shell.json']);
  });

  test('each change is reported', () => {
    const memory = createShellMemory(join(folder, 'shell.json'));
    const themes: string[] = [];
    memory.watch(() => themes.push(memory.get().theme));
    memory.set({ theme: 'dark' });
    memory.set({ theme: 'light' });
    expect(themes).toEqual(['dark', 'light']);
  });

  test.each([
    ['a file that is not JSON', 'half a fi'],
    ['a file of another kind', '[1, 2]'],
    ['an empty file', ''],
  ])('%s means the defaults', (_what, text) => {
    const file = join(folder, 'shell.json');
    writeFileSync(file, text);
    expect(createShellMemory(file).get()).toEqual(DEFAULTS);
  });

  test('one invalid part does not lose the other', () => {
    const file = join(folder, 'shell.json');
    writeFileSync(file, JSON.stringify({ theme: 'dark', window: { ...place, x: 'left' } }));
    expect(createShellMemory(file).get()).toEqual({ ...DEFAULTS, theme: 'dark' });
    writeFileSync(file, JSON.stringify({ theme: 'pink', window: place }));
    expect(createShellMemory(file).get()).toEqual({ ...DEFAULTS, window: place });
  });
});
