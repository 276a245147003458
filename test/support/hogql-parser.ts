import createGrammar from '@posthog/hogql-parser';
import { createHogqlParser, type HogqlParser } from '../../server/hogql/parse/hogql-parser.ts';
import { startParserHere } from '../../server/hogql/parse/start-parser.ts';

/** The grammar learns from each text; tests share what it has learnt. */
let grammar: ReturnType<typeof createGrammar> | null = null;

export function testGrammar(): ReturnType<typeof createGrammar> {
  grammar ??= createGrammar();
  return grammar;
}

/** A parser that works in the thread of the test: a thread of its own needs a built file. */
export function createTestParser(): HogqlParser {
  return createHogqlParser({
    start: (events) => startParserHere(testGrammar(), events),
  });
}
