import type { Statements } from '../../db/db.ts';
import type { ImportReportJson, ImportSettings, ImportState } from './imports.contract.ts';

/** Rows that the store did not take, by reason. */
export type NotStored = { reason: string; count: number; row: number };

export interface StoredImport {
  id: string;
  projectId: number;
  name: string;
  bytes: number;
  state: ImportState;
  settings: ImportSettings | null;
  /** Rows whose events are stored. */
  storedRows: number;
  progress: number;
  report: ImportReportJson | null;
  notStored: readonly NotStored[];
  problem: string | null;
  createdBy: number | null;
  /** ISO 8601, UTC; as those below. */
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

type ImportRow = Omit<StoredImport, 'settings' | 'report' | 'notStored'> & {
  settings: string | null;
  report: string | null;
  notStored: string;
};

const COLUMNS = `id::VARCHAR AS "id", project_id AS "projectId", name AS "name", bytes AS "bytes", state AS "state",
  settings AS "settings", stored_rows AS "storedRows", progress AS "progress", report AS "report",
  not_stored AS "notStored", problem AS "problem", created_by AS "createdBy", created_at AS "createdAt",
  started_at AS "startedAt", finished_at AS "finishedAt"`;

function importOf(row: ImportRow): StoredImport {
  return {
    ...row,
    settings: row.settings === null ? null : (JSON.parse(row.settings) as ImportSettings),
    report: row.report === null ? null : (JSON.parse(row.report) as ImportReportJson),
    notStored: JSON.parse(row.notStored) as NotStored[],
  };
}

/** The newest thousand of a project, the newest first. */
export async function listImports(db: Statements, projectId: number): Promise<StoredImport[]> {
  const rows = await db.all<ImportRow>(
    `SELECT ${COLUMNS} FROM imports WHERE project_id = $projectId ORDER BY created_at DESC, id LIMIT 1000`,
    { projectId },
  );
  return rows.map(importOf);
}

/** All imports of all projects, by which project each is of. */
export async function listOwners(db: Statements): Promise<Pick<StoredImport, 'id' | 'projectId'>[]> {
  return await db.all('SELECT id::VARCHAR AS "id", project_id AS "projectId" FROM imports');
}

/** All that the end of the server has interrupted. */
export async function listInterrupted(db: Statements): Promise<StoredImport[]> {
  const rows = await db.all<ImportRow>(
    `SELECT ${COLUMNS} FROM imports WHERE state IN ('checking', 'running') ORDER BY started_at, id`,
  );
  return rows.map(importOf);
}

export async function findImport(
  db: Statements,
  projectId: number,
  id: string,
): Promise<StoredImport | null> {
  const row = await db.first<ImportRow>(
    `SELECT ${COLUMNS} FROM imports WHERE project_id = $projectId AND id = $id::UUID`,
    { projectId, id },
  );
  return row === null ? null : importOf(row);
}

/** `now` in Unix milliseconds. */
export async function insertImport(
  tx: Statements,
  added: Pick<StoredImport, 'id' | 'projectId' | 'name' | 'bytes' | 'state'> & {
    createdBy: number;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO imports (id, project_id, name, bytes, state, stored_rows, progress, not_stored, created_by, created_at)
     VALUES ($id::UUID, $projectId, $name, $bytes, $state, 0, 0, '[]', $createdBy, epoch_ms($now))`,
    added,
  );
}

/** Writes what changes while an import runs. */
export async function saveImport(
  tx: Statements,
  changed: Pick<
    StoredImport,
    'id' | 'state' | 'settings' | 'storedRows' | 'progress' | 'report' | 'notStored' | 'problem'
  > & { startedMs: number | null; finishedMs: number | null },
): Promise<void> {
  const { id, state, settings, storedRows, progress, report, notStored, problem } = changed;
  await tx.run(
    `UPDATE imports SET state = $state, settings = $settings, stored_rows = $storedRows, progress = $progress,
       report = $report, not_stored = $notStored, problem = $problem, started_at = epoch_ms($startedMs),
       finished_at = epoch_ms($finishedMs)
     WHERE id = $id::UUID`,
    {
      id,
      state,
      storedRows,
      progress,
      problem,
      startedMs: changed.startedMs,
      finishedMs: changed.finishedMs,
      settings: settings === null ? null : JSON.stringify(settings),
      report: report === null ? null : JSON.stringify(report),
      notStored: JSON.stringify(notStored),
    },
  );
}

/** Writes how far a download is, or that it is whole. */
export async function saveDownload(
  tx: Statements,
  saved: Pick<StoredImport, 'id' | 'bytes' | 'state' | 'progress'>,
): Promise<void> {
  const { id, bytes, state, progress } = saved;
  await tx.run(
    'UPDATE imports SET bytes = $bytes, state = $state, progress = $progress WHERE id = $id::UUID',
    { id, bytes, state, progress },
  );
}

export async function deleteImport(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM imports WHERE id = $id::UUID', { id });
}

export interface StoredMapping {
  id: number;
  name: string;
  settings: ImportSettings;
  createdAt: string;
}

type MappingRow = Omit<StoredMapping, 'settings'> & { settings: string };
const MAPPING = `id AS "id", name AS "name", settings AS "settings", created_at AS "createdAt"`;
const mappingOf = (row: MappingRow): StoredMapping => ({
  ...row,
  settings: JSON.parse(row.settings) as ImportSettings,
});

export async function listMappings(db: Statements, projectId: number): Promise<StoredMapping[]> {
  const rows = await db.all<MappingRow>(
    `SELECT ${MAPPING} FROM import_mappings WHERE project_id = $projectId ORDER BY name, id`,
    { projectId },
  );
  return rows.map(mappingOf);
}

/** Replaces the one of that name. */
export async function saveMapping(
  tx: Statements,
  saved: { projectId: number; name: string; settings: ImportSettings; now: number },
): Promise<StoredMapping> {
  const { projectId, name, settings, now } = saved;
  await tx.run('DELETE FROM import_mappings WHERE project_id = $projectId AND name = $name', {
    projectId,
    name,
  });
  const row = await tx.first<MappingRow>(
    `INSERT INTO import_mappings (project_id, name, settings, created_at)
     VALUES ($projectId, $name, $settings, epoch_ms($now)) RETURNING ${MAPPING}`,
    { projectId, name, settings: JSON.stringify(settings), now },
  );
  return mappingOf(row!);
}

/** Whether there was one. */
export async function deleteMapping(tx: Statements, projectId: number, id: number): Promise<boolean> {
  const deleted = await tx.all(
    'DELETE FROM import_mappings WHERE project_id = $projectId AND id = $id RETURNING id',
    { projectId, id },
  );
  return deleted.length > 0;
}
