import fc from 'fast-check';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { zipOf } from '../../../../test/support/zip.ts';
import { parseExactly, stringifyExactly } from '../../../lib/exact-number.contract.ts';
import { ImportError } from '../import-error.ts';
import { memberText } from './json.ts';
import { openFile, type SourceRow } from './rows.ts';

async function opened(body: string | Buffer, name = 'file') {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-read-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  await writeFile(path, body);
  const file = await openFile(path, name);
  onTestFinished(() => file.close());
  return file;
}

async function read(body: string | Buffer, name = 'file') {
  const file = await opened(body, name);
  const rows: SourceRow[] = [];
  for await (const some of file.rows()) rows.push(...some);
  return { form: file.form, rows, values: rows.map(({ value }) => value), progress: file.progress() };
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

test('rows are numbered as a spreadsheet counts them: blank lines count, and a cell of several lines is of one row', async () => {
  for (const body of [
    'a,b\n1,2\n\n\n"x\ny",3\n4,5',
    'sep=,\r\na,b\r\n1,2\r\n\r\n\r\n"x\r\ny",3\r\n4,5\r\n',
  ]) {
    const { rows } = await read(body);
    expect(rows.map(({ number }) => number)).toEqual([2, 5, 6]);
  }
});

test('a quote that is never closed is an error that names its row, whatever comes behind it', async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => (n === 700 ? `${n},"open` : `${n},x`));
  const file = await opened(`a,b\n${rows.join('\n')}\n`);
  const found: SourceRow[] = [];
  const all = (async () => {
    for await (const some of file.rows()) found.push(...some);
  })();
  await expect(all).rejects.toThrow(new ImportError('A quote opens in row 702 and is never closed.'));
  expect(found.at(-1)).toMatchObject({ number: 701, value: { a: '699', b: 'x' } });
});

test('a row that is far too long is an error that names it, and not the end of the file', async () => {
  const file = await opened(`a,b\n1,2\n3,"${'x'.repeat(21_000_000)}"\n4,5\n`);
  const all = (async () => {
    for await (const rows of file.rows()) expect(rows.length).toBeGreaterThan(0);
  })();
  const text = 'Row 3 of the file is longer than 20 MB, or a quote in it is never closed.';
  await expect(all).rejects.toThrow(new ImportError(text));
});

test('each file of an archive is read with its own encoding, separator and order of columns', async () => {
  const { values, form } = await read(
    zipOf({
      'a.csv': Buffer.from('who,what\nü,1\n'),
      'b.csv': Buffer.from('what;who\n2;ö\n', 'utf16le'),
      'c.csv': Buffer.alloc(0),
      'd.csv': Buffer.from('who\twhat\nä\t3\n', 'latin1'),
    }),
  );
  expect(values).toEqual([
    { who: 'ü', what: '1' },
    { who: 'ö', what: '2' },
    { who: 'ä', what: '3' },
  ]);
  expect(form.files).toEqual(['a.csv', 'b.csv', 'c.csv', 'd.csv']);
});

test.each([
  ['other columns', 'who,where\na,b\n'],
  ['another form', '{"who":"a","what":"b"}\n'],
])('a file of an archive that has %s than the first one ends the reading with its name', async (_, body) => {
  const archive = zipOf({ 'a.csv': Buffer.from('who,what\na,1\n'), 'b.csv': Buffer.from(body) });
  await expect(read(archive)).rejects.toThrow(
    new ImportError('b.csv has other columns than a.csv. Import them one after another.'),
  );
});

test('a sample ends after its share of a file that has no rows', async () => {
  const file = await opened(gzipSync(`a,b\n${'\n'.repeat(8_000_000)}`));
  const budget = { characters: 1_000_000 };
  const rows: SourceRow[] = [];
  for await (const some of file.rows(budget)) rows.push(...some);
  expect([rows, budget.characters]).toEqual([[], 0]);
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

test.each(['plain', 'gzip', 'zip'])(
  'rows of %s can be read again after a sample of them, with their numbers and progress',
  async (container) => {
    const text = `a\n${Array.from({ length: 5_000 }, (_, n) => `${n}\n`).join('')}`;
    const body = { plain: text, gzip: gzipSync(text), zip: zipOf({ 'a.csv': Buffer.from(text) }) }[
      container
    ]!;
    const file = await opened(body);
    for await (const rows of file.rows({ characters: 1_000 })) expect(rows[0]!.number).toBe(2);
    const numbers: number[] = [];
    for await (const rows of file.rows()) numbers.push(...rows.map(({ number }) => number));
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, n) => n + 2));
    expect(file.progress()).toBe(1);
  },
);

test('rows of Parquet can be read again after the first of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-read-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (SELECT range AS a FROM range(50000)) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  const file = await openFile(path, 'a.parquet');
  onTestFinished(() => file.close());
  for await (const rows of file.rows()) {
    expect(rows[0]!.number).toBe(1);
    break;
  }
  const found: SourceRow[] = [];
  for await (const rows of file.rows()) found.push(...rows);
  expect([found.length, found[0]!.number, found.at(-1)!.text, file.progress()]).toEqual([
    50_000,
    1,
    '{"a":49999}',
    1,
  ]);
});
