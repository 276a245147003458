import type { Located } from './ast.ts';

/** What is wrong with a query, in a sentence for its author, and where: offsets in UTF-16 units, null when unknown. */
export class HogqlError extends Error {
  readonly start: number | null;
  readonly end: number | null;

  constructor(message: string, at: Located = {}) {
    super(message);
    this.name = 'HogqlError';
    this.start = at.start ?? null;
    this.end = at.end ?? at.start ?? null;
  }
}

/** A query that shows persons, sent by a user who may only count them. */
export class HiddenPersonsError extends HogqlError {
  constructor(what: string, at: Located = {}) {
    super(
      `${what} returns persons, but you do not have access to persons. You can count them, as in uniq(person_id).`,
      at,
    );
  }
}

/** Line and column of an offset in a text, both counted from 1; columns in UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** The sentence of an error with its place: `Line 2, column 8: There is no table named "evnts".` */
export function describeHogqlError(error: HogqlError, text: string): string {
  if (error.start === null) return error.message;
  const { line, column } = lineAndColumn(text, error.start);
  return `Line ${line}, column ${column}: ${error.message}`;
}
