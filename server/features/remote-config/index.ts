import type { Feature } from '../../http/define-route.ts';
import type { Projects } from '../projects/index.ts';
import { remoteConfigRoutes } from './remote-config.routes.ts';
import { createRemoteConfigs, type RemoteConfigs, type SurveysOf } from './remote-config.ts';

export type { RemoteConfig } from './remote-config.contract.ts';
export {
  createRemoteConfigs,
  remoteConfigScript,
  SUPPORTED_COMPRESSION,
  type RemoteConfigs,
} from './remote-config.ts';

export interface RemoteConfigFeature extends Feature {
  readonly configs: RemoteConfigs;
  /** Sets where the surveys of a configuration come from; without it there are none. */
  showSurveys(surveysOf: SurveysOf): void;
}

/** Remote configuration: what SDKs learn about a project when they start. */
export function remoteConfigFeature({ projects }: { projects: Projects }): RemoteConfigFeature {
  const none: readonly object[] = [];
  let surveysOf: SurveysOf = () => none;
  const configs = createRemoteConfigs(
    (projectId) => surveysOf(projectId),
    (projectId) => projects.find(projectId)?.settings ?? NO_SETTINGS,
  );
  return {
    name: 'remote-config',
    configs,
    showSurveys: (source) => void (surveysOf = source),
    publicRoutes: remoteConfigRoutes({ findProject: projects.findByToken, remoteConfigs: configs }),
  };
}

const NO_SETTINGS = {};
