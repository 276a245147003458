import { openParquetFile } from '../../../db/parquet-file.ts';
import { ImportError } from '../import-error.ts';
import { csvFormOf, csvRows, type CsvForm } from './csv.ts';
import { jsonFormOf, jsonRow, jsonRows, type JsonForm } from './json.ts';
import { openSource, type Container, type SourceText } from './source.ts';
import { encodingOf, linesOf, sampleOf, textOf, type Encoding } from './text.ts';

/** A row of a file, or what should have been one. */
export interface SourceRow {
  /** From 1, as a person would count them in this file. */
  readonly number: number;
  readonly value: Readonly<Record<string, unknown>>;
  /** As it was written; of a CSV file `fields` are. */
  readonly text?: string;
  readonly fields?: readonly string[];
  /** Why it is no row of this file. */
  readonly problem?: string;
}

export type RowKind = 'csv' | 'json' | 'lines' | 'parquet';

/** What was recognized of a file before its rows are read. */
export interface FileForm {
  readonly container: Container;
  readonly kind: RowKind;
  readonly encoding: Encoding | null;
  /** Of CSV. */
  readonly separator: string | null;
  /** Names of the columns of CSV and Parquet; empty where each row has its own. */
  readonly columns: readonly string[];
  /** Data files of an archive, else the file itself. */
  readonly files: readonly string[];
}

export interface OpenedFile {
  readonly form: FileForm;
  /** All of them; of a sample those that lie in its characters, which are counted down. Throws ImportError. */
  rows(sample?: { characters: number }): AsyncIterable<SourceRow[]>;
  progress(): number;
  close(): void;
}

/** A line of an access log: an address, two words, a time in brackets and a request in quotes. */
const LOG_LINE = /^(?:\S+ )?\S+ \S+ \S+ \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d [-+]\d{4}\] "/;

/** Opens a file. Throws ImportError for one that cannot be read. */
export async function openFile(path: string, name: string): Promise<OpenedFile> {
  const source = await openSource(path, name);
  if (source.container === 'parquet') return await openParquet(path, name);
  const texts = source.texts.filter(({ name: text }) => !isSideFile(text));
  let found: { at: number; text: ReadText } | null = null;
  try {
    if (texts.length === 0) throw new ImportError('The archive has no file with rows.');
    for (let at = 0; at < texts.length && found === null; at++) {
      const text = await readText(texts[at]!);
      if (text !== null) found = { at, text };
    }
    if (found === null) throw new ImportError('The file is empty.');
  } catch (error) {
    source.close();
    throw error;
  }
  const first = found.text;
  const begin = found.at;
  const { shape } = first;
  const form: FileForm = {
    container: source.container,
    kind: shape.kind,
    encoding: first.encoding,
    separator: shape.kind === 'csv' ? shape.csv.separator : null,
    columns: shape.kind === 'csv' ? shape.csv.columns : [],
    files: texts.map((one) => one.name),
  };
  return {
    form,
    async *rows(sample) {
      for (let at = begin; at < texts.length; at++) {
        const one = texts[at]!;
        const text = at === begin ? first : await readText(one);
        if (text === null) continue;
        if (!isAlike(text.shape, shape))
          throw new ImportError(
            `${one.name} has other columns than ${texts[begin]!.name}. Import them one after another.`,
          );
        const pieces = textOf(await one.open(sample !== undefined), text.encoding);
        yield* rowsOf(sample === undefined ? pieces : begun(pieces, sample), text.shape);
        if (sample !== undefined && sample.characters <= 0) return;
      }
    },
    progress: source.progress,
    close: source.close,
  };
}

interface ReadText {
  readonly encoding: Encoding;
  readonly shape: Shape;
}

/** How a text is read; null: it is empty. Throws ImportError. */
async function readText(text: SourceText): Promise<ReadText | null> {
  const sample = await sampleOf(await text.open(true));
  if (sample.length === 0) return null;
  if (sample.subarray(0, 4).toString('latin1') === 'PAR1')
    throw new ImportError('There is a Parquet file in the archive. Unpack it, and import the file itself.');
  const encoding = encodingOf(sample);
  return { encoding, shape: shapeOf(new TextDecoder(encoding).decode(sample, { stream: true })) };
}

/** Whether the rows of both have the same members: the order of columns is each file's own. */
function isAlike(one: Shape, other: Shape): boolean {
  if (one.kind !== 'csv' || other.kind !== 'csv') return one.kind === other.kind;
  const names = new Set(other.csv.columns);
  return one.csv.columns.length === names.size && one.csv.columns.every((column) => names.has(column));
}

async function* begun(texts: AsyncIterable<string>, sample: { characters: number }): AsyncGenerator<string> {
  for await (const text of texts) {
    const part = text.slice(0, sample.characters);
    sample.characters -= part.length;
    yield part;
    if (sample.characters <= 0) return;
  }
}

/** Tables beside the events in an archive of Umami. */
function isSideFile(name: string): boolean {
  return /(?:^|\/)(?:event_data|session_data)\.csv$/i.test(name);
}

type Shape = { kind: 'csv'; csv: CsvForm } | { kind: 'json'; json: JsonForm } | { kind: 'lines' };

function shapeOf(text: string): Shape {
  const begin = text.trimStart();
  if (begin.startsWith('{') || begin.startsWith('[')) return { kind: 'json', json: jsonFormOf(text) };
  const lines = begin.split('\n').slice(0, 20);
  if (lines.some((line) => LOG_LINE.test(line))) return { kind: 'lines' };
  if (text.includes('\0')) throw new ImportError('The file is neither a text nor a Parquet file.');
  return { kind: 'csv', csv: csvFormOf(text.replace(/^\uFEFF/, '')) };
}

function rowsOf(texts: AsyncIterable<string>, shape: Shape): AsyncIterable<SourceRow[]> {
  if (shape.kind === 'csv') return csvRows(texts, shape.csv);
  if (shape.kind === 'json') return jsonRows(texts, shape.json);
  return lineRows(texts);
}

async function* lineRows(texts: AsyncIterable<string>): AsyncGenerator<SourceRow[]> {
  let number = 0;
  for await (const lines of linesOf(texts)) {
    const rows: SourceRow[] = [];
    for (const text of lines) {
      number++;
      if (text !== '') rows.push({ number, value: { line: text }, text });
    }
    if (rows.length > 0) yield rows;
  }
}

async function openParquet(path: string, name: string): Promise<OpenedFile> {
  const file = await openParquetFile(path).catch((error: unknown) => {
    throw new ImportError(`The Parquet file cannot be read: ${firstLine(error)}`);
  });
  let read = 0;
  return {
    form: {
      container: 'parquet',
      kind: 'parquet',
      encoding: null,
      separator: null,
      columns: file.columns.map((column) => column.name),
      files: [name],
    },
    async *rows() {
      read = 0;
      for await (const texts of file.rows()) {
        yield texts.map((text) => jsonRow(++read, text));
      }
    },
    progress: () => (file.rowCount === 0 ? 1 : read / file.rowCount),
    close: file.close,
  };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!.slice(0, 200);
}
