import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodType, output } from 'zod';
import type { ErrorName } from '../errors.ts';
import type { Resource } from './define-resource.ts';
import type { PublicRoute } from './public-route.ts';
import type { Method, RouteSchema, RouteSchemas } from './routes.contract.ts';

/** `<object>:<read|write>`; `*` on a key grants everything, `x:write` satisfies `x:read` (management contract 2.3). */
export type Scope = `${string}:${'read' | 'write'}` | '*';

/**
 * The scopes of a route, any one of which its key needs. The route belongs to the resource of the first, whose rules
 * `Access.checkRoute` applies, or says by `noResource` why it belongs to none.
 */
export type RouteScope = readonly [Exclude<Scope, '*'>, ...Scope[]] | NoResourceScope;

type NoResourceScope = readonly Scope[] & { readonly noResource: string };

/** The scope of a route that belongs to no resource; `['*']`: it needs a full key. */
export function noResource(reason: string, scope: readonly '*'[] = []): NoResourceScope {
  return Object.assign([...scope], { noResource: reason });
}

/** 1 member, 8 admin, 15 owner (management contract 2.9). */
export type OrganizationLevel = 1 | 8 | 15;

/** The caller: a user of this machine, by personal API key or console session. */
export interface Actor {
  readonly user: { id: number; uuid: string; email: string; firstName: string; distinctId: string };
  readonly organizationId: string;
  readonly organizationLevel: OrganizationLevel;
  /** Of `organization_members`. */
  readonly membershipId: string;
  /** Scopes of the key; a console session has `['*']`. */
  readonly scopes: readonly string[];
  /** Project ids to which the key is restricted; empty: all. */
  readonly scopedProjects: readonly number[];
  readonly scopedOrganizations: readonly string[];
  /** The personal key used, or null for a session. */
  readonly keyId: string | null;
  readonly currentProjectId: number;
  /** The maker of a shared link, on whose behalf it is read. */
  readonly isLink?: true;
}

export interface ProjectRef {
  readonly id: number;
  readonly name: string;
  readonly apiToken: string;
  readonly timezone: string;
}

/** Context before the body is validated. */
export interface LookupContext<P> {
  readonly params: P;
  /** The caller; reading it on a route with `auth: 'none'` throws. */
  readonly actor: Actor;
  /** The project of a `P/…` path; reading it elsewhere throws. */
  readonly project: ProjectRef;
  /** The body as it was sent, unchecked; undefined when it cannot be read. */
  readonly sent: unknown;
  /** The request's absolute URL, for `next` and `previous`. */
  readonly url: URL;
}

export interface RouteContext<P, Q, B, F = undefined> extends LookupContext<P> {
  readonly query: Q;
  readonly body: B;
  /** What the route's `lookup` found. */
  readonly found: F;
  /** The requested media type (`?format=` or Accept), one of the route's `formats`. */
  readonly format: Format;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** A response other than 200 with JSON. `stream` takes over the response (server-sent events, CSV). */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: ((res: ServerResponse) => Promise<void> | void) | null;

  constructor(
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    stream: ((res: ServerResponse) => Promise<void> | void) | null = null,
  ) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.stream = stream;
  }

  static json(status: number, body: unknown, headers?: Record<string, string>): Reply {
    return new Reply(status, body, headers);
  }
  static empty(status: number, headers?: Record<string, string>): Reply {
    return new Reply(status, undefined, headers);
  }
  static stream(
    headers: Record<string, string>,
    write: (res: ServerResponse) => Promise<void> | void,
  ): Reply {
    return new Reply(200, undefined, headers, write);
  }
}

export type Format = 'json' | 'csv';

export type { Method };

/** One row of the management route table. */
export interface ManagementRoute {
  method: Method;
  /**
   * `P/…` is short for both `/api/projects/:project_id/…` and `/api/environments/:project_id/…`; always written with
   * a trailing slash.
   */
  path: string;
  /** `key`: personal key or console session; `none`: any request that passes the Host and Origin checks. */
  auth: 'key' | 'none';
  /** The key needs one of these. Required by type, so that no route forgets it. */
  scope: RouteScope;
  /** The key needs each of these too: what the answer shows, or the request uses, beside the resource of `scope`. */
  andScope?: readonly Scope[];
  /**
   * The resource of the object that the path names by its id, when the lookup checks the rules for that object: its creator
   * and rules of its own may allow more than the rule for the whole resource. Without it, the rule for the resource decides.
   */
  pathObject?: string;
  summary: string;
  /** Answers keys that are restricted to projects or organizations too, although the path names none. */
  unrestricted?: boolean;
  /** Allowed values of `?format=`; only JSON when absent. */
  formats?: readonly Format[];
  params?: ZodType;
  query?: ZodType;
  body?: ZodType;
  /** Forms are refused with 415 (management contract 2.1: insights, persons and queries). */
  jsonOnly?: boolean;
  /** Schema of the 2xx body; null when there is none or it is a stream. */
  response: ZodType | null;
  /** Status of success where it is not 200. */
  status?: number;
  /** Further statuses that come with the body of `response`. */
  otherStatuses?: readonly number[];
  /** Errors of this route beyond the common ones, for the API reference. */
  errors?: readonly ErrorName[];
  /** Media type of a response that streams until the client disconnects. */
  streams?: 'text/event-stream';
  /** Media types of an answer that is a file. */
  files?: readonly string[];
  /** Media type of a body that `handle` reads from `req` as it arrives; its caller signs in by a header. */
  receives?: string;
  /** For old clients; marked as deprecated in the API reference. */
  deprecated?: true;
  /** Answered to every caller, before any check and whatever the request holds. */
  atOnce?: Reply;
  /**
   * Finds the object of the path, or throws `not_found` or a refusal; runs before query and body are validated, so that
   * an unknown object is a 404 whatever was sent (management contract 2.5).
   */
  lookup?: (context: LookupContext<never>) => unknown;
  handle: (context: RouteContext<never, never, never, never>) => unknown;
}

type Parsed<S> = S extends ZodType ? output<S> : undefined;

/** Declares a management route; params, query and body reach `handle` parsed and typed by their schemas. */
export function defineRoute<
  P extends ZodType | undefined = undefined,
  Q extends ZodType | undefined = undefined,
  B extends ZodType | undefined = undefined,
  F = undefined,
>(route: {
  method: Method;
  path: string;
  auth: 'key' | 'none';
  scope: RouteScope;
  andScope?: readonly Scope[];
  pathObject?: string;
  summary: string;
  unrestricted?: boolean;
  formats?: readonly Format[];
  params?: P;
  query?: Q;
  body?: B;
  jsonOnly?: boolean;
  response: ZodType | null;
  status?: number;
  otherStatuses?: readonly number[];
  errors?: readonly ErrorName[];
  streams?: 'text/event-stream';
  files?: readonly string[];
  receives?: string;
  deprecated?: true;
  lookup?: (context: LookupContext<Parsed<P>>) => F | Promise<F>;
  handle: (context: RouteContext<Parsed<P>, Parsed<Q>, Parsed<B>, F>) => unknown;
}): ManagementRoute {
  return route as unknown as ManagementRoute;
}

type Has<S, Part extends string> =
  S extends Readonly<Record<Part, infer Schema extends ZodType>> ? Schema : undefined;

/** Everything of a route but what its feature's contract says of it. */
type RouteRest<S, F> = Omit<
  Parameters<typeof defineRoute<Has<S, 'params'>, Has<S, 'query'>, Has<S, 'body'>, F>>[0],
  Wire
> & { [Part in Wire]?: never };
type Wire = 'method' | 'path' | keyof RouteSchema;

/** Declares routes whose method, path and schemas are in the contract of their feature. */
export function routesOf<Schemas extends RouteSchemas>(schemas: Schemas) {
  return <Key extends keyof Schemas & `${Method} ${string}`, F = undefined>(
    key: Key,
    route: RouteRest<Schemas[Key], F>,
  ): ManagementRoute => {
    const [method, path] = key.split(' ') as [Method, string];
    return { method, path, ...schemas[key]!, ...route } as unknown as ManagementRoute;
  };
}

/**
 * The status of a route's success, or of its immediate refusal (`atOnce`): 204 for a DELETE without a response body,
 * else 200.
 */
export function successStatusOf({ status, method, response, atOnce }: ManagementRoute): number {
  return atOnce?.status ?? status ?? (method === 'DELETE' && response === null ? 204 : 200);
}

/** What a feature registers in `features.ts`: its routes its resources, and how it shuts down. */
export interface Feature {
  /** The folder's name. */
  name: string;
  /** The kinds of objects that it stores. */
  resources?: readonly Resource[];
  publicRoutes?: readonly PublicRoute[];
  routes?: readonly ManagementRoute[];
  /** Why the API reference leaves its routes out. */
  unlisted?: string;
  close?: () => Promise<void> | void;
}
