import { createHash } from 'node:crypto';
import type { Query } from '../../hogql/ast.ts';
import type { CompiledQuery } from '../../hogql/hogql-context.ts';
import { EXPORT_ROWS, type Exported } from './export/export-query.ts';
import { MAX_ROWS, type ProjectContext } from './project-context.ts';
import type { QueryAnswerJson, QueryWarning } from './kinds/query-answer.contract.ts';
import type { AskOptions, KindContext, Table } from './query-kind.ts';
import { findKind } from './query-kinds.ts';
import { readActors } from './read-actors.ts';
import { readKind } from './read-kind.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';
import type { Asked, StatementCache } from './statement-cache.ts';
import { warningsOf } from './unsupported-fields.ts';

/** How an answer is come by. */
export interface AnswerOptions {
  readonly cache: StatementCache;
  readonly asked: Asked;
  /** Only what is known already: throws CacheMiss. */
  readonly onlyCached: boolean;
  /** The engine's plan of a statement, line by line. */
  explain(compiled: CompiledQuery): Promise<string[]>;
}

/** Somebody wanted what is known already, and it is not. */
export class CacheMiss extends Error {}

interface Account {
  hogql: string[];
  compileMs: number;
  executeMs: number;
  isCached: boolean;
  oldest: number | null;
}

/** The statement of a table, before it is run. */
class TableStatement extends Error {
  readonly compiled: CompiledQuery;

  constructor(compiled: CompiledQuery) {
    super('The statement of a table was requested');
    this.compiled = compiled;
  }
}

/** What a query answers, for a file: a table as its statement, anything else as its results. Throws as `answerQuery`. */
export async function exportedBy(
  query: StoredQuery,
  project: ProjectContext,
  options: AnswerOptions,
): Promise<Exported> {
  const source = sourceOf(query);
  const kind = findKind(source.kind);
  if (kind.isTable !== true) return { results: (await answerQuery(query, project, options)).results };
  const context: KindContext = {
    // What only prepares the table, such as finding who is in it, is asked as ever.
    ...kindContext(project, options),
    ask: async (asked) => {
      throw new TableStatement(await project.compile(asked, EXPORT_ROWS));
    },
  };
  try {
    return { results: (await kind.answer(readKind(kind, source), context)).results };
  } catch (error) {
    if (error instanceof TableStatement) return { compiled: error.compiled };
    throw error;
  }
}

/** Answers a query that is a known kind, or wraps one. Throws HogqlError, ApiError, CacheMiss, DatabaseError. */
export async function answerQuery(
  query: StoredQuery,
  project: ProjectContext,
  options: AnswerOptions,
): Promise<QueryAnswerJson> {
  const source = sourceOf(query);
  const kind = findKind(source.kind);
  const account = newAccount();
  const context = kindContext(project, options, account);
  const { results, ...rest } = await kind.answer(readKind(kind, source), context);
  const warnings = [...warningsOf(query), ...warningsOfSettings(source, project)];
  const at = new Date(account.oldest ?? project.known.now).toISOString();
  return {
    results,
    ...rest,
    ...(warnings.length > 0 && { warnings }),
    hogql: account.hogql.length === 0 ? null : account.hogql.join(';\n\n'),
    error: null,
    timings: [
      { k: './compile', t: account.compileMs / 1000 },
      { k: './execute', t: account.executeMs / 1000 },
    ],
    query_status: null,
    is_cached: account.isCached && account.oldest !== null,
    last_refresh: at,
    next_allowed_client_refresh: at,
    cache_key: cacheKeyOf(source, project),
    cache_target_age: null,
    calculation_trigger: null,
    timezone: project.known.timezone,
  };
}

/** Filters of test accounts that are left out change the answer of a query that asks for them. */
function warningsOfSettings(source: StoredQuery, { unreadTestAccounts }: ProjectContext): QueryWarning[] {
  if (unreadTestAccounts.length === 0 || !asksForTestAccounts(source)) return [];
  return unreadTestAccounts.map((problem) => ({
    message: `The project's test_account_filters: ${problem}`,
    start: null,
    end: null,
    field: 'test_account_filters',
  }));
}

function asksForTestAccounts(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, value]) =>
    key === 'filterTestAccounts' ? Boolean(value) : asksForTestAccounts(value),
  );
}

function newAccount(): Account {
  return { hogql: [], compileMs: 0, executeMs: 0, isCached: true, oldest: null };
}

/** The project as a kind sees it; what is asked through it is written down in `account`. */
export function kindContext(
  project: ProjectContext,
  options: AnswerOptions,
  account: Account = newAccount(),
): KindContext {
  const context: KindContext = {
    ...project.known,
    ask: (asked, how) => ask(asked, how, project, options, account),
    check: async (asked) => void (await project.compile(asked, MAX_ROWS)),
    explain: async (asked) => await options.explain(await project.compile(asked, MAX_ROWS)),
    actorsOf: (from) => readActors(from, context),
  };
  return context;
}

async function ask(
  query: Query,
  { rows: limitWithout = MAX_ROWS, told = true }: AskOptions = {},
  project: ProjectContext,
  { cache, asked, onlyCached }: AnswerOptions,
  account: Account,
): Promise<Table> {
  const started = performance.now();
  const { sql, params, columns, limit, offset, hogql } = await project.compile(query, limitWithout);
  if (told) account.hogql.push(hogql());
  const compiled = performance.now();
  account.compileMs += compiled - started;
  const { projectId } = project.known;
  const statement = { projectId, version: project.version, sql, params, columns: columns.length };
  const answer = onlyCached ? cache.find(statement, asked.after) : await cache.run(statement, asked);
  if (answer === null) throw new CacheMiss();
  account.executeMs += performance.now() - compiled;
  account.isCached &&= answer.isCached;
  account.oldest = Math.min(account.oldest ?? Infinity, answer.at);
  const hasMore = answer.rows.length > limit;
  return { columns, rows: hasMore ? answer.rows.slice(0, limit) : answer.rows, hasMore, limit, offset };
}

/** The same for queries that ask the same of the same project. */
function cacheKeyOf(source: StoredQuery, { known }: ProjectContext): string {
  const text = JSON.stringify([known.projectId, known.timezone, source], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `cache_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
