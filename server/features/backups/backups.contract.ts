import { z } from 'zod';

/** A backup in the data folder (management contract 9.12). */
const backup = z.object({
  name: z.string(),
  bytes: z.int(),
  created_at: z.string(),
  /** The number of its last migration; null for a file that is no database of Burrow. */
  schema_version: z.int().nullable(),
  events: z.int().nullable(),
});
export type BackupJson = z.output<typeof backup>;

/** All of them, newest first, and where they are; null for a server that keeps everything in memory. */
const backupList = z.object({
  folder: z.string().nullable(),
  /** Whether a backup is running. */
  is_making: z.boolean(),
  /** What became of going back to one, since the process began. */
  last_restore: z.object({ is_done: z.boolean(), text: z.string(), at: z.string() }).nullable(),
  results: z.array(backup),
});
export type BackupListJson = z.output<typeof backupList>;

/** The server ends now, and restarts with the backup; it takes this token then, once, to sign its owner in. */
const begunRestore = z.object({ sign_in_token: z.string() });
export type BegunRestoreJson = z.output<typeof begunRestore>;

/** A backup that was just written, whose rows were checked against those of the database when it began. */
const madeBackup = backup.extend({
  path: z.string(),
  schema_version: z.int(),
  events: z.int(),
  persons: z.int(),
  groups: z.int(),
  /** Of all tables; each of them was counted in the copy. */
  rows: z.int(),
  milliseconds: z.int(),
});
export type MadeBackupJson = z.output<typeof madeBackup>;

const nameParams = z.object({ name: z.string() });

export const backupsApi = {
  'GET /api/burrow/backup/': { response: backupList },
  'POST /api/burrow/backup/': { response: madeBackup },
  'GET /api/burrow/backup/:name/': { params: nameParams, response: null },
  'POST /api/burrow/backup/:name/restore/': { params: nameParams, response: begunRestore },
  'DELETE /api/burrow/backup/:name/': { params: nameParams, response: null },
};
