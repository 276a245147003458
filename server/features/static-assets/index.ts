import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import type { RemoteConfigFeature } from '../remote-config/index.ts';
import { openAssetFolder } from './asset-folder.ts';
import { staticAssetsRoutes } from './static-assets.routes.ts';

/** Static assets: `staticDir` holds the bundles that `bundles.json` names, copied there by the build. */
export function staticAssetsFeature(needs: {
  staticDir: string;
  projects: { findByToken: FindProject };
  remoteConfig: Pick<RemoteConfigFeature, 'configs'>;
}): Feature {
  return {
    name: 'static-assets',
    publicRoutes: staticAssetsRoutes(openAssetFolder(needs.staticDir), {
      findProject: needs.projects.findByToken,
      remoteConfigs: needs.remoteConfig.configs,
    }),
  };
}
