export { backupRoutes } from './backups.routes.ts';
export { createBackups, type LastRestore, type Restores } from './backups.service.ts';
