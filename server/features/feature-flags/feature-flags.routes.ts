import { fail } from '../../errors.ts';
import { answer, answerJson } from '../../http/answer.ts';
import {
  checkRestriction,
  checkScope,
  findCredential,
  getAuthenticated,
  getProject,
  type Authenticate,
  type ProjectLookup,
} from '../../http/auth.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import { entityTag, isNotModified } from '../../http/entity-tag.ts';
import { queryToken } from '../../http/project-of-query.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import type { FlagDefinitions } from './feature-flags.contract.ts';

export interface FeatureFlagsDeps {
  authenticate: Authenticate;
  projects: ProjectLookup;
  /** Whether a project is open to whoever asks (management contract 2.9). */
  mayEnter: (actor: Actor, projectId: number) => boolean;
}

const SCOPE = { scope: ['feature_flag:read'] } as const;
const NO_DEFINITIONS: FlagDefinitions = { flags: [], group_type_mapping: {}, cohorts: {} };

/**
 * Flag definitions for server SDKs that evaluate locally (ingestion contract 9). They need a personal key, yet belong to
 * the public surface: an SDK in a container asks under a host name that the management API does not answer to.
 */
export function featureFlagsRoutes(deps: FeatureFlagsDeps): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: [
        '/flags/definitions',
        '/api/feature_flag/local_evaluation',
        '/api/projects/:project_id/feature_flags/local_evaluation',
        '/api/environments/:project_id/feature_flags/local_evaluation',
      ],
      preflight: 'empty',
      summary: 'Flag definitions of a project, for SDKs that evaluate flags themselves.',
      handle(request) {
        findProject(request, deps);
        answerCached(request, NO_DEFINITIONS);
      },
    },
    {
      methods: ['GET', 'HEAD'],
      paths: [
        '/api/projects/:project_id/feature_flags/:key/remote_config',
        '/api/environments/:project_id/feature_flags/:key/remote_config',
      ],
      preflight: 'empty',
      summary: 'The payload of a remote-config flag (ingestion contract 9.6). No project has flags yet.',
      handle(request) {
        findProject(request, deps);
        throw fail('not_found', { detail: 'This project has no flag of that key.' });
      },
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/feature_flag'],
      preflight: 'empty',
      summary: 'Flags of a project as posthog-node 1 reads them.',
      handle(request) {
        findProject(request, deps);
        answerJson(request.req, request.res, 200, { count: 0, next: null, previous: null, results: [] });
      },
    },
  ];
}

/**
 * Credential, project, restriction, scope, access, in the order of management contract 2.5. The console's cookie does not count:
 * pages of any origin may read this surface, and a browser would send it along.
 */
function findProject(
  request: PublicRequest,
  { authenticate, projects, mayEnter }: FeatureFlagsDeps,
): ProjectRef {
  const credential = findCredential(request.req, new URLSearchParams(request.search), undefined);
  const { actor } = getAuthenticated(credential?.kind === 'key' ? credential : null, authenticate);
  const id = request.params['project_id'] ?? '@current';
  const project = getProject(id, queryToken(request.search), actor, projects);
  checkRestriction({}, actor, project, undefined);
  checkScope(SCOPE, actor);
  if (!mayEnter(actor, project.id)) throw fail('no_project_access');
  return project;
}

/** SDKs poll: an unchanged answer is 304 without a body (9.3). */
function answerCached({ req, res }: PublicRequest, body: FlagDefinitions): void {
  const text = JSON.stringify(body);
  const etag = `W/${entityTag(text)}`;
  const headers = { ETag: etag, 'Cache-Control': 'private, must-revalidate' };
  if (isNotModified(req.headers['if-none-match'], etag)) answer(req, res, 304, '', headers);
  else answerJson(req, res, 200, text, headers);
}
