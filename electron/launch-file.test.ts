import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLaunchFile } from './launch-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burrow-launch-'));
  file = join(folder, 'new', 'launch.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('an opened folder is the one of the next start, and no draft is left', () => {
  openLaunchFile(file).open('/a');
  expect(openLaunchFile(file).get()).toEqual({ folder: '/a', recent: ['/a'], usual: null });
  expect(readdirSync(join(folder, 'new'))).toEqual(['launch.json']);
});

test('the last eight folders are kept, each once, the newest first', () => {
  const launch = openLaunchFile(file);
  for (const name of ['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8', '/9', '/3']) launch.open(name);
  expect(launch.get().recent).toEqual(['/3', '/9', '/8', '/7', '/6', '/5', '/4', '/2']);
});

test('the folder that is left becomes a recent one', () => {
  const launch = openLaunchFile(file);
  launch.open('/b', '/a');
  expect(launch.get()).toMatchObject({ folder: '/b', recent: ['/b', '/a'] });
});

test('the usual folder is opened by naming none', () => {
  const launch = openLaunchFile(file);
  launch.setUsual('/usual');
  launch.open('/a');
  launch.open('/usual');
  expect(launch.get()).toEqual({ folder: null, recent: ['/usual', '/a'], usual: '/usual' });
});

test.each([
  ['no JSON', 'half a fi'],
  ['JSON of another kind', '[1]'],
  ['wrong parts', '{"folder": 3, "recent": "x", "usual": {}}'],
])('a file with %s means that nothing was opened yet', (_what, text) => {
  const damaged = join(folder, 'launch.json');
  writeFileSync(damaged, text);
  expect(openLaunchFile(damaged).get()).toEqual({ folder: null, recent: [], usual: null });
});
