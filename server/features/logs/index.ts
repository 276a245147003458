import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import { logsRoutes } from './logs.routes.ts';

/** Logs of SDKs: answered, not kept. */
export function createLogs(deps: { findProject: FindProject; maxBodyBytes: number }): Feature {
  return { name: 'logs', publicRoutes: logsRoutes(deps.findProject, deps.maxBodyBytes) };
}
