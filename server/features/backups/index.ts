import { join } from 'node:path';
import type { Feature } from '../../http/define-route.ts';
import { backupRoutes } from './backups.routes.ts';
import { createBackups, type BackupParts } from './backups.service.ts';

export { createBackupFiles } from './backup-files.ts';
export { type LastRestore, type Restores } from './backups.service.ts';

export function backupsFeature(
  needs: Omit<BackupParts, 'folder'> & { config: { ephemeral: boolean; dataDir: string } },
): Feature {
  const { ephemeral, dataDir } = needs.config;
  const folder = ephemeral ? null : join(dataDir, 'backups');
  return { name: 'backups', routes: backupRoutes(createBackups({ ...needs, folder })) };
}
