import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { readableResources, type Access } from '../access/index.ts';
import {
  ENTITIES,
  entity,
  searchQuery,
  searchResults,
  type Entity,
  type SearchResults,
} from './search.contract.ts';
import { countFound, search, type FoundObject } from './search.reads.ts';

/** Search over objects of a project by their names (management contract 9.10). */
export function searchRoutes({ db, access }: { db: Db; access: Access }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/search/',
      auth: 'key',
      scope: ['project:read', ...ENTITIES.map((resource) => `${resource}:read` as const)],
      summary: 'Searches objects by name and description, limited to the scopes of your key.',
      query: searchQuery,
      response: searchResults,
      errors: ['invalid_choice'],
      handle: async ({ project, actor, query, url }): Promise<SearchResults> => {
        const wanted = readEntities(url.searchParams.getAll('entities'));
        const among = readableResources(access, actor, project.id, wanted);
        const asked = { projectId: project.id, userId: actor.user.id, text: (query.q ?? '').trim(), among };
        const [found, counts] = await Promise.all([
          search(db, asked),
          query.include_counts === false ? null : countFound(db, asked),
        ]);
        const results = found.map(resultOf);
        if (counts === null) return { results };
        const readable = new Set(among.map(({ resource }) => resource));
        const countOf = (kind: Entity) => (readable.has(kind) ? (counts.get(kind) ?? 0) : null);
        return {
          results,
          counts: Object.fromEntries(ENTITIES.map((kind) => [kind, countOf(kind)])) as Record<
            Entity,
            number | null
          >,
        };
      },
    }),
  ];
}

/** Given several times, or as a list with commas; none means all. */
function readEntities(values: readonly string[]): Entity[] {
  const words = values.flatMap((value) => value.split(',')).map((word) => word.trim());
  const named = [...new Set(words.filter((word) => word !== ''))];
  return named.length === 0 ? [...ENTITIES] : named.map(readEntity);
}

function readEntity(word: string): Entity {
  const read = entity.safeParse(word);
  if (read.success) return read.data;
  throw fail('invalid_choice', {
    attr: 'entities',
    detail: `One of these is none of: ${ENTITIES.join(', ')}.`,
  });
}

function resultOf(found: FoundObject): SearchResults['results'][number] {
  const { type, id, name, rank, description, shortId, derivedName, query } = found;
  if (type === 'insight') {
    const parsed = query === null ? null : (JSON.parse(query) as Record<string, unknown>);
    const extra = { name, description: description ?? '', derived_name: derivedName, query: parsed };
    return { type, result_id: shortId ?? id, extra_fields: extra, rank };
  }
  if (type === 'feature_flag')
    return { type, result_id: id, extra_fields: { key: name ?? '', name: description }, rank };
  const isDefined = type === 'event_definition' || type === 'property_definition';
  return {
    type,
    result_id: id,
    extra_fields: isDefined ? { name } : { name, description: description ?? '' },
    rank,
  };
}
