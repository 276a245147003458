import type { Request, Response } from 'express';
import type { ServerResponse } from 'node:http';
import { fail } from '../errors.ts';
import {
  checkRestriction,
  checkScope,
  findCredential,
  getAuthenticated,
  getProject,
  type Authenticate,
  type ProjectLookup,
} from './auth.ts';
import {
  Reply,
  successStatusOf,
  type Actor,
  type Format,
  type ManagementRoute,
  type ProjectRef,
} from './define-route.ts';
import { sendJson } from './error-handler.ts';
import { clientAbortSignal } from './client-abort-signal.ts';
import { readManagementBody, type ManagementBody } from './management-body.ts';
import { EVENT_READS, GENERAL, type RateLimiter } from './rate-limit.ts';
import { portOf, sessionCookie } from './session.ts';
import { readWithShareToken, type ReadShared } from './share-access.ts';
import { allowSlowUpload } from './slow-upload.ts';
import { validate, validateForm } from './validation.ts';

export interface RouteDependencies {
  authenticate: Authenticate;
  projects: ProjectLookup;
  /** Whether the actor may enter the project and do there what the route does. Throws 403 (management contract 2.5). */
  checkAccess: (actor: Actor, project: ProjectRef, route: ManagementRoute) => void;
  /** Reads with the token of a shared link instead of an API key. */
  answerShared: ReadShared;
  /** null: no limits. */
  rateLimiter: RateLimiter | null;
  /** Called with the route of a request before it is handled. */
  onRoute?: OnRoute | undefined;
}

export type OnRoute = (route: ManagementRoute, res: ServerResponse) => void;

/**
 * Answers one request by its row of the route table: the checks in the order of management contract 2.5, then the
 * route's own handler. Throws the first refusal; the error handler renders it.
 */
export async function handleRoute(
  route: ManagementRoute,
  req: Request,
  res: Response,
  dependencies: RouteDependencies,
): Promise<void> {
  dependencies.onRoute?.(route, res);
  if (route.atOnce !== undefined) return send(req, res, route.atOnce);
  const url = res.locals['url'] as URL;
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD' && route.receives === undefined;
  // Read before anything else, because it may contain the credential.
  const body: ManagementBody = hasBody ? await readManagementBody(req, res) : { value: {} };
  const signal = clientAbortSignal(req, res);
  const requested = { req, url, sent: body.value, signal };
  const shared = await readWithShareToken(route, requested, dependencies.answerShared);
  if (shared !== null) return send(req, res, Reply.json(200, shared.body));
  const { actor, project } = checkCaller(route, req, res, body, dependencies);
  if (route.receives !== undefined) allowSlowUpload(req);
  const context = {
    params: paramsOf(route, req),
    sent: body.value,
    query: undefined as unknown,
    body: undefined as unknown,
    found: undefined as unknown,
    format: formatOf(route, req, url),
    url,
    req,
    res,
    signal,
    get actor(): Actor {
      return actor ?? missing('actor', route);
    },
    get project(): ProjectRef {
      return project ?? missing('project', route);
    },
  };
  context.found = await route.lookup?.(context as never);
  if (route.query !== undefined) context.query = validate(route.query, Object.fromEntries(url.searchParams));
  if (body.problem !== undefined) throw body.problem;
  if (route.body !== undefined) {
    if (route.jsonOnly && !isJson(req)) throw fail('unsupported_media_type');
    context.body = (isJson(req) ? validate : validateForm)(route.body, body.value);
  }
  const answer = await route.handle(context as never);
  await send(req, res, answer instanceof Reply ? answer : Reply.json(successStatusOf(route), answer));
}

/** Credential, project, the key's restrictions, scope, access, rate. */
function checkCaller(
  route: ManagementRoute,
  req: Request,
  res: Response,
  body: ManagementBody,
  { authenticate, projects, checkAccess, rateLimiter }: RouteDependencies,
): { actor: Actor | null; project: ProjectRef | null } {
  if (route.auth === 'none') return { actor: null, project: null };
  const url = res.locals['url'] as URL;
  const credential = findCredential(req, url.searchParams, body.value);
  const { actor, isRenewed } = getAuthenticated(credential, authenticate);
  if (isRenewed && credential?.kind === 'session') {
    res.setHeader('Set-Cookie', sessionCookie(portOf(req), credential.id, url.protocol === 'https:'));
  }
  const projectId = req.params['project_id'];
  const token = url.searchParams.get('token');
  const project = typeof projectId === 'string' ? getProject(projectId, token, actor, projects) : null;
  const organizationId = req.params['organization_id'];
  checkRestriction(route, actor, project, typeof organizationId === 'string' ? organizationId : undefined);
  checkScope(route, actor);
  if (project !== null) checkAccess(actor, project, route);
  if (rateLimiter !== null && actor.keyId !== null) {
    const wait = rateLimiter.take(actor.keyId, readsEvents(route) ? EVENT_READS : GENERAL);
    if (wait !== null) throw fail('throttled', { headers: { 'Retry-After': String(wait) } });
  }
  return { actor, project };
}

/** Events, persons and insights have lower limits than the rest (management contract 2.8). */
function readsEvents({ scope }: ManagementRoute): boolean {
  return (['query:read', 'person:read', 'insight:read'] as const).some((one) => scope.includes(one));
}

/** What does not fit a path's parameters names nothing: 404, not 400. */
function paramsOf(route: ManagementRoute, req: Request): unknown {
  if (route.params === undefined) return undefined;
  const parsed = route.params.safeParse(req.params);
  if (!parsed.success) throw fail('not_found');
  return parsed.data;
}

function formatOf(route: ManagementRoute, req: Request, url: URL): Format {
  const formats = route.formats ?? ['json'];
  const requested = url.searchParams.get('format');
  if (requested) {
    const format = formats.find((name) => name === requested);
    if (format === undefined) throw fail('unknown_format');
    return format;
  }
  const acceptsCsv = formats.includes('csv') && req.accepts(['application/json', 'text/csv']) === 'text/csv';
  return acceptsCsv ? 'csv' : 'json';
}

function isJson({ headers }: Request): boolean {
  const type = headers['content-type'];
  return type === undefined || /^\s*application\/json\s*(;|$)/i.test(type);
}

async function send(req: Request, res: Response, reply: Reply): Promise<void> {
  if (res.destroyed) return;
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value);
  if (reply.stream !== null) {
    res.writeHead(reply.status);
    if (req.method === 'HEAD') return void res.end();
    return reply.stream(res);
  }
  if (reply.body !== undefined) return sendJson(res, reply.status, reply.body);
  if (reply.status !== 204) res.setHeader('Content-Length', 0);
  res.writeHead(reply.status).end();
}

function missing(what: string, route: ManagementRoute): never {
  throw new Error(`${route.method} ${route.path} has no ${what}: see its path and its auth.`);
}
