import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { jsonRows } from './json-rows.ts';

async function rows(pieces: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const row of jsonRows(Readable.from(pieces))) found.push(row);
  return found;
}

test('rows are read from a list that arrives in pieces', async () => {
  expect(await rows(['[{"a":1', '},\n{"a":"x]"},', '\n{"a":[]}]'])).toEqual([
    '{"a":1}',
    '{"a":"x]"}',
    '{"a":[]}',
  ]);
  expect(await rows(['[]'])).toEqual([]);
  expect(await rows(['[{}]'])).toEqual(['{}']);
});

test.each([[['[{"a":1},\n']], [['[{"a":1},\n{"a":2']], [[]]])(
  'a list that was cut off is an error: %j',
  async (pieces) => {
    await expect(rows(pieces)).rejects.toThrow('The server has closed the connection.');
  },
);
