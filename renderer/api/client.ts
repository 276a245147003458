import type { z } from 'zod';
import type { Api } from '../../server/api.contract.ts';
import type { Method } from '../../server/http/routes.contract.ts';
import { request, type RequestOptions } from './http.ts';

/** The paths of a method, as the contracts write them: `P/cohorts/:id/`. */
type PathOf<M extends Method> = keyof Api extends infer Key
  ? Key extends `${M} ${infer Path}`
    ? Path
    : never
  : never;

type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** The values of a path's parameters; `P/` is the path of a project. */
type PathValues<Path extends string> = Readonly<Record<NameIn<Path>, string | number>> &
  (Path extends `P/${string}` ? { readonly projectId: number } : unknown);

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

type RouteKey = keyof Api;

/** What clients send of a route's query or body. */
type Sent<Key extends RouteKey, Part extends 'query' | 'body'> =
  Api[Key] extends Readonly<Record<Part, infer Schema extends z.ZodType>>
    ? ReadonlyDeep<z.input<Schema>>
    : unknown;

/** Numbers and booleans are written out where the server reads text. */
type Written<Query> = {
  [Name in keyof Query]: string extends Query[Name] ? Query[Name] | number | boolean : Query[Name];
};

/** The body of a route, by method and path. */
export type BodyOf<Key extends RouteKey> = Sent<Key, 'body'>;

/** The parameters of a route; lists take `limit` and `offset` too. */
export type QueryOf<Key extends RouteKey> = Written<Sent<Key, 'query'>> & { limit?: number; offset?: number };

/** The 2xx body of a route. */
export type AnswerOf<Key extends RouteKey> = Api[Key] extends { response: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

type RequestOf<Key extends RouteKey, Path extends string> = PathValues<Path> &
  (object extends Sent<Key, 'query'> ? { query?: QueryOf<Key> } : { query: QueryOf<Key> }) &
  (unknown extends BodyOf<Key> ? unknown : { body: BodyOf<Key> }) &
  Pick<RequestOptions, 'file' | 'hasOwnCredential' | 'requestsRepresentation' | 'signal'>;

function requestBy<M extends Method>(method: M) {
  return <Path extends PathOf<M>>(
    path: Path,
    ...[options]: object extends RequestOf<`${M} ${Path}` & RouteKey, Path>
      ? [options?: RequestOf<`${M} ${Path}` & RouteKey, Path>]
      : [options: RequestOf<`${M} ${Path}` & RouteKey, Path>]
  ): Promise<AnswerOf<`${M} ${Path}` & RouteKey>> => {
    const all = { ...options, method };
    return request(addressOf(path, all as unknown as PathValues<Path>), all as RequestOptions);
  };
}

/** Requests to the routes of the server, typed by its contracts: `api.get('P/cohorts/:id/', { projectId, id })`. They throw `ApiFailure`. */
export const api = {
  get: requestBy('GET'),
  post: requestBy('POST'),
  put: requestBy('PUT'),
  patch: requestBy('PATCH'),
  delete: requestBy('DELETE'),
};

/** The address of a path of the route table. */
export function addressOf<Path extends PathOf<Method>>(path: Path, values: PathValues<Path>): string {
  const texts = values as Readonly<Record<string, string | number>>;
  return path.replace(/^P\//, `/api/projects/${texts['projectId']}/`).replace(/:(\w+)/g, (_, name: string) =>
    // An @ may stand in a path: `@current`, `@me`.
    encodeURIComponent(texts[name]!).replaceAll('%40', '@'),
  );
}
