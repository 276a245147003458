import { expect, test } from 'vitest';
import { openTestStore } from '../../test/support/store.ts';
import { isFatal } from './fatal.ts';
import { isFull, troubleOf } from './store-trouble.ts';

test.each(['FATAL', 'database has been invalidated', 'No space left on device', 'ENOSPC'])(
  'a failing statement whose value contains "%s" is not a store failure',
  async (text) => {
    const { db, close } = await openTestStore();
    const failed = [
      ['SELECT regexp_matches($a, $b)', { a: '', b: `(${text}` }],
      ['SELECT CAST($a AS INTEGER)', { a: text }],
      [`SELECT "${text}"`, {}],
      [`SELECT * FROM "${text}"`, {}],
      [`SELECT ${text} ${text}`, {}],
      [`SELECT error($a)`, { a: text }],
      [`SELECT strptime($a, '%Y')`, { a: text }],
    ] as const;
    for (const [sql, params] of failed) {
      const error: unknown = await db.all(sql, params).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect([sql, troubleOf(error), isFatal(error), isFull(error)]).toEqual([sql, null, false, false]);
    }
    // An error after which the thread ended would end all later statements too.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await db.first('SELECT 1 AS one')).toEqual({ one: 1 });
    await close();
  },
);

test.each([
  ['IO Error: Could not write file "/d/burrow.duckdb.wal": No space left on device', 'The disk is full'],
  ['TransactionContext Error: Failed to commit: Could not write file "x": No space left', 'The disk is full'],
  ['FATAL Error: Failed: database has been invalidated because of a previous fatal error', 'being reopened'],
  ['IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2', 'is damaged'],
])('%s', (message, sentence) => {
  expect(troubleOf(new Error(message))).toContain(sentence);
});
