import type { Feature } from '../../http/define-route.ts';
import { ingestionWarningRoutes } from './ingestion-warnings.routes.ts';

export type { IngestionWarnings } from './ingestion-warnings-thread.ts';
export type { WarningType } from './ingestion-warning.ts';

export function ingestionWarningsFeature(needs: Parameters<typeof ingestionWarningRoutes>[0]): Feature {
  return { name: 'ingestion-warnings', routes: ingestionWarningRoutes(needs) };
}
