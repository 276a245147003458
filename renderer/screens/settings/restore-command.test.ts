import { expect, test } from 'vitest';
import { restoreCommand } from './restore-command.ts';

test('paths are quoted only when a shell would split them', () => {
  expect(restoreCommand('/store/backups/burrow-20261122-081500.duckdb', '/store')).toBe(
    'node dist/server/main.js restore /store/backups/burrow-20261122-081500.duckdb --data-dir /store',
  );
  expect(restoreCommand('/my store/b.duckdb', 'D:\\my store\\Burrow')).toBe(
    'node dist/server/main.js restore "/my store/b.duckdb" --data-dir "D:\\my store\\Burrow"',
  );
});
