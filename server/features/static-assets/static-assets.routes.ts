import { fail } from '../../errors.ts';
import { send } from '../../http/send.ts';
import { entityTag, isNotModified } from '../../http/entity-tag.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import { remoteConfigScript, type RemoteConfigs } from '../remote-config/index.ts';
import type { Asset, AssetFolder } from './asset-folder.ts';

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  // A new release brings new bundles under the same names; a revalidation costs one short response of a local server.
  'Cache-Control': 'public, max-age=0, must-revalidate',
  // Pages under cross-origin isolation load a script only when it says that they may.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** posthog-js' bundles, as pages load them by script tag (ingestion contract 10.4). */
export function staticAssetsRoutes(
  folder: AssetFolder,
  { findProject, remoteConfigs }: { findProject: FindProject; remoteConfigs: Pick<RemoteConfigs, 'of'> },
): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      // The version in the path is the page's; the answer is the bundled one, as with `?v=` on the hosted service.
      paths: ['/static/:file', '/static/:version/:file'],
      preflight: 'empty',
      summary: 'posthog-js and the extensions it loads.',
      async handle(request) {
        answerScript(request, await assetOf(folder, request.params['file'] ?? ''));
      },
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/array/:token/array.js'],
      preflight: 'empty',
      summary: 'posthog-js with the remote configuration of a project in front.',
      async handle(request) {
        const project = findProject(request.params['token'] ?? '');
        if (project === null) throw fail('project_not_found');
        const config = Buffer.from(remoteConfigScript(remoteConfigs.of(project)));
        const bytes = Buffer.concat([config, (await assetOf(folder, 'array.js')).bytes]);
        answerScript(request, { bytes, etag: entityTag(bytes) });
      },
    },
  ];
}

async function assetOf(folder: AssetFolder, name: string): Promise<Asset> {
  const asset = await folder.find(name);
  if (asset === null) throw fail('not_found');
  return asset;
}

function answerScript({ req, res }: PublicRequest, { bytes, etag }: Asset): void {
  const headers = { ...HEADERS, ETag: etag };
  if (isNotModified(req.headers['if-none-match'], etag)) send(req, res, 304, '', headers);
  else send(req, res, 200, bytes, headers);
}
