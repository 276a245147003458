export type { IngestionWarnings } from './ingestion-warnings-thread.ts';
export { ingestionWarningRoutes } from './ingestion-warnings.routes.ts';
export type { IngestionWarning, Warn, WarningType } from './ingestion-warning.ts';
