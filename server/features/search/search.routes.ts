import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { FoundObject, Resource } from '../../http/define-resource.ts';
import { routesOf, type ManagementRoute } from '../../http/define-route.ts';
import { readableResources, type Access } from '../access/index.ts';
import { POSTHOG_KINDS, searchApi, type SearchResults } from './search.contract.ts';
import { countFound, search } from './search.reads.ts';

/** Search over objects of a project by their names (management contract 9.10). */
export function searchRoutes({
  db,
  access,
  resources,
}: {
  db: Db;
  access: Access;
  resources: readonly Resource[];
}): ManagementRoute[] {
  const searched = new Map(
    resources.flatMap((resource) => (resource.search === undefined ? [] : [[resource.noun, resource]])),
  );
  const kinds = [...new Set([...POSTHOG_KINDS, ...searched.keys()])];
  const route = routesOf(searchApi(kinds));
  return [
    route('GET P/search/', {
      auth: 'key',
      scope: ['project:read', ...kinds.map((kind) => `${kind}:read` as const)],
      summary: 'Searches objects by name and description, limited to the scopes of your key.',
      errors: ['invalid_choice'],
      handle: async ({ project, actor, query, url }): Promise<SearchResults> => {
        const among = readableResources(
          access,
          actor,
          project.id,
          readKinds(url.searchParams.getAll('entities'), kinds),
        );
        const asked = {
          projectId: project.id,
          userId: actor.user.id,
          text: (query.q ?? '').trim(),
          perKind: query.limit_per_kind ?? null,
          among: among.flatMap(({ resource, ...seen }) => {
            const found = searched.get(resource);
            return found === undefined ? [] : [{ ...seen, resource: found }];
          }),
        };
        const [found, counts] = await Promise.all([
          search(db, asked),
          query.include_counts === false ? null : countFound(db, asked),
        ]);
        const results = found.map(({ type, rank, ...object }) => {
          const { resultOf = basicResult } = searched.get(type)!.search!;
          return { type, ...resultOf(object), rank };
        });
        if (counts === null) return { results };
        const readable = new Set(among.map(({ resource }) => resource));
        const countOf = (kind: string) => (readable.has(kind) ? (counts.get(kind) ?? 0) : null);
        return { results, counts: Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)])) };
      },
    }),
  ];
}

function basicResult({ id, name, description }: FoundObject) {
  return { result_id: id, extra_fields: { name, description: description ?? '' } };
}

/** Given several times, or as a list with commas; none means all. */
function readKinds(values: readonly string[], kinds: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => value.split(',')).map((word) => word.trim());
  const named = [...new Set(words.filter((word) => word !== ''))];
  if (named.length === 0) return kinds;
  if (named.every((word) => kinds.includes(word))) return named;
  throw fail('invalid_choice', {
    attr: 'entities',
    detail: `One of these is none of: ${kinds.join(', ')}.`,
  });
}
