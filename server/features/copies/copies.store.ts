import type { Statements } from '../../db/db.ts';
import type { CopyStateName, Direction } from './copies.contract.ts';
import type { CopyState } from './copy-state.ts';

export interface StoredCopy {
  id: string;
  projectId: number;
  direction: Direction;
  host: string;
  hostProject: string;
  isDryRun: boolean;
  state: CopyStateName;
  progress: CopyState;
  problem: string | null;
  importId: string | null;
  createdBy: number | null;
  /** ISO 8601, UTC; as the next. */
  createdAt: string;
  finishedAt: string | null;
}

type CopyRow = Omit<StoredCopy, 'progress'> & { progress: string };

const COLUMNS = `id::VARCHAR AS "id", project_id AS "projectId", direction AS "direction", host AS "host",
  host_project AS "hostProject", is_dry_run AS "isDryRun", state AS "state", progress AS "progress",
  problem AS "problem", import_id::VARCHAR AS "importId", created_by AS "createdBy", created_at AS "createdAt",
  finished_at AS "finishedAt"`;

const copyOf = (row: CopyRow): StoredCopy => ({ ...row, progress: JSON.parse(row.progress) as CopyState });

/** The newest hundred of a project, the newest first. */
export async function listCopies(db: Statements, projectId: number): Promise<StoredCopy[]> {
  const rows = await db.all<CopyRow>(
    `SELECT ${COLUMNS} FROM copies WHERE project_id = $projectId ORDER BY created_at DESC, id LIMIT 100`,
    { projectId },
  );
  return rows.map(copyOf);
}

export async function findCopy(db: Statements, projectId: number, id: string): Promise<StoredCopy | null> {
  const row = await db.first<CopyRow>(
    `SELECT ${COLUMNS} FROM copies WHERE project_id = $projectId AND id = $id::UUID`,
    { projectId, id },
  );
  return row === null ? null : copyOf(row);
}

/** The newest copy of a project to the same place, whose IDs of definitions hold for the next one. */
export async function findEarlier(
  db: Statements,
  { id, projectId, direction, host, hostProject }: StoredCopy,
): Promise<StoredCopy | null> {
  const row = await db.first<CopyRow>(
    `SELECT ${COLUMNS} FROM copies
     WHERE project_id = $projectId AND direction = $direction AND host = $host AND host_project = $hostProject
       AND NOT is_dry_run AND id <> $id::UUID
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    { id, projectId, direction, host, hostProject },
  );
  return row === null ? null : copyOf(row);
}

export async function insertCopy(tx: Statements, copy: StoredCopy): Promise<void> {
  await tx.run(
    `INSERT INTO copies (id, project_id, direction, host, host_project, is_dry_run, state, progress, import_id, created_by, created_at)
     VALUES ($id::UUID, $projectId, $direction, $host, $hostProject, $isDryRun, $state, $progress, $importId::UUID,
       $createdBy, $createdAt::TIMESTAMP)`,
    {
      id: copy.id,
      projectId: copy.projectId,
      direction: copy.direction,
      host: copy.host,
      hostProject: copy.hostProject,
      isDryRun: copy.isDryRun,
      state: copy.state,
      progress: JSON.stringify(copy.progress),
      importId: copy.importId,
      createdBy: copy.createdBy,
      createdAt: copy.createdAt,
    },
  );
}

/** Writes what changes while a copy runs. */
export async function saveCopy(tx: Statements, copy: StoredCopy): Promise<void> {
  await tx.run(
    `UPDATE copies SET state = $state, host_project = $hostProject, progress = $progress, problem = $problem,
       import_id = $importId::UUID, finished_at = $finishedAt::TIMESTAMP WHERE id = $id::UUID`,
    {
      id: copy.id,
      state: copy.state,
      hostProject: copy.hostProject,
      progress: JSON.stringify(copy.progress),
      problem: copy.problem,
      importId: copy.importId,
      finishedAt: copy.finishedAt,
    },
  );
}

/** What the end of the last process has broken off waits for its keys. */
export async function interruptCopies(tx: Statements, problem: string): Promise<void> {
  await tx.run(`UPDATE copies SET state = 'interrupted', problem = $problem WHERE state = 'running'`, {
    problem,
  });
}

export async function deleteCopy(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM copies WHERE id = $id::UUID', { id });
}

/** Projects that have copies. */
export async function listProjects(db: Statements): Promise<number[]> {
  const rows = await db.all<{ id: number }>('SELECT DISTINCT project_id AS "id" FROM copies');
  return rows.map(({ id }) => id);
}

export async function deleteCopiesOf(tx: Statements, projectId: number): Promise<void> {
  await tx.run('DELETE FROM copies WHERE project_id = $projectId', { projectId });
}
