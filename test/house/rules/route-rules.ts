import { z } from 'zod';
import { noResource, type Feature, type ManagementRoute } from '../../../server/http/define-route.ts';
import type { PublicRoute } from '../../../server/http/public-route.ts';

/** A rule over the two route tables, with features that break it in exactly one place. */
export interface RouteRule {
  readonly sentence: string;
  /** What is wrong, each with what to do. */
  readonly check: (features: readonly Feature[]) => string[];
  readonly broken: readonly [Feature, ...Feature[]];
}

/** Any valid key may ask who it is itself, and end its own session. */
const ANY_KEY = new Set([
  '/api/personal_api_keys/@current/',
  '/api/burrow/session/',
  // Its tools call the API with the key of the request, which is checked there (decision 119).
  '/mcp/',
]);
/** One signs in and out without a key. */
const NO_KEY = new Set(['/api/burrow/session/']);

/** A caller who may query may cancel: no stored data changes (management contract 9.9). */
const CANCELS = new Set(['P/query/:id/']);

/** Statuses that may have no body: accepted, done, refused immediately. */
const EMPTY = new Set([202, 204, 405]);
/** Clients of PostHog expect 201 and nothing with it (management contract 9.6). */
const CREATES_NOTHING_TO_SHOW = new Set(['P/insights/:id/viewed/']);

/** A route that breaks no rule, for the examples. */
export const anyRoute: ManagementRoute = {
  method: 'GET',
  path: 'P/things/',
  auth: 'key',
  scope: ['thing:read'],
  summary: 'Lists things.',
  response: z.array(z.string()),
  handle: () => [],
};

export const anyPublicRoute: PublicRoute = {
  methods: ['POST'],
  paths: ['/things'],
  preflight: 'empty',
  summary: 'Takes things.',
  handle: () => undefined,
};

function withRoute(change: Partial<ManagementRoute>): Feature {
  return { name: 'things', routes: [{ ...anyRoute, ...change }] };
}

function withPublicRoute(change: Partial<PublicRoute>): Feature {
  return { name: 'things', publicRoutes: [{ ...anyPublicRoute, ...change }] };
}

/** Finds fault with each management route: `judge` answers what is wrong with it, or null. */
function eachRoute(judge: (route: ManagementRoute) => string | null): RouteRule['check'] {
  return (features) =>
    features
      .flatMap(({ routes }) => routes ?? [])
      .flatMap((route) => {
        const fault = judge(route);
        return fault === null ? [] : [`${route.method} ${route.path}: ${fault}`];
      });
}

/** Assistants are configured with the first by convention; the others are of servers for tests only. */
const FREE_PATHS = /^\/(mcp|_test\/[a-z_]+)\/$/;

const paths: RouteRule = {
  sentence: 'a management path begins with P/ or /api/ and ends with a slash',
  check: eachRoute(({ path }) =>
    FREE_PATHS.test(path) || /^(P|\/api(\/(@?[a-z_]+|:[a-z_]+))+)(\/(@?[a-z_]+|:[a-z_]+))*\/$/.test(path)
      ? null
      : 'Write the path in snake_case, from P/ or /api/ to a closing slash.',
  ),
  broken: [
    withRoute({ path: 'P/things' }),
    withRoute({ path: '/things/' }),
    withRoute({ path: '/api/myThings/' }),
  ],
};

const scopes: RouteRule = {
  sentence: 'every management route has its required scope, and one that changes data requires a write scope',
  check: eachRoute(({ path, method, auth, scope, atOnce }) => {
    if (atOnce !== undefined) return null;
    if (auth === 'none') return NO_KEY.has(path) ? null : 'Only signing in may go without a key.';
    if (scope.length === 0) return ANY_KEY.has(path) ? null : 'Name the scope that a key needs.';
    const isRead = method === 'GET' || (method === 'DELETE' && CANCELS.has(path));
    const wanted = isRead ? 'read' : method === 'POST' ? null : 'write';
    const fits = scope.every((one) => one === '*' || wanted === null || one.endsWith(`:${wanted}`));
    return fits ? null : `A ${method} needs a scope that ends with ':${wanted}'.`;
  }),
  broken: [
    withRoute({ auth: 'none' }),
    withRoute({ scope: noResource('An example.') }),
    withRoute({ scope: ['thing:write'] }),
    withRoute({ method: 'DELETE', response: null }),
  ],
};

const responses: RouteRule = {
  sentence: 'every management route with a response body has its schema',
  check: eachRoute(({ method, path, response, status, streams, files }) => {
    if (streams !== undefined) return response === null ? null : 'A stream has no schema: answer null.';
    if (files !== undefined) return response === null ? null : 'A file has no schema: answer null.';
    const saysSo =
      method === 'DELETE' || CREATES_NOTHING_TO_SHOW.has(path) || (status !== undefined && EMPTY.has(status));
    return response !== null || saysSo
      ? null
      : 'Give the schema of the 2xx body, or the status of an empty one.';
  }),
  broken: [
    withRoute({ response: null }),
    withRoute({ method: 'PUT', scope: ['thing:write'], response: null, status: 201 }),
    withRoute({ streams: 'text/event-stream' }),
    withRoute({ files: ['text/csv'] }),
  ],
};

const parameters: RouteRule = {
  sentence: 'every parameter of a management path is parsed by a schema',
  check: eachRoute(({ path, params }) => {
    const shape = params instanceof z.ZodObject ? Object.keys(params.shape) : [];
    const missing = [...path.matchAll(/:([a-z_]+)/g)].find(([, name]) => !shape.includes(name!));
    return missing === undefined ? null : `Give ${missing[0]} a place in the schema of params.`;
  }),
  broken: [
    withRoute({ path: 'P/things/:id/' }),
    withRoute({ path: 'P/things/:id/', params: z.object({ key: z.string() }) }),
  ],
};

const publicPaths: RouteRule = {
  sentence: 'a public path is written without a closing slash',
  check: (features) =>
    features
      .flatMap(({ publicRoutes }) => publicRoutes ?? [])
      .flatMap((route) => route.paths)
      .filter((path) => !/^(\/[^/]+)+$/.test(path))
      .map((path) => `${path}: Write it as /path; it is answered with and without a closing slash.`),
  broken: [withPublicRoute({ paths: ['/things/'] }), withPublicRoute({ paths: ['things'] })],
};

/** Each row of both tables as `METHOD path`, with the parameters' names left out. */
function addresses(features: readonly Feature[]): string[] {
  return features
    .flatMap(({ routes = [], publicRoutes = [] }) => [
      ...routes.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`),
      ...publicRoutes.flatMap((route) =>
        route.methods.flatMap((method) => route.paths.map((path) => `${method} ${path}`)),
      ),
    ])
    .map((address) => address.replaceAll(/[:*][a-z_]+/gi, ':'));
}

const unique: RouteRule = {
  sentence: 'no two rows of the route tables have the same method and path',
  check: (features) => {
    const seen = new Set<string>();
    return addresses(features)
      .filter((address) => seen.size === seen.add(address).size)
      .map((address) => `${address} stands in the route tables twice. Remove one.`);
  },
  broken: [
    { name: 'things', routes: [anyRoute, anyRoute] },
    { name: 'things', publicRoutes: [anyPublicRoute, anyPublicRoute] },
    {
      name: 'things',
      routes: [{ ...anyRoute, path: '/api/things/' }],
      publicRoutes: [{ ...anyPublicRoute, methods: ['GET'], paths: ['/api/things'] }],
    },
  ],
};

const summaries: RouteRule = {
  sentence: 'every route has a summary',
  check: (features) =>
    features
      .flatMap(({ routes = [], publicRoutes = [] }) => [...routes, ...publicRoutes])
      .filter(({ summary }) => !/^\S.{5,}\.$/.test(summary))
      .map(({ summary }) => `'${summary}': Write one sentence, with its full stop.`),
  broken: [withRoute({ summary: 'Lists things' }), withPublicRoute({ summary: '' })],
};

const credentials: RouteRule = {
  sentence: 'no body has a field `personal_api_key`, which signs its request in, but the one that signs in',
  check: eachRoute(({ path, body }) =>
    path !== '/api/burrow/session/' && body instanceof z.ZodObject && 'personal_api_key' in body.shape
      ? 'the key would sign the request in. Give a key of another server another name, such as host_api_key.'
      : null,
  ),
  broken: [withRoute({ method: 'POST', body: z.object({ personal_api_key: z.string() }) })],
};

export const routeRules: readonly RouteRule[] = [
  credentials,
  paths,
  scopes,
  responses,
  parameters,
  publicPaths,
  unique,
  summaries,
];
