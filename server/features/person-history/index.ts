import type { Feature } from '../../http/define-route.ts';
import { personHistoryRoutes } from './person-history.routes.ts';

export function personHistoryFeature(needs: Parameters<typeof personHistoryRoutes>[0]): Feature {
  return { name: 'person-history', routes: personHistoryRoutes(needs) };
}
