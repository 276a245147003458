import type { Feature } from '../../http/define-route.ts';
import type { Door } from '../capture/index.ts';
import { logsRoutes } from './logs.routes.ts';

/** Logs of SDKs: answered, counted, not kept. */
export function logsFeature({ door }: { door: Door }): Feature {
  return { name: 'logs', publicRoutes: logsRoutes(door) };
}
