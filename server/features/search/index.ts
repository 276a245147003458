import type { Feature } from '../../http/define-route.ts';
import { searchRoutes } from './search.routes.ts';

export function searchFeature(needs: Parameters<typeof searchRoutes>[0]): Feature {
  return { name: 'search', routes: searchRoutes(needs) };
}
