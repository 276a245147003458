import type { Feature } from '../../http/define-route.ts';
import { retentionRoutes } from './retention.routes.ts';
import { createRetention } from './retention.service.ts';

export function retentionFeature(needs: Parameters<typeof createRetention>[0]): Feature {
  return { name: 'retention', routes: retentionRoutes(createRetention(needs)) };
}
