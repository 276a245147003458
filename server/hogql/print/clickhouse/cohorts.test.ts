import { expect, test } from 'vitest';
import { testHogqlContext, type AskOptions } from '../../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../../test/support/parse-hogql.ts';
import { compileForClickhouse } from './compile.ts';

test('a name is in the SQL for ClickHouse as the id of its cohort, and an unknown one is refused', async () => {
  const cohort: AskOptions['cohort'] = (idOrName) =>
    idOrName === 'Known' ? { id: 7, sql: 'SELECT 1 AS id', params: {} } : null;
  const print = async (name: string) =>
    compileForClickhouse(
      await parseHogql(`select count() from events where person_id in cohort '${name}'`),
      testHogqlContext({ cohort }),
      { database: 'burrow' },
    ).sql;
  expect(await print('Known')).toContain('cohort_id = 7)');
  await expect(print('Other')).rejects.toThrow('Unknown cohort "Other".');
});
