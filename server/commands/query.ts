import { z } from 'zod';
import type { Config } from '../config.ts';
import { jsonRows } from './json-rows.ts';
import { signIn, RefusedError, type ServerClient } from './server-client.ts';
import { tableText } from './table.ts';
import {
  CommandError,
  counted,
  hasColor,
  shown,
  shownJson,
  shownLine,
  widthOf,
  widthOfTerminal,
  write,
  writeData,
  type Terminal,
} from './terminal.ts';

const MAX_STATEMENT_CHARACTERS = 1_000_000;

const answer = z.object({
  columns: z.array(z.string()),
  results: z.array(z.array(z.unknown())),
  hasMore: z.boolean(),
});

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
      await write(terminal, tableText(found, widthOfTerminal(terminal), hasColor(terminal, noColor)));
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
  if (isLines) for await (const row of jsonRows(rows)) await write(terminal, `${shownJson(row)}\n`);
  else {
    for await (const piece of rows.setEncoding('utf8')) await writeData(terminal, piece as string);
    if (format === 'json') await write(terminal, '\n');
  }
}

const PLACE = /^Line (\d+), column (\d+): /;
/** A name, a number or a sign. */
const WORD = /^(?:[\w$.]+|'[^']*'|"[^"]*"|`[^`]*`|.)/u;

/** The message, and the line that it is about with a mark below the place. */
export function withPlace(message: string, statement: string): string {
  const [found, line, column] = PLACE.exec(message) ?? [];
  const text = statement.split(/\r\n|\r|\n/)[Number(line) - 1];
  if (found === undefined || text === undefined) return shown(message);
  const before = text.slice(0, Number(column) - 1);
  const word = WORD.exec(text.slice(before.length))?.[0] ?? '';
  // A tab in both lines keeps the mark below its word, however wide it is.
  const indent = before.replaceAll(/[^\t]+/g, (part) => ' '.repeat(widthOf(part)));
  const mark = '^'.repeat(Math.max(1, widthOf(word)));
  return `${shown(message)}\n\n${shownLine(text)}\n${indent}${mark}`;
}
