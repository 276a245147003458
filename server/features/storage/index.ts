import type { Feature } from '../../http/define-route.ts';
import { storageRoutes } from './storage.routes.ts';

export function storageFeature(needs: Parameters<typeof storageRoutes>[0]): Feature {
  return { name: 'storage', routes: storageRoutes(needs) };
}
