import { parseExactly } from '../../../lib/exact-number.contract.ts';
import { ImportError } from '../import-error.ts';
import { linesOf, MAX_ROW_LENGTH } from './text.ts';
import type { SourceRow } from './rows.ts';

/** How the objects of a file follow each other. */
export type JsonForm = 'lines' | 'list';

/** Names under which answers of APIs have their rows. */
const LIST_INSIDE = /"(?:results|data|events|rows|batch)"\s*:\s*\[/;

/** Lines, when the first one is an object of its own; else a list, or objects one after another. */
export function jsonFormOf(text: string): JsonForm {
  const line = text.trimStart().split('\n', 1)[0]!.trim();
  if (!line.startsWith('{') || (isObject(line) && !holdsList(line)))
    return line.startsWith('[') ? 'list' : 'lines';
  return 'list';
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Whether it is the answer of an API and no event: an event has one of these names too. */
function holdsList(line: string): boolean {
  return (
    LIST_INSIDE.test(line.slice(0, 10_000)) &&
    !/"(?:event|event_type|type|uuid)"\s*:/.test(line.slice(0, 200))
  );
}

export async function* jsonRows(texts: AsyncIterable<string>, form: JsonForm): AsyncGenerator<SourceRow[]> {
  if (form === 'lines') {
    let number = 0;
    for await (const lines of linesOf(texts)) {
      const rows: SourceRow[] = [];
      for (const line of lines) {
        number++;
        if (line.trim() !== '') rows.push(jsonRow(number, line));
      }
      if (rows.length > 0) yield rows;
    }
    return;
  }
  let number = 0;
  for await (const objects of objectsOf(texts)) yield objects.map((text) => jsonRow(++number, text));
}

/** A row of a text that has to be an object. */
export function jsonRow(number: number, text: string): SourceRow {
  try {
    const value = parseExactly(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { number, value: value as Record<string, unknown>, text };
    return { number, value: {}, text, problem: 'The row is not a JSON object' };
  } catch {
    return { number, value: {}, text, problem: 'The row is not valid JSON' };
  }
}

/** The texts of the objects in the outermost list, or that follow each other. */
async function* objectsOf(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  let isBegun = false;
  for await (const text of texts) {
    rest += text;
    if (!isBegun) {
      if (rest.trimStart() === '') continue;
      const inside = rest.trimStart().startsWith('{') ? LIST_INSIDE.exec(rest.slice(0, 65_536)) : null;
      if (inside !== null) rest = rest.slice(inside.index + inside[0].length);
      else if (rest.trimStart().startsWith('[')) rest = rest.trimStart().slice(1);
      isBegun = true;
    }
    const objects: string[] = [];
    rest = takeObjects(rest, objects);
    if (rest.length > MAX_ROW_LENGTH) throw new ImportError('An object of the file is longer than 20 MB.');
    if (objects.length > 0) yield objects;
  }
  if (rest.trimStart().startsWith('{')) yield [rest.trim()];
}

/** Takes the objects that are whole; returns what is behind them. */
function takeObjects(text: string, objects: string[]): string {
  let begin = -1;
  let depth = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 && depth > 0) {
      at = closing(text, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) {
      if (depth++ === 0) begin = at;
    } else if (code === 0x7d || code === 0x5d) {
      // The end of the list: what is behind belongs to no row.
      if (depth === 0) return '';
      if (--depth === 0) {
        end = at + 1;
        objects.push(text.slice(begin, end));
      }
    }
  }
  return text.slice(depth > 0 ? begin : end);
}

/** Where the text that opens at `at` closes, or the end. */
function closing(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 0x5c) next++;
    else if (code === 0x22) return next;
  }
  return text.length;
}

/**
 * The text of a member of an object as it was written, with all its digits and in its order; null when it has none. The
 * object is known to be valid.
 */
export function memberText(object: string, name: string): string | null {
  const wanted = `"${name}"`;
  let depth = 0;
  for (let at = 0; at < object.length; at++) {
    const code = object.charCodeAt(at);
    if (code === 0x22) {
      const end = closing(object, at);
      if (depth === 1 && end - at + 1 === wanted.length && object.startsWith(wanted, at)) {
        const colon = /\s*:\s*/y;
        colon.lastIndex = end + 1;
        if (colon.test(object)) return valueAt(object, colon.lastIndex);
      }
      at = end;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return null;
}

function valueAt(object: string, start: number): string {
  let depth = 0;
  for (let at = start; at < object.length; at++) {
    const code = object.charCodeAt(at);
    if (code === 0x22) at = closing(object, at);
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return object.slice(start, at).trim();
      if (--depth === 0) return object.slice(start, at + 1);
    } else if (code === 0x2c && depth === 0) return object.slice(start, at).trim();
  }
  return object.slice(start);
}
