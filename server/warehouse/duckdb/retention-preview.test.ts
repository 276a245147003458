import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { migrate } from '../../db/migrate.ts';
import { createEventSizes } from './event-sizes.ts';
import { previewRetention } from './retention-preview.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

/** A connection beside which everything is deleted as soon as it has answered so many statements that read. */
function deletingAfter(
  statements: number,
  connection: DuckDBConnection,
  other: DuckDBConnection,
): DuckDBConnection {
  let left = statements;
  return new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'runAndReadAll') return value.bind(target);
      return async (sql: string) => {
        const answer = await target.runAndReadAll(sql);
        left -= 1;
        if (left === 0) await other.run('DELETE FROM events');
        return answer;
      };
    },
  });
}

test('a preview is of one snapshot, also when events are deleted meanwhile', async () => {
  for (const statements of [1, 2, 3]) {
    const instance = await DuckDBInstance.create(':memory:');
    const [connection, other] = [await instance.connect(), await instance.connect()];
    try {
      await migrate(connection, { path: null, log: silentLog, now: Date.now });
      await connection.run(`INSERT INTO events BY NAME SELECT 1 AS project_id, epoch_ms(${NOW} - i * ${DAY_MS}) AS timestamp,
        uuid() AS uuid, 'seen' AS event, 'u' AS distinct_id, 1 AS person_id, '{}' AS properties,
        epoch_ms(${NOW}) AS received_at, false AS historical FROM range(10) r(i)`);
      const connect = () => Promise.resolve(deletingAfter(statements, connection, other));
      const preview = await previewRetention(
        connect,
        createEventSizes(other, () => NOW),
        1,
        { maxDays: 4, maxGb: null },
        NOW,
      );
      expect(preview).toMatchObject({
        events: 5,
        oldest: NOW - 9 * DAY_MS,
        newest: NOW - 5 * DAY_MS,
        remaining: { events: 5, oldest: NOW - 4 * DAY_MS, newest: NOW },
      });
    } finally {
      instance.closeSync();
    }
  }
});
