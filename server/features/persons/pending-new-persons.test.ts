import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

test('new persons are visible to statements that read them', async () => {
  const app = await openTestApp();
  await sendEvents(app, [{ distinct_id: 'first' }, { distinct_id: 'second' }]);
  const count = async (sql: string): Promise<number> =>
    (await app.store.analytics.all<{ n: number }>(sql))[0]!.n;
  expect(await count('SELECT count(*)::INTEGER AS n FROM "persons"')).toBe(2);
  await sendEvents(app, [{ distinct_id: 'third' }]);
  const known = `SELECT count(*)::INTEGER AS n FROM PERSON_DISTINCT_IDS WHERE distinct_id = 'third'`;
  expect(await count(known)).toBe(1);
});

test('no other view reads persons', async () => {
  const app = await openTestApp();
  const views = await app.store.db.all<{ name: string }>(
    `SELECT view_name AS name FROM duckdb_views()
     WHERE NOT internal AND regexp_matches(sql, 'person(s|_distinct_ids)(_recent|_settled)?\\b')`,
  );
  expect(views.map(({ name }) => name).toSorted()).toEqual(['person_distinct_ids', 'persons']);
});
