import { expect, test } from 'vitest';
import { schemaStatements } from './schema.ts';

const dictionaries = { sites: { key: 'name String', values: 'kind String', rows: [["it's", 'x']] } };

test('on one server each table keeps one row of a key, and statements can be run again', () => {
  const statements = schemaStatements({ database: 'burrow', dictionaries });
  expect(statements.filter((one) => /Distributed|Replicated|ON CLUSTER/.test(one))).toEqual([]);
  expect(statements.find((one) => one.includes('"burrow".events '))).toMatch(
    /^CREATE TABLE IF NOT EXISTS .* ENGINE = ReplacingMergeTree\(\) PARTITION BY toYYYYMM\(timestamp\) ORDER BY \(project_id, .*, uuid\)$/s,
  );
  expect(statements).toContain(`INSERT INTO "burrow".sites_rows VALUES ('it''s', 'x')`);
});

test('on a cluster each table is one over the replicated tables of all shards, and dictionaries are on each node', () => {
  const statements = schemaStatements({
    database: 'burrow',
    cluster: 'all',
    user: 'u',
    password: 'p',
    dictionaries,
  });
  const without = statements.filter(
    (one) => !/^(TRUNCATE|INSERT)/.test(one) && !one.includes("ON CLUSTER 'all'"),
  );
  expect(without).toEqual([]);
  expect(statements.filter((one) => /"burrow"\.persons/.test(one))).toEqual([
    expect.stringMatching(
      /persons_local ON CLUSTER 'all' .* ENGINE = ReplicatedReplacingMergeTree\('\/clickhouse\/tables\/\{shard\}\/burrow\/persons', '\{replica\}', version, is_deleted\) ORDER BY/s,
    ),
    `CREATE TABLE IF NOT EXISTS "burrow".persons ON CLUSTER 'all' AS "burrow".persons_local ENGINE = Distributed('all', 'burrow', persons_local, 0)`,
  ]);
  expect(statements.find((one) => one.includes('DICTIONARY'))).toContain("USER 'u' PASSWORD 'p'");
  expect(statements.find((one) => one.includes('sites_rows ON CLUSTER'))).toContain(
    "ReplicatedMergeTree('/clickhouse/tables/all/burrow/sites', '{shard}-{replica}')",
  );
});
