import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import { remoteConfigRoutes } from './remote-config.routes.ts';

export type { RemoteConfig } from './remote-config.contract.ts';
export { remoteConfig, remoteConfigScript, SUPPORTED_COMPRESSION } from './remote-config.ts';

/** Remote configuration: what SDKs learn about a project when they start. */
export function createRemoteConfig(deps: { findProject: FindProject }): Feature {
  return { name: 'remote-config', publicRoutes: remoteConfigRoutes(deps.findProject) };
}
