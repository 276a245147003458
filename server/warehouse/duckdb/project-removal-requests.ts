import type { DuckDBConnection } from '@duckdb/node-api';
import type { Statements } from '../../db/db.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { requestErasure } from './erasure-requests.ts';

/**
 * Requests the removal of all data of a project, in the transaction that deletes the project; the store thread does
 * it when notified and at its start. `now` in Unix milliseconds.
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

/** Marks a removal as done and requests erasure of its rows. `now` in Unix milliseconds. */
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
