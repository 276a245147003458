import { createHash } from 'node:crypto';
import type { Query } from '../../hogql/ast.ts';
import type { CompiledQuery } from '../../hogql/hogql-context.ts';
import { EXPORT_ROWS, type Exported } from './export-query.ts';
import { MAX_ROWS, type ProjectContext } from './project-context.ts';
import type { QueryAnswerJson, QueryWarning } from './query.contract.ts';
import type { RunOptions, KindContext, Table } from './query-kind.ts';
import { findKind } from './query-kinds.ts';
import { readActors } from './read-actors.ts';
import { readKind } from './read-kind.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';
import type { StatementOptions, StatementCache } from './statement-cache.ts';
import { warningsOf } from './unsupported-fields.ts';

/** How a query is run. */
export interface AnswerOptions {
  readonly cache: StatementCache;
  readonly run: StatementOptions;
  /** Use only cached results; throws CacheMiss otherwise. */
  readonly onlyCached: boolean;
  /** The engine's plan of a statement, line by line. */
  explain(compiled: CompiledQuery): Promise<string[]>;
}

/** A cached result was required and there is none. */
export class CacheMiss extends Error {}

interface QueryLog {
  hogql: string[];
  compileMs: number;
  executeMs: number;
  isCached: boolean;
  oldest: number | null;
}

/**
 * The results of a query for a file: the statement of a table, anything else as its results. Throws as `answerQuery`.
 */
export async function exportQuery(
  query: StoredQuery,
  project: ProjectContext,
  options: AnswerOptions,
): Promise<Exported> {
  const source = sourceOf(query);
  const kind = findKind(source.kind);
  if (kind.table === undefined) return { results: (await answerQuery(query, project, options)).results };
  const plan = await kind.plan(readKind(kind, source), kindContext(project, options));
  const tree = kind.table(plan);
  return { compiled: await project.compile(tree, EXPORT_ROWS) };
}

/** Answers a query that is a known kind, or wraps one. Throws HogqlError, ApiError, CacheMiss, DatabaseError. */
export async function answerQuery(
  query: StoredQuery,
  project: ProjectContext,
  options: AnswerOptions,
): Promise<QueryAnswerJson> {
  const source = sourceOf(query);
  const kind = findKind(source.kind);
  const queryLog = newQueryLog();
  const context = kindContext(project, options, queryLog);
  const { results, ...rest } = await kind.answer(await kind.plan(readKind(kind, source), context), context);
  const warnings = [...warningsOf(query), ...warningsOfSettings(source, project)];
  const at = new Date(queryLog.oldest ?? project.known.now).toISOString();
  return {
    results,
    ...rest,
    ...(warnings.length > 0 && { warnings }),
    hogql: queryLog.hogql.length === 0 ? null : queryLog.hogql.join(';\n\n'),
    error: null,
    timings: [
      { k: './compile', t: queryLog.compileMs / 1000 },
      { k: './execute', t: queryLog.executeMs / 1000 },
    ],
    query_status: null,
    is_cached: queryLog.isCached && queryLog.oldest !== null,
    last_refresh: at,
    next_allowed_client_refresh: at,
    cache_key: cacheKeyOf(source, project),
    cache_target_age: null,
    calculation_trigger: null,
    timezone: project.known.timezone,
  };
}

/** Warnings for test account filters that cannot be read and are skipped. */
function warningsOfSettings(source: StoredQuery, { unreadTestAccounts }: ProjectContext): QueryWarning[] {
  if (unreadTestAccounts.length === 0 || !filtersTestAccounts(source)) return [];
  return unreadTestAccounts.map((problem) => ({
    message: `The project's test_account_filters: ${problem}`,
    start: null,
    end: null,
    field: 'test_account_filters',
  }));
}

function filtersTestAccounts(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, value]) =>
    key === 'filterTestAccounts' ? Boolean(value) : filtersTestAccounts(value),
  );
}

function newQueryLog(): QueryLog {
  return { hogql: [], compileMs: 0, executeMs: 0, isCached: true, oldest: null };
}

/** The context of a kind; everything run through it is recorded in `queryLog`. */
export function kindContext(
  project: ProjectContext,
  options: AnswerOptions,
  queryLog: QueryLog = newQueryLog(),
): KindContext {
  const context: KindContext = {
    ...project.known,
    runQuery: (tree, how) => runStatement(tree, how, project, options, queryLog),
    check: async (tree) => void (await project.compile(tree, MAX_ROWS)),
    explain: async (tree) => await options.explain(await project.compile(tree, MAX_ROWS)),
    actorsOf: (from) => readActors(from, context),
  };
  return context;
}

async function runStatement(
  query: Query,
  { rows: limitWithout = MAX_ROWS, inHogql = true }: RunOptions = {},
  project: ProjectContext,
  { cache, run: tree, onlyCached }: AnswerOptions,
  queryLog: QueryLog,
): Promise<Table> {
  const started = performance.now();
  const { sql, params, columns, limit, offset, hogql } = await project.compile(query, limitWithout);
  if (inHogql) queryLog.hogql.push(hogql());
  const compiled = performance.now();
  queryLog.compileMs += compiled - started;
  const { projectId } = project.known;
  const statement = { projectId, version: project.version, sql, params, columns: columns.length };
  const answer = onlyCached ? cache.find(statement, tree.after) : await cache.run(statement, tree);
  if (answer === null) throw new CacheMiss();
  queryLog.executeMs += performance.now() - compiled;
  queryLog.isCached &&= answer.isCached;
  queryLog.oldest = Math.min(queryLog.oldest ?? Infinity, answer.at);
  const hasMore = answer.rows.length > limit;
  return { columns, rows: hasMore ? answer.rows.slice(0, limit) : answer.rows, hasMore, limit, offset };
}

/** Equal for equal queries of the same project. */
function cacheKeyOf(source: StoredQuery, { known }: ProjectContext): string {
  const text = JSON.stringify([known.projectId, known.timezone, source], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `cache_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
