import type { IncomingMessage } from 'node:http';
import { fail } from '../errors.ts';
import type { Actor, ManagementRoute, ProjectRef } from './define-route.ts';
import { portOf, readCookie, sessionCookieName } from './session.ts';
import { hasScope } from './scopes.ts';

/** The credential of a request. */
export type Credential = { kind: 'key'; key: string } | { kind: 'session'; id: string };

export interface Authenticated {
  actor: Actor;
  /** The session was extended: its cookie must be sent again. */
  isRenewed: boolean;
}

/** The owner of a credential, or null when it is not valid here. */
export type Authenticate = (credential: Credential) => Authenticated | null;

/** Resolves paths and project tokens to projects. */
export interface ProjectLookup {
  find(id: number): ProjectRef | null;
  findByToken(token: string): ProjectRef | null;
}

/**
 * The credential of a request: the first found of Bearer header, body field and query parameter `personal_api_key`
 * (management contract 2.2), then the console's cookie. Only the first one is tried.
 */
export function findCredential(
  req: IncomingMessage,
  query: URLSearchParams,
  body: unknown,
): Credential | null {
  const [, bearer] = /^Bearer\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '') ?? [];
  const inBody = isRecord(body) ? body['personal_api_key'] : undefined;
  const key =
    bearer ?? (typeof inBody === 'string' && inBody !== '' ? inBody : query.get('personal_api_key'));
  if (key) return { kind: 'key', key };
  const id = sessionIdOf(req);
  return id === null ? null : { kind: 'session', id };
}

/** The secret in the console's cookie of this server, or null. */
export function sessionIdOf(req: IncomingMessage): string | null {
  return readCookie(req.headers.cookie, sessionCookieName(portOf(req))) || null;
}

/** The authenticated caller. Throws 401 without a valid credential. */
export function getAuthenticated(credential: Credential | null, authenticate: Authenticate): Authenticated {
  if (credential === null) throw fail('not_authenticated', { headers: CHALLENGE });
  const authenticated = authenticate(credential);
  if (authenticated !== null) return authenticated;
  throw fail('authentication_failed', { detail: refusalOf(credential), headers: CHALLENGE });
}

/** How to authenticate. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

function refusalOf(credential: Credential): string {
  if (credential.kind === 'session') return 'Your session has ended. Sign in again.';
  if (credential.key.startsWith('phc_'))
    return 'This is a project API key. The management API requires a personal API key.';
  if (credential.key.startsWith('phs_'))
    return 'This is a project secret API key. It can only read flag definitions and remote config.';
  return 'This personal API key is not valid.';
}

/**
 * The project of a `P/…` path: an id, or `@current`. A project token in the query overrides the path; an empty one counts
 * as absent (management contract 2.1). Throws project_not_found, or authentication_failed for an unknown token.
 */
export function getProject(
  id: string,
  token: string | null,
  actor: Pick<Actor, 'currentProjectId'>,
  projects: ProjectLookup,
): ProjectRef {
  if (token) {
    const project = projects.findByToken(token);
    if (project !== null) return project;
    throw fail('authentication_failed', {
      detail: 'This project API key is not valid.',
      headers: CHALLENGE,
    });
  }
  const project = id === '@current' ? projects.find(actor.currentProjectId) : findById(id, projects);
  if (project === null) throw fail('project_not_found');
  return project;
}

function findById(id: string, projects: ProjectLookup): ProjectRef | null {
  return /^\d{1,9}$/.test(id) ? projects.find(Number(id)) : null;
}

/** Whether a key restricted to projects or organizations may be used here (management contract 2.3). Throws 403. */
export function checkRestriction(
  route: Pick<ManagementRoute, 'unrestricted'>,
  actor: Actor,
  project: ProjectRef | null,
  organizationId: string | undefined,
): void {
  if (route.unrestricted) return;
  if (actor.scopedProjects.length > 0 && !actor.scopedProjects.includes(project?.id ?? Number.NaN)) {
    throw fail('key_excludes_project');
  }
  if (actor.scopedOrganizations.length === 0) return;
  const targetOrganization =
    project !== null || organizationId === '@current' ? actor.organizationId : organizationId;
  if (
    targetOrganization === undefined ||
    !actor.scopedOrganizations.includes(targetOrganization.toLowerCase())
  ) {
    throw fail('key_excludes_project', { detail: 'This key does not give access to this organization.' });
  }
}

/** Whether the actor has one of the scopes that the route needs, and all of `andScope`. Throws 403. */
export function checkScope(
  route: { scope: readonly string[]; andScope?: readonly string[] },
  actor: Actor,
): void {
  for (const needed of [route.scope, ...(route.andScope ?? []).map((scope) => [scope])]) {
    if (hasScope(actor.scopes, needed)) continue;
    throw fail('missing_scope', {
      detail: `This key is missing required scope '${needed.join("' or '")}'.`,
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
