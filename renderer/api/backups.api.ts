import type {
  BackupJson,
  BackupListJson,
  BegunRestoreJson,
  MadeBackupJson,
} from '../../server/features/backups/backups.contract.ts';
import { request } from './http.ts';

export type Backup = BackupJson;
export type BackupList = BackupListJson;
export type MadeBackup = MadeBackupJson;

const PATH = '/api/burrow/backup/';

/** The backups in the data folder, newest first. */
export function listBackups(): Promise<BackupList> {
  return request<BackupList>(PATH);
}

/** Makes a backup of everything and checks it; a large database takes minutes. */
export function makeBackup(): Promise<MadeBackup> {
  return request<MadeBackup>(PATH, { method: 'POST' });
}

/** Restarts the server with a backup as its database; the token signs the owner in afterwards. */
export function restoreBackup(name: string): Promise<BegunRestoreJson> {
  return request<BegunRestoreJson>(`${addressOfBackup(name)}restore/`, { method: 'POST' });
}

/** Deletes a backup, without a way back. */
export function deleteBackup(name: string): Promise<void> {
  return request<void>(addressOfBackup(name), { method: 'DELETE' });
}

/** Where the browser takes the file from. */
export function addressOfBackup(name: string): string {
  return `${PATH}${encodeURIComponent(name)}/`;
}
