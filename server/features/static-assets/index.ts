import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import type { RemoteConfigs } from '../remote-config/index.ts';
import { openAssetFolder } from './asset-folder.ts';
import { staticAssetsRoutes } from './static-assets.routes.ts';

/** Static assets: `staticDir` holds the bundles that `bundles.json` names, copied there by the build. */
export function createStaticAssets(deps: {
  staticDir: string;
  findProject: FindProject;
  remoteConfigs: Pick<RemoteConfigs, 'of'>;
}): Feature {
  return {
    name: 'static-assets',
    publicRoutes: staticAssetsRoutes(openAssetFolder(deps.staticDir), deps),
  };
}
