import { defineRoute, type Actor, type ManagementRoute, type ProjectRef } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import {
  LEGACY_KINDS,
  QUERY_FAILURES,
  readFilters,
  refreshMode,
  type Queries,
  type Refresh,
} from '../query/index.ts';
import { answerFields } from './insight-answers.ts';
import { NO_ANSWER } from './insight-json.ts';
import { legacyAnswer, legacyFilters, legacyFiltersQuery } from './insights.contract.ts';

/** The names of the kinds that a path answers: the first of them unless the filters say which. */
const PATHS = new Map(
  LEGACY_KINDS.map(({ path }) => [
    path,
    LEGACY_KINDS.filter((one) => one.path === path).map(({ name }) => name),
  ]),
);

/** Answers to old filters, which are stored nowhere (management contract 9.6). */
export function legacyInsightRoutes({
  queries,
  access,
}: {
  queries: Pick<Queries, 'open'>;
  access: Pick<Access, 'check'>;
}): ManagementRoute[] {
  async function answer(
    filters: Readonly<Record<string, unknown>>,
    {
      actor,
      project,
      refresh,
      signal,
    }: { actor: Actor; project: ProjectRef; refresh: Refresh | undefined; signal: AbortSignal },
  ) {
    // The query is the caller's own on every path.
    access.check(actor, project.id, 'query', null, 'viewer');
    const query = readFilters(filters);
    const { answers } = refreshMode(refresh);
    const answering = await queries.open(project, { actor, answers, signal });
    const found = await answering.answer(query);
    const { timezone } = project;
    return { ...NO_ANSWER, timezone, ...(found === null ? {} : answerFields(found)), next: null };
  }

  return [...PATHS].flatMap(([name, kinds]) => {
    const shared = {
      auth: 'key',
      scope: ['insight:read'],
      path: `P/insights/${name}/`,
      response: legacyAnswer,
      errors: ['parse_error', ...QUERY_FAILURES],
    } as const;
    const summary = `Runs legacy filters of a ${name}; use \`query/\` for queries.`;
    return [
      defineRoute({
        ...shared,
        method: 'GET',
        summary,
        query: legacyFiltersQuery,
        handle: ({ actor, project, query: { refresh, ...filters }, signal }) =>
          answer(ofKind(kinds, filters), { actor, project, refresh, signal }),
      }),
      defineRoute({
        ...shared,
        method: 'POST',
        summary,
        jsonOnly: true,
        body: legacyFilters,
        handle: ({ actor, project, body: { refresh, ...filters }, signal }) =>
          answer(ofKind(kinds, filters), { actor, project, refresh: refresh ?? undefined, signal }),
      }),
    ];
  });
}

/** The filters with the kind of the path. */
function ofKind(
  kinds: readonly string[],
  filters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const named = String(filters['insight']).toUpperCase();
  return { ...filters, insight: kinds.includes(named) ? named : kinds[0] };
}
