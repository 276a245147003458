import { fail } from '../../errors.ts';
import {
  Reply,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import type { QueryState } from './async-queries.ts';
import type { QueryOverrides } from './override-query.ts';
import { checkDashboardFilters } from './readable-fields.ts';
import { refuseUnsupported } from './unsupported-fields.ts';
import { type QueryBody, type QueryAnswerJson, type Refresh, queryApi } from './query.contract.ts';
import type { BeginOptions, Queries, AnsweringOptions } from './query.service.ts';
import { type StoredQuery, readNode } from './read-query.ts';
import { MEDIA_TYPES, sendFile } from './export-query.ts';

const route = routesOf(queryApi);

/** Exports results as files, with more rows than a response may have. */
export function queryExportRoutes({ queries }: { queries: Pick<Queries, 'export'> }): ManagementRoute[] {
  return [
    route('POST P/burrow/query/export/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Exports the result of a query as CSV, JSON or Parquet.',
      jsonOnly: true,
      files: Object.values(MEDIA_TYPES),
      errors: QUERY_FAILURES,
      handle: async ({ actor, project, body, signal }) => {
        const { format } = body;
        const { query, overrides } = readPosted(body.query, body);
        const file = await queries.export(project, query, { actor, format, signal, overrides });
        const headers = {
          'Content-Type': MEDIA_TYPES[format],
          'Content-Length': String(file.bytes),
          'Content-Disposition': `attachment; filename="export.${format}"`,
          'Cache-Control': 'no-store',
        };
        if (!signal.aborted) return Reply.stream(headers, (res) => sendFile(file, res));
        await file.remove();
        return Reply.empty(200);
      },
    }),
  ];
}

/** Errors of queries that run. */
export const QUERY_FAILURES = [
  'query_timeout',
  'warehouse_away',
  'query_memory',
  'result_too_large',
  'query_cancelled',
] as const;

/** Queries over the data of a project (management contract 9.9). */
export function queryRoutes({ queries }: { queries: Queries }): ManagementRoute[] {
  const read = { auth: 'key', scope: ['query:read'] } as const;
  const sharedFields = {
    ...read,
    jsonOnly: true,
    otherStatuses: [202],
    errors: QUERY_FAILURES,
  } as const;

  const nameOf = (actor: Actor, project: ProjectRef, id: string) => ({
    projectId: project.id,
    id,
    hidesPersons: queries.hidesPersons(actor, project.id),
  });

  async function answer(
    { actor, project, signal }: { actor: Actor; project: ProjectRef; signal: AbortSignal },
    node: unknown,
    body: QueryBody,
  ) {
    const { query, overrides } = readPosted(node, body);
    const { answers, isAsync } = refreshMode(body.refresh ?? (body.async ? 'async' : null));
    const id = body.client_query_id ?? null;
    if (isAsync && answers !== 'known')
      return await begin(project, query, { actor, id, answers, overrides, signal });
    const work = async (stop: AbortSignal) =>
      await (await queries.open(project, { actor, answers, signal: stop })).answer(query, overrides);
    const found =
      id === null ? await work(signal) : await queries.named.attend(nameOf(actor, project, id), signal, work);
    return found ?? NOT_KNOWN;
  }

  /** Returns a cached result immediately, or starts the query and returns its status. */
  async function begin(
    project: ProjectRef,
    query: StoredQuery,
    { actor, id, answers, overrides, signal }: Required<BeginOptions> & { signal: AbortSignal },
  ): Promise<QueryAnswerJson | Reply> {
    // Also validates the query before responding.
    const answering = await queries.open(project, { actor, answers: 'known', signal });
    const known = await answering.answer(query, overrides);
    if (known !== null && answers !== 'fresh') return known;
    const state = queries.begin(project, query, { actor, id, answers, overrides });
    return Reply.json(state.status, { ...NOT_KNOWN, query_status: state.json } satisfies QueryAnswerJson);
  }

  return [
    route('POST P/query/', {
      ...sharedFields,
      summary: 'Runs a query.',
      handle: ({ actor, project, body, signal }) => answer({ actor, project, signal }, body.query, body),
    }),
    route('POST P/query/check_auth_for_async/', {
      ...read,
      summary: 'Returns that asynchronous queries are supported.',
      handle: () => ({ user: 'ok' as const }),
    }),
    route('POST P/query/upgrade/', {
      ...read,
      summary: 'Returns a query in the latest schema version, which is the one that was sent.',
      jsonOnly: true,
      handle: ({ body }) => ({ query: readNode(body.query) }),
    }),
    route('POST P/query/:id/', {
      ...sharedFields,
      summary: 'Runs a query of the kind in the path.',
      handle: ({ actor, project, params, body, signal }) =>
        answer({ actor, project, signal }, ofKind(body.query, params.id), body),
    }),
    route('GET P/query/:id/', {
      ...read,
      summary: 'Returns the status and the result of a query that was started with `async`.',
      otherStatuses: [202, 400, 500],
      lookup: ({ actor, project, params }): QueryState => {
        const found = queries.named.find(nameOf(actor, project, params.id));
        if (found === null) throw fail('not_found');
        return found;
      },
      handle: ({ found }) => Reply.json(found.status, { query_status: found.json }),
    }),
    route('DELETE P/query/:id/', {
      ...read,
      summary: 'Cancels a query by its id or client query id.',
      lookup: ({ actor, project, params }) => {
        if (!queries.named.cancel(nameOf(actor, project, params.id))) throw fail('not_found');
      },
      handle: () => ({ message: 'The query was canceled.' }),
    }),
  ];
}

/** The response of `force_cache` without a cached result. */
const NOT_KNOWN = { results: null, is_cached: false, query_status: null } satisfies QueryAnswerJson;

/** A query to run without storing it, and what replaces parts of it. Throws invalid_input, also for an unknown field. */
function readPosted(
  node: unknown,
  {
    filters_override: filters,
    variables_override: variables,
  }: Pick<QueryBody, `${'filters' | 'variables'}_override`>,
): { query: StoredQuery; overrides: QueryOverrides } {
  const query = readNode(node);
  refuseUnsupported(query);
  if (filters) checkDashboardFilters(filters, 'filters_override');
  return { query, overrides: { filters, variables } };
}

/** The query of a path that names its kind, which the query need not repeat. */
function ofKind(node: unknown, kind: string): unknown {
  if (typeof node !== 'object' || node === null) return { kind };
  const own = (node as { kind?: unknown }).kind ?? kind;
  if (own === kind) return { ...node, kind };
  throw fail('invalid_input', { detail: `The path is for ${kind}, but the query has another kind.` });
}

/** The refresh mode of a request. */
export interface RefreshMode {
  readonly answers: AnsweringOptions['answers'];
  /** Uncached results are computed asynchronously. */
  readonly isAsync: boolean;
}

const COMPUTED = { answers: 'any', isAsync: false } as const;
const LATER = { answers: 'any', isAsync: true } as const;
const FRESH = { answers: 'fresh', isAsync: false } as const;

const MODES: Readonly<Record<string, RefreshMode>> = {
  blocking: COMPUTED,
  async: LATER,
  lazy_async: LATER,
  force_blocking: FRESH,
  force_async: { answers: 'fresh', isAsync: true },
  force_cache: { answers: 'known', isAsync: false },
  true: FRESH,
  True: FRESH,
  '1': FRESH,
};

/**
 * The refresh mode of a request (management contract 3.4, 9.9). A cached result is only used while it is valid, so modes
 * that allow stale results are the same as those that do not.
 */
export function refreshMode(refresh: Refresh | null | undefined): RefreshMode {
  return MODES[String(refresh)] ?? COMPUTED;
}
