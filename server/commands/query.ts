import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { signIn, RefusedError, type ServerClient } from './server-client.ts';
import {
  CommandError,
  counted,
  fitted,
  hasColor,
  padded,
  shown,
  shownJson,
  styled,
  widthOf,
  write,
  type Terminal,
} from './terminal.ts';

const GAP = '  ';
const MIN_COLUMNS = 6;
const MAX_STATEMENT_CHARACTERS = 1_000_000;

const answer = z.object({
  columns: z.array(z.string()),
  results: z.array(z.array(z.unknown())),
  hasMore: z.boolean(),
});
type Answer = z.output<typeof answer>;

/** Runs a statement, and prints its rows. */
export async function query(config: Config, terminal: Terminal): Promise<void> {
  const text = config.argument === '-' ? await readAll(terminal) : config.argument!;
  const { format, project, noColor } = config.call;
  const client = await signIn(config.dataDir, terminal);
  try {
    const path = `/api/projects/${client.projectId(project)}`;
    const statement = { kind: 'HogQLQuery', query: text };
    if (format === null || format === 'table') {
      const body = { query: statement };
      const found = answer.parse(await client.json(`${path}/query/`, { method: 'POST', body }));
      await write(terminal, tableText(found, terminal, hasColor(terminal, noColor)));
      if (found.hasMore)
        terminal.stderr.write(
          `These are the first ${counted(found.results.length, 'row')}. For others, add a LIMIT; the formats json, csv and jsonl have all.\n`,
        );
      return;
    }
    await printRows(client, `${path}/burrow/query/export/`, { query: statement, format }, terminal);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new CommandError(withPlace(error.message, text));
  } finally {
    await client.close();
  }
}

async function readAll({ stdin }: Terminal): Promise<string> {
  let text = '';
  for await (const piece of stdin.setEncoding('utf8')) {
    text += piece as string;
    if (text.length > MAX_STATEMENT_CHARACTERS)
      throw new CommandError(
        `The statement is longer than ${counted(MAX_STATEMENT_CHARACTERS, 'character')}.`,
      );
  }
  return text;
}

/** All rows as the server writes them to a file, passed on as they arrive. */
async function printRows(
  client: ServerClient,
  path: string,
  { query: statement, format }: { query: unknown; format: string },
  terminal: Terminal,
): Promise<void> {
  const isLines = format === 'jsonl';
  const body = { query: statement, format: isLines ? 'json' : format };
  const rows = await client.open(path, { method: 'POST', body });
  if (format === 'csv') {
    for await (const piece of rows) await write(terminal, piece as string);
    return;
  }
  for await (const line of createInterface({ input: rows, crlfDelay: Infinity })) {
    const text = isLines ? line.replace(/^\[/, '').replace(/[,\]]$/, '') : line;
    if (text !== '') await write(terminal, `${shownJson(text)}\n`);
  }
}

const PLACE = /^Line (\d+), column (\d+): /;
/** A name, a number or a sign. */
const WORD = /^(?:[\w$.]+|'[^']*'|"[^"]*"|`[^`]*`|.)/u;

/** The message, and the line that it is about with a mark below the place. */
function withPlace(message: string, statement: string): string {
  const [found, line, column] = PLACE.exec(message) ?? [];
  const text = statement.split(/\r\n|\r|\n/)[Number(line) - 1];
  if (found === undefined || text === undefined) return shown(message);
  const before = text.slice(0, Number(column) - 1);
  const word = WORD.exec(text.slice(before.length))?.[0] ?? '';
  // A tab in both lines keeps the mark below its word, however wide it is.
  const indent = before.replaceAll(/[^\t]+/g, (part) => ' '.repeat(widthOf(part)));
  const mark = '^'.repeat(Math.max(1, widthOf(word)));
  const plain = text.split('\t').map(shown).join('\t');
  return `${shown(message)}\n\n${plain}\n${indent}${mark}`;
}

/** A table as wide as the terminal; where its columns do not fit next to each other, each row as a list. */
function tableText({ columns, results }: Answer, { stdout }: Terminal, isColored: boolean): string {
  const available = stdout.isTTY ? (stdout.columns ?? 80) : Number.MAX_SAFE_INTEGER;
  const names = columns.map(shown);
  const cells = results.map((row) => row.map((value) => cellText(value)));
  const rows = `${counted(results.length, 'row')}\n`;
  if (names.length * (MIN_COLUMNS + GAP.length) > available)
    return listText(names, cells, available, isColored) + rows;
  const natural = names.map((name, at) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[at]!)), widthOf(name)),
  );
  const widths = narrowed(natural, available - GAP.length * (names.length - 1));
  const isNumber = names.map(
    (_, at) => results.length > 0 && results.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => padded(fitted(cell, widths[at]!), widths[at]!, isNumber[at] ? 'right' : 'left'))
      .join(GAP)
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  return [
    styled('bold', line(names), isColored),
    styled('dim', rule, isColored),
    ...cells.map(line),
    styled('dim', rows, isColored),
  ].join('\n');
}

/** Takes from the widest columns until all fit. */
function narrowed(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  let surplus = widths.reduce((sum, width) => sum + width, 0) - available;
  while (surplus > 0) {
    const widest = Math.max(...widths);
    const second = Math.max(MIN_COLUMNS, ...widths.filter((width) => width < widest));
    const all = widths.flatMap((width, at) => (width === widest ? [at] : []));
    const each = Math.min(widest - second, Math.ceil(surplus / all.length));
    if (each <= 0) break;
    for (const at of all) widths[at]! -= each;
    surplus -= each * all.length;
  }
  return widths;
}

function listText(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  available: number,
  isColored: boolean,
): string {
  const left = Math.min(Math.max(...names.map(widthOf)), Math.floor(available / 3));
  return rows
    .map((row) =>
      names
        .map((name, at) => {
          const label = styled('bold', padded(fitted(name, left), left), isColored);
          return `${label}${GAP}${fitted(row[at]!, Math.max(available - left - GAP.length, MIN_COLUMNS))}\n`;
        })
        .join(''),
    )
    .concat('')
    .join('\n');
}

function cellText(value: unknown): string {
  return shown(typeof value === 'string' ? value : JSON.stringify(value));
}
