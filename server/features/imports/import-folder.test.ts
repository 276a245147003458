import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createImportFolder } from './import-folder.ts';

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'burrow-import-folder-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await mkdir(join(path, 'a'));
  return { path, folder: createImportFolder(path) };
}

test('rows that the store refused are kept up to the noted row, whatever they hold and wherever a kill has cut', async () => {
  const { path, folder } = await openFolder();
  expect(await folder.beginRejected('a', 0)).toBe(false);
  await folder.addRejected('a', 'head\n');
  await folder.addRefused('a', 100, ['one\u2028"two"\n', '"cell\nof ]"\n']);
  await folder.addRefused('a', 200, ['three]\n']);
  await appendFile(join(path, 'a', 'refused'), '[300,"cut ]');
  expect(await text(await folder.readRejected('a'))).toBe('head\none\u2028"two"\n"cell\nof ]"\nthree]\n');

  expect(await folder.beginRejected('a', 100)).toBe(true);
  await folder.addRejected('a', 'head\n');
  await folder.addRefused('a', 200, ['four\n']);
  expect(await text(await folder.readRejected('a'))).toBe('head\none\u2028"two"\n"cell\nof ]"\nfour\n');

  expect(await folder.beginRejected('a', 0)).toBe(false);
  expect(await text(await folder.readRejected('a'))).toBe('');
});

test('an import without such rows has no file of them', async () => {
  const { folder } = await openFolder();
  await expect(folder.readRejected('a')).rejects.toThrow('Not found');
});
