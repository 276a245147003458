import type { Feature } from '../../http/define-route.ts';
import { tagRoutes } from './tags.routes.ts';

export function tagsFeature(needs: Parameters<typeof tagRoutes>[0]): Feature {
  return { name: 'tags', routes: tagRoutes(needs) };
}
