// @module-tag deep
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { arbitraryExpr, arbitraryQuery } from '../../../test/support/arbitrary-hogql.ts';
import { testGrammar } from '../../../test/support/hogql-parser.ts';
import { withoutPlaces } from '../../../test/support/without-places.ts';
import type { Grammar } from '../parse/grammar.ts';
import { readHogql } from '../parse/read-hogql.ts';
import { printHogql } from './hogql.ts';

let grammar: Grammar;
beforeAll(async () => {
  grammar = await testGrammar();
});

test('any printed query is parsed as the same query', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(arbitraryQuery, (query) => {
      expect(withoutPlaces(readHogql(grammar, 'query', printHogql(query)))).toEqual(query);
    }),
    { numRuns: 100 },
  );
});

test('any printed expression is parsed as the same expression', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      arbitraryExpr.filter(({ node }) => !node.startsWith('Select')),
      (expr) => {
        expect(withoutPlaces(readHogql(grammar, 'expression', printHogql(expr)))).toEqual(expr);
      },
    ),
    { numRuns: 400 },
  );
});
