import type { Query } from '../../server/hogql/ast.ts';
import { readHogql } from '../../server/hogql/parse/read-hogql.ts';
import { testGrammar } from './hogql-parser.ts';

/** Parses HogQL directly, without the time limit. Throws HogqlError. */
export async function parseHogql(text: string): Promise<Query> {
  return readHogql(await testGrammar(), 'query', text);
}
