import { fail } from '../../errors.ts';
import { send, sendPublicJson } from '../../http/send.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import type { RemoteConfig } from './remote-config.contract.ts';
import { remoteConfigScript, type RemoteConfigs } from './remote-config.ts';

export interface RemoteConfigDeps {
  findProject: FindProject;
  remoteConfigs: Pick<RemoteConfigs, 'of'>;
}

/** Fetched again on every page load: a changed setting applies immediately, and the server is local. */
const CACHE = { 'Cache-Control': 'no-cache' };

/** `/array/<token>/config` as JSON and as script (ingestion contract 10.1); 404 for an unknown token. */
export function remoteConfigRoutes({ findProject, remoteConfigs }: RemoteConfigDeps): PublicRoute[] {
  function configOf({ params }: PublicRequest): RemoteConfig {
    const project = findProject(params['token'] ?? '');
    if (project === null) throw fail('project_not_found');
    return remoteConfigs.of(project);
  }

  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/array/:token/config'],
      preflight: 'empty',
      summary: 'Remote configuration of a project, for SDKs.',
      handle: (request) => sendPublicJson(request.req, request.res, 200, configOf(request), CACHE),
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/array/:token/config.js'],
      preflight: 'empty',
      summary: 'Remote configuration of a project as a script that posthog-js loads.',
      handle(request) {
        const script = remoteConfigScript(configOf(request));
        send(request.req, request.res, 200, script, {
          'Content-Type': 'text/javascript; charset=utf-8',
          ...CACHE,
        });
      },
    },
  ];
}
