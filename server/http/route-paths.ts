import type { ManagementRoute, Method } from './define-route.ts';

export type ManagementRoutes = readonly ManagementRoute[];

/** The families of paths that `P/` expands to; most paths begin with it. */
const FAMILIES: readonly string[] = ['projects', 'environments'];

/** A path of the management API as Express reads it, and its rows by method. */
export interface PathRoutes {
  path: string;
  methods: ReadonlyMap<Method, ManagementRoute>;
}

/**
 * Groups the rows of the table by path, `P/` as both of its families, and orders them so that a word goes before a
 * parameter in the same place. Throws when a path offers a method twice.
 */
export function pathsOf(routes: ManagementRoutes): PathRoutes[] {
  const paths = new Map<string, Map<Method, ManagementRoute>>();
  for (const route of routes) {
    for (const path of familiesOf(route.path)) {
      const methods = paths.get(path) ?? new Map<Method, ManagementRoute>();
      if (methods.has(route.method))
        throw new Error(`${route.method} ${path} stands in the route table twice.`);
      methods.set(route.method, route);
      paths.set(path, methods);
    }
  }
  return [...paths]
    .map(([path, methods]) => ({ path, methods, key: sortKey(path) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ path, methods }) => ({ path, methods }));
}

/**
 * What the path of a request or of the table is about, such as `projects/events` of `/api/projects/:project_id/events/:id`: words
 * only, as `pathsByResource` makes sure, so that a request needs to be tried with the paths of its resource alone.
 */
export function resourceOf(path: string): string {
  const [, , collection = '', , part = ''] = path.split('/');
  return FAMILIES.includes(collection) ? `${collection}/${part}` : collection;
}

/** The paths of the table by what they are about. Throws for one that has a parameter where its words should tell it. */
export function pathsByResource(routes: ManagementRoutes): Map<string, PathRoutes[]> {
  const resources = new Map<string, PathRoutes[]>();
  for (const path of pathsOf(routes)) {
    const resource = resourceOf(path.path);
    if (resource.includes(':')) throw new Error(`${path.path} has no words that tell it from others.`);
    const paths = resources.get(resource);
    if (paths === undefined) resources.set(resource, [path]);
    else paths.push(path);
  }
  return resources;
}

/** Value of an Allow header. */
export function allowedMethods({ methods }: PathRoutes): string {
  const allowed: string[] = [...methods.values()]
    .filter(({ atOnce }) => atOnce === undefined)
    .map(({ method }) => method);
  if (methods.has('GET')) allowed.push('HEAD');
  return [...allowed, 'OPTIONS'].join(', ');
}

function familiesOf(path: string): string[] {
  if (!path.startsWith('P/')) return [path.slice(0, -1)];
  const rest = path.slice(1, -1);
  return FAMILIES.map((family) => `/api/${family}/:project_id${rest}`);
}

/** Parameters sort behind every word. */
function sortKey(path: string): string {
  return path.replaceAll(/:[a-z_]+/g, '\uffff');
}
