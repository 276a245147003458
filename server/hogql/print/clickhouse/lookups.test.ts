import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../../test/support/parse-hogql.ts';
import { compileForClickhouse } from './compile.ts';
import { CLICKHOUSE_DICTIONARIES } from './dictionaries.ts';

async function sqlOf(text: string): Promise<string> {
  return compileForClickhouse(await parseHogql(text), testHogqlContext(), { database: 'd' }).sql;
}

test('a channel type looks its sites up in a dictionary, and has none of them in its statement', async () => {
  const sql = await sqlOf('select person.$virt_initial_channel_type, session.$channel_type from events');
  expect(sql).toContain("dictGetOrNull('d.channel_lookups', 'value', tuple('hogql_lookupPaidSourceType', ");
  expect(sql).not.toContain('google.com');
  expect(sql.length).toBeLessThan(20_000);
});

test('a name has one value for each lookup of channels', () => {
  const keys = CLICKHOUSE_DICTIONARIES.channel_lookups.rows.map(([lookup, name]) => `${lookup} ${name}`);
  expect(keys).toContain('hogql_lookupDomainType google.com');
  expect(new Set(keys).size).toBe(keys.length);
});

test('a session is printed with the columns that are read of it, and no others', async () => {
  const sql = await sqlOf('select session.$is_bounce, session.$entry_utm_source from events');
  for (const read of ['$entry_utm_source', '$pageview_count', '$session_duration', 'session_id'])
    expect(sql).toContain(`\`${read}\``);
  for (const other of ['$entry_gclid', '$urls', 'max_inserted_at']) expect(sql).not.toContain(other);
});

test('rows of which no column is read are counted', async () => {
  expect(await sqlOf('select count() from sessions')).toContain('FROM (SELECT 1 FROM');
});
