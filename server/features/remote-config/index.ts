import type { Feature } from '../../http/define-route.ts';
import { remoteConfigRoutes, type RemoteConfigDeps } from './remote-config.routes.ts';

export type { RemoteConfig } from './remote-config.contract.ts';
export {
  createRemoteConfigs,
  remoteConfigScript,
  SUPPORTED_COMPRESSION,
  type RemoteConfigs,
} from './remote-config.ts';

/** Remote configuration: what SDKs learn about a project when they start. */
export function createRemoteConfig(deps: RemoteConfigDeps): Feature {
  return { name: 'remote-config', publicRoutes: remoteConfigRoutes(deps) };
}
