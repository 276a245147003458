import type { Feature } from '../../http/define-route.ts';
import { noticeRoutes } from './notices.routes.ts';

export function noticesFeature(needs: Parameters<typeof noticeRoutes>[0]): Feature {
  return { name: 'notices', routes: noticeRoutes(needs) };
}
