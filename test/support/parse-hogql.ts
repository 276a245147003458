import type { Query } from '../../server/hogql/ast.ts';
import { readHogql } from '../../server/hogql/parse/read-hogql.ts';
import { testGrammar } from './hogql-parser.ts';

/** Reads HogQL as it is, without the guard that ends a long reading. Throws HogqlError. */
export async function parseHogql(text: string): Promise<Query> {
  return readHogql(await testGrammar(), 'query', text);
}
