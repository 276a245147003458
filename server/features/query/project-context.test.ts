import { describe, expect, test } from 'vitest';
import { testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import type { Query } from '../../hogql/ast.ts';
import { constant, select } from '../../hogql/build.ts';
import { compileHogql } from '../../hogql/compile.ts';
import { createCompiledQueries, type Compiling } from './project-context.ts';
import type { CompileInputs } from './project-schema-version.ts';

const SHAPE: CompileInputs = {
  mayHaveSuspects: false,
  mayHaveMerges: false,
  personLimit: null,
  hotColumns: [],
  groupTypes: [],
  propertyType: () => null,
};

/** Prepares queries, and counts how many of them had to be compiled. */
function opened() {
  const compiled = createCompiledQueries();
  const counted = { compiled: 0 };
  const prepare = (query: Query, shape = SHAPE, settings = ['UTC'], isLasting = true) =>
    compiled.prepare(shape, settings, query, async (): Promise<Compiling> => {
      counted.compiled++;
      return { compiled: compileHogql(query, testHogqlContext()), properties: [], isLasting };
    });
  return { prepare, counted };
}

describe('a compiled query', () => {
  test('is not compiled again while its dependencies are unchanged', async () => {
    const { prepare, counted } = opened();
    const first = await prepare(await parseHogql('select count() from events'));
    const again = await prepare(await parseHogql('select count() from events'));
    expect(again.sql).toBe(first.sql);
    expect(again.hogql()).toBe('SELECT count() FROM events');
    expect(counted.compiled).toBe(1);
  });

  test('is compiled again for another schema version, other settings and another tree', async () => {
    const { prepare, counted } = opened();
    const query = await parseHogql('select count() from events');
    await prepare(query);
    await prepare(query, { ...SHAPE });
    await prepare(query, SHAPE, ['Europe/Berlin']);
    await prepare(await parseHogql('select count() from persons'));
    expect(counted.compiled).toBe(4);
  });

  test('is compiled on each request when it has a volatile function', async () => {
    const { prepare, counted } = opened();
    const query = await parseHogql('select now()');
    await prepare(query, SHAPE, ['UTC'], false);
    await prepare(query, SHAPE, ['UTC'], false);
    expect(counted.compiled).toBe(2);
  });

  test('is not confused with one whose numbers have the same JSON', async () => {
    const { prepare, counted } = opened();
    const values = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, null, 1n, 1, '1'];
    for (const value of values) await prepare(select({ select: [constant(value)] }));
    expect(counted.compiled).toBe(values.length);
  });
});
