import type { Feature } from '../../http/define-route.ts';
import { healthRoutes } from './health.routes.ts';

export function healthFeature(needs: Parameters<typeof healthRoutes>[0]): Feature {
  return { name: 'health', publicRoutes: healthRoutes(needs) };
}
