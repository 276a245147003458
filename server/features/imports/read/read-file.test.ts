import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { zipOf } from '../../../../test/support/zip.ts';
import { parseExactly, stringifyExactly } from '../../../lib/exact-number.contract.ts';
import { memberText } from './json.ts';
import { openFile, type SourceRow } from './rows.ts';

async function read(body: string | Buffer, name = 'file') {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-read-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  await writeFile(path, body);
  const file = await openFile(path, name);
  const rows: SourceRow[] = [];
  for await (const some of file.rows()) rows.push(...some);
  const progress = file.progress();
  file.close();
  return { form: file.form, rows, values: rows.map(({ value }) => value), progress };
}

const TABLE = 'a,b\n1,"x, ""y""\nz"\n2,ü\n';
const ROWS = [
  { a: '1', b: 'x, "y"\nz' },
  { a: '2', b: 'ü' },
];

test.each([
  ['plain', Buffer.from(TABLE)],
  ['gzip', gzipSync(TABLE)],
  [
    'gzip of several members',
    Buffer.concat(['a,b\n1,"x, ""y""\nz"\n', '2,ü\n'].map((part) => gzipSync(part))),
  ],
  ['brotli', brotliCompressSync(TABLE)],
  ['an archive', zipOf({ 'x/.DS_Store': Buffer.from('no'), 'x/a.csv': Buffer.from(TABLE) })],
  ['an archive of compressed files', zipOf({ 'a.csv.gz': gzipSync(TABLE) })],
  ['with a mark', Buffer.from(`\uFEFF${TABLE}`)],
  ['UTF-16', Buffer.from(`\uFEFF${TABLE}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(TABLE, 'utf16le')],
  ['Windows-1252', Buffer.from(TABLE, 'latin1')],
  ['Windows line ends', Buffer.from(TABLE.replaceAll(/\n(?!z)/g, '\r\n'))],
])('a table is read whatever it is packed in: %s', async (packed, body) => {
  const { values, progress } = await read(body, packed === 'brotli' ? 'a.csv.br' : 'a.csv');
  expect(values).toEqual(ROWS);
  expect(progress).toBe(1);
});

test.each([
  [',', 'a,b,c\n1;2,x,y\n'],
  [';', 'a;b;c\n1,5;x;y\n2,5;x;y\n'],
  ['\t', 'a\tb\tc\n1,5\tx\ty\n'],
  ['|', 'a|b|c\n1|x|y\n'],
  [';', 'sep=;\na;b;c\n1;x;y\n'],
])('the separator is the one that gives rows of the same length: %j', async (separator, body) => {
  const { form, values } = await read(body);
  expect([form.separator, form.columns]).toEqual([separator, ['a', 'b', 'c']]);
  expect(values[0]).toMatchObject({ b: 'x', c: 'y' });
});

test('a row of another length has a problem and its number, as a spreadsheet counts', async () => {
  const { rows } = await read('a,b\n1,2\n1\n1,2,3\n');
  expect(rows.map(({ number, problem }) => [number, problem])).toEqual([
    [2, undefined],
    [3, 'The row has 1 columns, 2 are expected'],
    [4, 'The row has 3 columns, 2 are expected'],
  ]);
});

test('columns of the same name, or of none, have names of their own', async () => {
  expect((await read('a,a,\n1,2,3\n')).values).toEqual([{ a: '1', 'a 2': '2', 'column 3': '3' }]);
});

const OBJECTS = [
  { a: 1, text: 'b}]"' },
  { a: 2, list: [{ x: 1 }] },
];

test.each([
  ['lines', OBJECTS.map((one) => JSON.stringify(one)).join('\n\n')],
  ['a list', JSON.stringify(OBJECTS, null, 2)],
  ['one list in a line', JSON.stringify(OBJECTS)],
  ['an answer of an API', JSON.stringify({ next: null, results: OBJECTS })],
  ['objects after one another', OBJECTS.map((one) => JSON.stringify(one, null, 1)).join('')],
])('objects of JSON are rows: %s', async (_form, body) => {
  expect((await read(body)).values).toEqual(OBJECTS);
});

test('a line that is no object is a row with a problem, and the next one is read', async () => {
  const { rows } = await read('{"a":1}\n{"a":\n[1]\n{"a":2}\n');
  expect(rows.map(({ number, problem }) => [number, problem])).toEqual([
    [1, undefined],
    [2, 'The row is not valid JSON'],
    [3, 'The row is not a JSON object'],
    [4, undefined],
  ]);
});

test('the text of a member is exactly what was written', () => {
  const member = fc.oneof(
    fc.constantFrom('properties', 'event', 'a"b', 'x\\', 'propertie'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.dictionary(member, fc.jsonValue(), { maxKeys: 6 }), fc.jsonValue(), (object, value) => {
      const inner = stringifyExactly(value);
      const { properties: _, ...rest } = object;
      const text = stringifyExactly({ ...rest, properties: value });
      expect(memberText(text, 'properties')).toBe(inner);
      expect(memberText(stringifyExactly(rest), 'properties')).toBe(null);
      const spaced = JSON.stringify({ nested: { properties: 1 }, properties: value }, null, 2);
      expect(parseExactly(memberText(spaced, 'properties')!)).toEqual(JSON.parse(inner));
    }),
  );
  expect(memberText('{"properties" : {"n":1.0,"big":12345678901234567890} }', 'properties')).toBe(
    '{"n":1.0,"big":12345678901234567890}',
  );
});
