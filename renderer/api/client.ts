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

type NameOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameOf<Rest>
  : never;

/** What stands in the places of a path: `P/` is that of a project. */
type Places<Path extends string> = Readonly<Record<NameOf<Path>, string | number>> &
  (Path extends `P/${string}` ? { readonly projectId: number } : unknown);

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

type RouteKey = keyof Api;
/** What clients send of a route's query or body. */
type Sent<Key extends RouteKey, Part extends 'query' | 'body'> =
  Api[Key] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? Frozen<z.input<Schema>> : unknown;

/** What a route takes in its body, by method and path. */
export type BodyOf<Key extends RouteKey> = Sent<Key, 'body'>;
/** Numbers and booleans are written out where the server reads text. */
type Written<Query> = {
  [Name in keyof Query]: string extends Query[Name] ? Query[Name] | number | boolean : Query[Name];
};
/** The parameters of a route; lists take `limit` and `offset` beside their own. */
export type QueryOf<Key extends RouteKey> = Written<Sent<Key, 'query'>> & { limit?: number; offset?: number };
/** What a route answers. */
export type AnswerOf<Key extends RouteKey> = Api[Key] extends { response: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

type Asked<Key extends RouteKey, Path extends string> = Places<Path> &
  (object extends Sent<Key, 'query'> ? { query?: QueryOf<Key> } : { query: QueryOf<Key> }) &
  (unknown extends BodyOf<Key> ? unknown : { body: BodyOf<Key> }) &
  Pick<RequestOptions, 'hasOwnCredential' | 'wantsRepresentation' | 'signal'>;

function asker<M extends Method>(method: M) {
  return <Path extends PathOf<M>>(
    path: Path,
    ...[asked]: object extends Asked<`${M} ${Path}` & RouteKey, Path>
      ? [asked?: Asked<`${M} ${Path}` & RouteKey, Path>]
      : [asked: Asked<`${M} ${Path}` & RouteKey, Path>]
  ): Promise<AnswerOf<`${M} ${Path}` & RouteKey>> => {
    const options = { ...asked, method };
    return request(addressOf(path, options as unknown as Places<Path>), options as RequestOptions);
  };
}

/** Asks a route of the server; the types are those of its contract. Throws `ApiFailure`. */
export const api = {
  get: asker('GET'),
  post: asker('POST'),
  put: asker('PUT'),
  patch: asker('PATCH'),
  delete: asker('DELETE'),
};

/** The address of a path of the route table. */
export function addressOf<Path extends PathOf<Method>>(path: Path, places: Places<Path>): string {
  const values = places as Readonly<Record<string, string | number>>;
  return path.replace(/^P\//, `/api/projects/${values['projectId']}/`).replace(/:(\w+)/g, (_, name: string) =>
    // An @ may stand in a path: `@current`, `@me`.
    encodeURIComponent(values[name]!).replaceAll('%40', '@'),
  );
}
