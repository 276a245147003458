import type { Feature } from '../../http/define-route.ts';
import { sessionRoutes } from './sessions.routes.ts';

export function sessionsFeature(needs: Parameters<typeof sessionRoutes>[0]): Feature {
  return { name: 'sessions', routes: sessionRoutes(needs) };
}
