import type { DuckDBConnection } from '@duckdb/node-api';
import type { Statements } from '../../db/db.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { requestErasure } from './erasures.ts';

/**
 * Asks for everything of a project to be removed, in the transaction that deletes the project itself; the thread of the
 * store does it when it is told, and again when it starts. `now` in Unix milliseconds.
 */
export async function requestRemoval(
  tx: Statements,
  { projectId, now }: { projectId: number; now: number },
): Promise<void> {
  await tx.run('INSERT INTO project_removals VALUES ($projectId, epoch_ms($now))', { projectId, now });
}

export interface PendingRemoval {
  projectId: number;
  /** Unix milliseconds. */
  requestedAt: number;
}

export async function readPendingRemovals(connection: DuckDBConnection): Promise<PendingRemoval[]> {
  const rows = await connection.runAndReadAll(
    'SELECT project_id, epoch_ms(requested_at)::DOUBLE FROM project_removals ORDER BY requested_at',
  );
  return rows.getRows().map(([projectId, requestedAt]) => ({
    projectId: projectId as number,
    requestedAt: requestedAt as number,
  }));
}

/** Ends a removal; what it has deleted leaves the file from then on. `now` in Unix milliseconds. */
export async function endRemoval(
  connection: DuckDBConnection,
  projectId: number,
  now: number,
): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.run('DELETE FROM project_removals WHERE project_id = $projectId', { projectId });
    await requestErasure(connection, now);
  });
}
