import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { send, sendPublicJson } from '../../http/send.ts';
import {
  checkRestriction,
  checkScope,
  findCredential,
  getAuthenticated,
  getProject,
  type Authenticate,
  CHALLENGE,
  type ProjectLookup,
} from '../../http/auth.ts';
import type { ProjectRef } from '../../http/define-route.ts';
import { isNotModified } from '../../http/entity-tag.ts';
import { queryToken } from '../../http/project-of-query.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import { queryValue } from '../../http/query-text.ts';
import type { Access } from '../access/index.ts';
import type { DefinitionTexts, HiddenFrom } from './definition-texts.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import type { Flag } from './flag-row.ts';
import { minimalFlagOf } from './minimal-flag.ts';
import { fail } from '../../errors.ts';

export interface FlagDefinitionDeps extends SecretLookup {
  flags: Pick<FeatureFlags, 'list' | 'find' | 'findByKey'>;
  definitions: DefinitionTexts;
  authenticate: Authenticate;
  /** The rules of the management routes. */
  access: Pick<Access, 'checkRoute' | 'levelOf'>;
}

/** A project whose flags are read, and what is hidden from the reader. */
interface FlagReader extends HiddenFrom {
  readonly project: ProjectRef;
}

/** The row of the management routes that lists flags: definitions are read by the same rules. */
const READ_FLAGS = { scope: ['feature_flag:read'], path: 'P/feature_flags/local_evaluation/' } as const;

/**
 * Flag definitions for server SDKs that evaluate locally (ingestion contract 9). They need a key, yet belong to the
 * public surface: an SDK in a container uses a host name that the management API does not answer to.
 */
export function flagDefinitionRoutes(deps: FlagDefinitionDeps): PublicRoute[] {
  const { flags, definitions } = deps;
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
      summary: 'Flag definitions of a project, for SDKs with local evaluation.',
      async handle(request) {
        const reader = findReader(request, deps);
        const { req, res, search } = request;
        // Its presence counts, not its value (9.1).
        const sendCohorts = queryValue(search, 'send_cohorts') !== null;
        const { text, etag } = await definitions.read(reader.project, sendCohorts, reader);
        const headers = { ETag: etag, 'Cache-Control': 'private, must-revalidate' };
        // SDKs poll: an unchanged answer is 304 without a body (9.3).
        if (isNotModified(req.headers['if-none-match'], etag)) send(req, res, 304, '', headers);
        else sendPublicJson(req, res, 200, text, headers);
      },
    },
    {
      methods: ['GET', 'HEAD'],
      paths: [
        '/api/projects/:project_id/feature_flags/:key/remote_config',
        '/api/environments/:project_id/feature_flags/:key/remote_config',
      ],
      preflight: 'empty',
      summary: 'The payload of a remote config flag, by key or id, as JSON text.',
      handle(request) {
        const { req, res, params } = request;
        const { project, isHidden } = findReader(request, deps);
        const flag = findNamed(flags, project.id, params['key'] ?? '');
        if (flag === null || isHidden(flag) || !flag.isRemoteConfiguration) return send(req, res, 404, '');
        sendPublicJson(req, res, 200, JSON.stringify(remoteConfigOf(flag)));
      },
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/feature_flag'],
      preflight: 'empty',
      summary: 'Flags of a project as posthog-node 1 reads them.',
      handle(request) {
        const { project, isHidden } = findReader(request, deps);
        const seen = flags.list(project.id).filter((flag) => !isHidden(flag));
        const results = seen.map(oldFlagOf);
        const page = { count: results.length, next: null, previous: null, results };
        sendPublicJson(request.req, request.res, 200, page);
      },
    },
  ];
}

/**
 * Credential, project, restriction, scope, access, in the order of management contract 2.5. The console's cookie does not count:
 * pages of any origin may read this surface, and a browser would send it along.
 */
function findReader(request: PublicRequest, deps: FlagDefinitionDeps): FlagReader {
  const { authenticate, projects, access } = deps;
  const credential = findCredential(request.req, new URLSearchParams(request.search), undefined);
  const id = request.params['project_id'] ?? '@current';
  const token = queryToken(request.search);
  if (credential?.kind === 'key' && credential.key.startsWith(SECRET_PREFIX))
    return {
      project: projectOfSecret(credential.key, { id, token }, deps),
      isHidden: () => false,
      isCohortHidden: () => false,
    };
  const { actor } = getAuthenticated(credential?.kind === 'key' ? credential : null, authenticate);
  const project = getProject(id, token, actor, projects);
  checkRestriction({}, actor, project, undefined);
  checkScope(READ_FLAGS, actor);
  access.checkRoute(actor, project, READ_FLAGS);
  return {
    project,
    isHidden: (flag) => access.levelOf(actor, project.id, 'feature_flag', flag) === 'none',
    isCohortHidden: ({ id: cohort }) =>
      access.levelOf(actor, project.id, 'cohort', { id: cohort, createdBy: null }) === 'none',
  };
}

/** Digits are an id, everything else is a key. */
function findNamed(flags: FlagDefinitionDeps['flags'], projectId: number, name: string): Flag | null {
  return /^\d+$/.test(name) ? flags.find(projectId, Number(name)) : flags.findByKey(projectId, name);
}

/** The payload as JSON text, which SDKs parse; null when there is none. */
function remoteConfigOf({ filters }: Flag): string | null {
  const payload = filters.payloads?.['true'] ?? null;
  return payload === null || typeof payload === 'string' ? payload : stringifyExactly(payload);
}

/** The fields that posthog-node 1 reads: it evaluates a simple flag itself, and requests any other from `/decide`. */
function oldFlagOf(flag: Flag) {
  const { groups, multivariate, holdout, holdout_groups, feature_enrollment, super_groups } = flag.filters;
  const [condition] = groups ?? [];
  const rollout = condition?.rollout_percentage ?? 100;
  const isSimple =
    groups?.length === 1 &&
    (condition?.properties ?? []).length === 0 &&
    (multivariate?.variants ?? []).length === 0 &&
    [flag.filters, condition].every((part) => (part?.aggregation_group_type_index ?? null) === null) &&
    ![holdout, feature_enrollment, holdout_groups?.length, super_groups?.length].some(Boolean) &&
    !flag.ensureExperienceContinuity &&
    flag.bucketingIdentifier !== 'device_id' &&
    // It takes 0 for "no rollout is set".
    rollout > 0;
  return {
    ...minimalFlagOf(flag),
    is_simple_flag: isSimple,
    rollout_percentage: rollout,
    rolloutPercentage: rollout,
  };
}

/** How project secret keys begin (management contract 2.2). */
const SECRET_PREFIX = 'phs_';

interface SecretLookup {
  /** The id of the project whose secret key this is, or null. */
  projectOfSecret: (secret: string) => number | null;
  projects: ProjectLookup;
}

/**
 * The project that a secret key speaks for, which is `@current` too. `id` and `token` may name it, as with a personal key.
 * Throws authentication_failed, and key_excludes_project when they name another.
 */
function projectOfSecret(
  secret: string,
  { id, token }: { id: string; token: string | null },
  { projectOfSecret: find, projects }: SecretLookup,
): ProjectRef {
  const ownId = find(secret);
  const own = ownId === null ? null : projects.find(ownId);
  if (own === null) {
    const detail = 'This project secret API key is not valid.';
    throw fail('authentication_failed', { detail, headers: CHALLENGE });
  }
  if (getProject(id, token, { currentProjectId: own.id }, projects).id !== own.id)
    throw fail('key_excludes_project');
  return own;
}
