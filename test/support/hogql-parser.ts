import createGrammar from '@posthog/hogql-parser';
import { createHogqlParser, type HogqlParser } from '../../server/hogql/parse/hogql-parser.ts';
import { startParserHere } from '../../server/hogql/parse/start-parser.ts';

/** The grammar learns from each text; tests share what it has learnt. */
let grammar: ReturnType<typeof createGrammar> | null = null;

export function testGrammar(): ReturnType<typeof createGrammar> {
  grammar ??= createGrammar();
  return grammar;
}

let shared: HogqlParser | null = null;

/**
 * A parser that works in the thread of the test: a thread of its own needs a built file. Tests share the trees that it
 * has read, so that the statements of a kind of query are read once in a worker.
 */
export function createTestParser(): HogqlParser {
  shared ??= createHogqlParser({
    start: (events) => startParserHere(testGrammar(), events),
  });
  return { ...shared, close: async () => {} };
}
