import type { Feature } from '../../http/define-route.ts';
import { eventValueRoutes } from './event-values.routes.ts';

export function eventValuesFeature(needs: Parameters<typeof eventValueRoutes>[0]): Feature {
  return { name: 'event-values', routes: eventValueRoutes(needs) };
}
