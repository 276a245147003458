import { HogqlError } from '../errors.ts';
import type { Grammar } from './grammar.ts';
import type { FromParser, ToParser } from './parse-messages.ts';
import { readHogql } from './read-hogql.ts';

/** Reads a text, and says what came of it in a message. */
export function answerParse(grammar: Grammar, { kind, text }: ToParser): FromParser {
  try {
    return { outcome: 'tree', tree: readHogql(grammar, kind, text) };
  } catch (error) {
    if (!(error instanceof HogqlError)) return { outcome: 'broken' };
    return { outcome: 'refused', message: error.message, start: error.start, end: error.end };
  }
}
