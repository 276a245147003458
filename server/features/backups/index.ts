export { backupRoutes } from './backups.routes.ts';
export { createBackups } from './backups.service.ts';
