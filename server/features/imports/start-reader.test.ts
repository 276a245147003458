import { expect, test } from 'vitest';
import { ImportError } from './import-error.ts';
import { readInThreads } from './start-reader.ts';

/** A thread that lives and never answers. */
const SILENT = new URL('data:text/javascript,setInterval(() => undefined, 1000)');
const FILE = { path: '/nowhere', name: 'a.csv' };

test('a reader that is silent ends with its signal', async () => {
  const reading = new AbortController();
  const order = { ...FILE, settings: {} as never, token: 'phc_test', storedRows: 0 };
  const pieces = readInThreads(SILENT).read(order, reading.signal)[Symbol.asyncIterator]();
  const first = pieces.next();
  reading.abort();
  expect((await first).done).toBe(true);
});

test('a preview that takes too long is ended, and the next one gets its turn', async () => {
  const reader = readInThreads(SILENT, 50);
  const previews = await Promise.allSettled([reader.preview(FILE, {}), reader.preview(FILE, {})]);
  const refused = { status: 'rejected', reason: new ImportError('Reading the first rows takes too long.') };
  expect(previews).toEqual([refused, refused]);
});
