import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStoppedQueries, takeEnding, writeEnding } from './stopped-queries.ts';

const query = (key: string) => ({ key, text: `select ${key}` });

test('an interrupted query is refused from the second time on, one that ended the process immediately', () => {
  const stopped = createStoppedQueries([query('before')]);
  expect(stopped.isRefused('before')).toBe(true);
  expect(stopped.stop([query('b'), query('c')])).toEqual([]);
  expect(stopped.stop([query('c'), query('d')])).toEqual([query('c')]);
  expect(['b', 'c', 'd'].map((key) => stopped.isRefused(key))).toEqual([false, true, false]);
});

test('an ending is read once, and only a start soon after it counts as a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-ending-'));
  const file = join(folder, 'ending.json');
  const ending = { reason: 'memory', queries: [query('a')], at: 1_000 } as const;
  writeEnding(file, ending);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(takeEnding(file, 2_000)).toEqual({ ...ending, isRestart: true });
  expect(takeEnding(file, 2_000)).toBeNull();
  writeEnding(file, ending);
  expect(takeEnding(file, 100_000)).toMatchObject({ isRestart: false });
  writeEnding(join(folder, 'missing', 'ending.json'), ending);
  rmSync(folder, { recursive: true });
});
