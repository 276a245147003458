import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fingerprint } from './fingerprint.mjs';

describe('the fingerprint that decides whether a part is rebuilt', () => {
  let folder: string;
  let before: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'burrow-parts-'));
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'a.ts'), 'a');
    writeFileSync(join(folder, 'inner/b.contract.ts'), 'b');
    before = await fingerprint([folder]);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('changes with content, with a file name, and when a file is added or removed', async () => {
    writeFileSync(join(folder, 'inner/b.contract.ts'), 'c');
    const changed = await fingerprint([folder]);
    renameSync(join(folder, 'a.ts'), join(folder, 'z.ts'));
    const renamed = await fingerprint([folder]);
    writeFileSync(join(folder, 'new.ts'), '');
    const more = await fingerprint([folder]);
    rmSync(join(folder, 'inner'), { recursive: true });
    const less = await fingerprint([folder]);
    expect(new Set([before, changed, renamed, more, less]).size).toBe(5);
  });

  test('does not change with the time of a file, or with a test', async () => {
    utimesSync(join(folder, 'a.ts'), 0, 0);
    writeFileSync(join(folder, 'a.test.ts'), 'anything');
    expect(await fingerprint([folder])).toBe(before);
  });

  test('of a partly used folder includes only that part', async () => {
    const contracts = [{ folder, only: /\.contract\.ts$/ }];
    const narrow = await fingerprint(contracts);
    writeFileSync(join(folder, 'a.ts'), 'other');
    expect(await fingerprint(contracts)).toBe(narrow);
    writeFileSync(join(folder, 'inner/b.contract.ts'), 'other');
    expect(await fingerprint(contracts)).not.toBe(narrow);
  });

  test('a missing input is an error, not an empty one', async () => {
    await expect(fingerprint([join(folder, 'gone')])).rejects.toThrow('ENOENT');
  });
});
