import { createHash } from 'node:crypto';
import type { ServiceChannel } from '../../db/client.ts';
import type { Analytics, Db, Params } from '../../db/db.ts';
import { ExactNumber, stringifyExactly } from '../../lib/exact-number.contract.ts';
import { statementKey } from '../../db/statement-key.ts';
import { fail } from '../../errors.ts';
import type { Query } from '../../hogql/ast.ts';
import { compare, constant, field, from } from '../../hogql/build.ts';
import type { HogqlContext } from '../../hogql/hogql-context.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Log } from '../../lib/log.ts';
import type { QueryName, StoppedQueries } from '../../lib/stopped-queries.ts';
import { readableResources, type Access } from '../access/index.ts';
import { findAction, findLiveActionByName, listGoals } from '../actions/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { listAllVariables } from '../insight-variables/index.ts';
import { createAsyncQueries, type AsyncQueries, type QueryState } from './async-queries.ts';
import { checkCompiles } from './check-compiles.ts';
import { ALL_ROWS, eventValues, matchingEvents, type EventSpan } from './event-expressions.ts';
import {
  EXPORT_ROWS,
  exportToFile,
  type Exported,
  openExportFolder,
  type ExportFile,
  type ExportFormat,
} from './export-query.ts';
import { overrideQuery, type QueryOverrides } from './override-query.ts';
import {
  MAX_ROWS,
  openProject,
  type PreparedQuery,
  type ProjectContext,
  type QuerySources,
} from './project-context.ts';
import { createSchemaVersions } from './project-schema-version.ts';
import type { QueryAnswerJson, QueryWarning } from './query.contract.ts';
import { refusalOf } from './query-errors.ts';
import type { KindAnswer, KindContext, RunOptions, Table } from './query-kind.ts';
import { findKind } from './query-kinds.ts';
import { explainStatement, streamRows } from './query.reads.ts';
import { answerSource, readActors } from './read-actors.ts';
import { readKind, sourceOf, type StoredQuery } from './read-query.ts';
import { createStatementCache } from './statement-cache.ts';
import { warningsOf } from './unsupported-fields.ts';

export interface QueryParts {
  config: { readonly fast: boolean };
  db: Db;
  access: Pick<Access, 'levelOf' | 'visibility'>;
  analytics: Analytics;
  /** Answers instead of the file, once it has everything; left out: there is none. */
  warehouse?: QueryWarehouse | null;
  /** Leads to the thread that takes events in. */
  channel: ServiceChannel;
  parser: HogqlParser;
  cohorts: Pick<Cohorts, 'known' | 'list' | 'members'>;
  /** The settings of a project by the names of the API. */
  settingsOf: QuerySources['settingsOf'];
  /** The folder of export files. */
  exportDir: string;
  /** Queries that were refused because they used too much memory. */
  stopped: Pick<StoppedQueries, 'isRefused'>;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** A warehouse beside the file, which has the same events. */
export interface QueryWarehouse {
  readonly database: string;
  /** Whether it has what was stored before it was there. Until then the file answers. */
  readonly isComplete: boolean;
  readonly analytics: Pick<Analytics, 'all' | 'stream'>;
  /** Resolves with null once it has what is stored now, or after `ms` milliseconds with the time since when events wait. */
  caughtUp(ms: number): Promise<number | null>;
  /** Brings the members of cohorts there, unless they are there as of this question about them. Returns a hash of all members. */
  fillCohorts(
    projectId: number,
    ids: readonly number[],
    find: (id: number) => Promise<CohortQuestion>,
  ): Promise<string>;
}

/** Who is in a cohort. */
export interface CohortQuestion {
  /** Another one when the data of the project, the rule of the cohort, or what the rule compares with has changed. */
  readonly version: string;
  /** The UUIDs of the persons. */
  read(): Promise<string[]>;
}

/** Options of the queries of one request. */
export interface AnsweringOptions {
  /** The caller: queries that show persons are refused when persons are hidden from the actor. */
  readonly actor: Actor;
  /** `any`: use valid cached results; `fresh`: compute all; `known`: only use cached results. */
  readonly answers: 'any' | 'fresh' | 'known';
  /** Cancels running statements. */
  readonly signal: AbortSignal;
  /** Time limit of each statement; default a minute. */
  readonly timeoutMs?: number;
}

/** Runs queries of a project, all at the same time and version of its data. */
export interface Answering {
  /**
   * Null when `answers` is `known` and there is no cached result. Throws an ApiError for an invalid query, and
   * rethrows other errors.
   */
  answer(query: StoredQuery, overrides?: QueryOverrides): Promise<QueryAnswerJson | null>;
}

export type QueriedProject = Pick<ProjectRef, 'id' | 'timezone'>;

type RowCondition = (actor: Actor, projectId: number) => string;

export interface Queries {
  open(project: QueriedProject, options: AnsweringOptions): Promise<Answering>;
  /** Sets the SQL that rows of a resource fulfil for a caller, for a resource whose rows are about others. */
  limitRows(resource: string, condition: RowCondition): void;
  /** Throws invalid_input, which has field and place, for a query that could not be compiled; runs nothing. */
  check(project: QueriedProject, query: StoredQuery): Promise<void>;
  /** Starts a query whose result is polled by its ID; null: a new ID. Throws throttled. */
  begin(project: QueriedProject, query: StoredQuery, how: BeginOptions): QueryState;
  /** Writes all rows of a query to a file, which the caller removes. Throws as `Answering.answer`. */
  export(project: QueriedProject, query: StoredQuery, how: ExportOptions): Promise<ExportFile>;
  /** All rows of a HogQL statement, as they are computed; nothing is held whole. Throws as `Answering.answer`. */
  rows(
    project: QueriedProject,
    statement: HogqlStatement,
    how: Pick<ExportOptions, 'actor' | 'signal'>,
  ): AsyncIterable<readonly unknown[]>;
  /** Prepares HogQL expressions over stored events. */
  events(project: QueriedProject, how: Pick<AnsweringOptions, 'actor' | 'signal'>): EventExpressions;
  /** Whether the actor may count persons and see nothing else of them. */
  hidesPersons(actor: Actor, projectId: number): boolean;
  /** Queries by id, while they run and shortly after. */
  readonly named: AsyncQueries;
  /** Cancels async queries and removes remaining export files. */
  close(): Promise<void>;
}

/** Expressions over stored events. Throws an ApiError for an invalid expression. */
export interface EventExpressions {
  /** The IDs of events that match all expressions, as a SELECT of one column `c0`, with its parameters. */
  matching(texts: readonly string[], span: EventSpan): Promise<{ sql: string; params: Params }>;
  /** The values of the expressions for each event, by expression. */
  values(
    texts: readonly string[],
    events: readonly { uuid: string; timestamp: string }[],
  ): Promise<Record<string, unknown>[]>;
}

export interface BeginOptions {
  readonly actor: Actor;
  readonly id: string | null;
  readonly answers: 'any' | 'fresh';
  readonly overrides?: QueryOverrides;
}

/** Text with placeholders such as `{name}`, and what they stand for. */
export interface HogqlStatement {
  readonly query: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface ExportOptions {
  readonly actor: Actor;
  readonly overrides?: QueryOverrides;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
}

/** Time limit of async queries. */
const ASYNC_TIMEOUT_MS = 600_000;
const TIMEOUT_MS = 60_000;
/** A question waits so long for the warehouse to receive what was stored before it. */
const CATCH_UP_MS = 3_000;
const COHORT_ROWS = 10_000_000;
/** Maximum length of a query's name. */
const NAMED_LENGTH = 120;
const REFUSED =
  'This query was stopped because it used too much memory. It is rejected until Burrow is restarted. Change the query to read less data.';

/** How the statements of a query are run. */
interface RunLimits extends Omit<AnsweringOptions, 'actor'> {
  readonly timeoutMs: number;
  /** Results computed before this sequence number are not used; 0: all are. */
  readonly after: number;
  /** For memory limits and logs. */
  readonly query?: QueryName;
}

/** What the statements of a query add up to. */
interface QueryLog {
  readonly hogql: string[];
  compileMs: number;
  executeMs: number;
  isCached: boolean;
  /** When the oldest result was computed. */
  oldest: number | null;
  /** Since when events were missing in the warehouse when it answered, in Unix milliseconds; null: none were. */
  missingSince: number | null;
  /** Only cached results are used, and one is missing. */
  isIncomplete: boolean;
}

const NO_ROWS: Table = { columns: [], rows: [], hasMore: false, limit: 0, offset: 0 };

export function createQueries(parts: QueryParts): Queries {
  const { db, analytics, clock, newId, log } = parts;
  const cache = createStatementCache({ analytics, clock });
  const schemaVersions = createSchemaVersions(parts);
  const folder = openExportFolder(parts.exportDir, newId);
  const sourcesNow = (): QuerySources => ({
    parser: parts.parser,
    cohorts: parts.cohorts,
    settingsOf: parts.settingsOf,
    findAction: (projectId, id) => findAction(db, projectId, id),
    findActionId: (projectId, name) => findLiveActionByName(db, projectId, name),
    listGoals: (projectId) => listGoals(db, projectId),
    listVariables: (projectId) => listAllVariables(db, projectId),
  });
  const named = createAsyncQueries({
    clock,
    newId,
    onFailure: (error) => log.error({ err: error }, 'A query failed'),
  });

  const conditions = new Map<string, RowCondition>();

  const hidesPersons = (actor: Actor, projectId: number): boolean =>
    parts.access.levelOf(actor, projectId, 'person', null) === 'none';

  /** Rules are read once for each resource. */
  function readableRowsOf(actor: Actor, projectId: number): NonNullable<HogqlContext['readableRows']> {
    if (actor.isLink === true) return () => null;
    return memoize((resource: string) => {
      const [readable] = readableResources(parts.access, actor, projectId, [resource]);
      const where = conditions.get(resource)?.(actor, projectId);
      return readable === undefined ? null : { ...readable, ...(where !== undefined && { where }) };
    });
  }

  async function openAt(project: QueriedProject, actor: Actor, exportRows?: number): Promise<ProjectContext> {
    const inputs = await schemaVersions.of(project.id);
    const rows = exportRows === undefined ? {} : { exportRows };
    const hides = hidesPersons(actor, project.id);
    const readableRows = readableRowsOf(actor, project.id);
    return openProject(sourcesNow(), project, inputs, {
      now: clock(),
      hidesPersons: hides,
      readableRows,
      database: parts.warehouse?.isComplete === true ? parts.warehouse.database : null,
      ...rows,
    });
  }

  /** Counts the event properties of a statement that is going to run: frequently read ones get a column. */
  function counted(statement: PreparedQuery): PreparedQuery {
    const { properties } = statement;
    // After the statement was sent, since nothing depends on it.
    if (properties.length > 0)
      setImmediate(() => {
        parts.channel
          .call({ kind: 'store.asked', properties })
          .catch((error: unknown) => log.debug({ err: error }, 'The properties of a query were not counted'));
      });
    return statement;
  }

  /** Runs work for a query and converts its errors to API errors. */
  async function withApiErrors<T>(
    query: StoredQuery | null,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      throw refusalOf(error, query === null ? null : hogqlTextOf(sourceOf(query))) ?? error;
    }
  }

  /**
   * The steps from a query to its result, in their order. Null: a result is missing, where only cached ones are used.
   */
  async function answer(
    stored: StoredQuery,
    overrides: QueryOverrides,
    project: ProjectContext,
    limits: RunLimits,
  ): Promise<QueryAnswerJson | null> {
    // Filters and variables of the dashboard, or the request, are applied.
    const query = overrideQuery(stored, overrides);
    return await withApiErrors(query, limits.signal, async () => {
      const source = sourceOf(query);
      const name = nameOf(project.known.projectId, source);
      const log = newQueryLog();
      const context = contextOf(project, { ...limits, query: name }, log);
      const kind = findKind(source.kind);
      const valid = readKind(kind, source);
      try {
        // Dates are resolved, macros and actions expanded, filters, series and breakdown read.
        const plan = await kind.plan(valid, context);
        // A plan becomes HogQL, HogQL rows by `runStatement`, and rows the results.
        const result = await kind.answer(plan, context);
        return log.isIncomplete ? null : withLog(result, log, query, project);
      } catch (error) {
        // What goes wrong after a missing result is no fault of the query.
        if (log.isIncomplete) return null;
        throw error;
      }
    });
  }

  /** The steps of one statement of a query, in their order. */
  async function runStatement(
    tree: Query,
    { rows: defaultRows = MAX_ROWS, inHogql = true }: RunOptions = {},
    project: ProjectContext,
    limits: RunLimits,
    log: QueryLog,
  ): Promise<Table> {
    if (log.isIncomplete) return NO_ROWS;
    const started = performance.now();
    const { prepared, engine } = await prepare(project, tree, defaultRows, log);
    const { sql, params, columns, limit, offset, hogql } = prepared;
    // What the warehouse does not have yet is not remembered.
    const readsStored = prepared.readsStored || log.missingSince !== null;
    if (inHogql) log.hogql.push(hogql());
    const compiled = performance.now();
    log.compileMs += compiled - started;
    const { projectId } = project.known;
    const version = project.version;
    const statement = { projectId, version, sql, params, columns: columns.length, readsStored, engine };
    const onlyKnown = limits.answers === 'known' && !readsStored;
    const cached = onlyKnown ? cache.find(statement, limits.after) : null;
    if (onlyKnown && cached === null) {
      log.isIncomplete = true;
      return NO_ROWS;
    }
    counted(prepared);
    const found = cached ?? (await cache.run(statement, limits));
    log.executeMs += performance.now() - compiled;
    log.isCached &&= found.isCached;
    log.oldest = Math.min(log.oldest ?? Infinity, found.at);
    const hasMore = found.rows.length > limit;
    return { columns, rows: hasMore ? found.rows.slice(0, limit) : found.rows, hasMore, limit, offset };
  }

  /** Prints a statement for the warehouse where there is one, after it has received what is stored, and else for the file. */
  async function prepare(
    project: ProjectContext,
    tree: Query,
    rows: number,
    log: Pick<QueryLog, 'missingSince'>,
  ): Promise<{ prepared: PreparedQuery; engine: Pick<Analytics, 'all' | 'stream'> }> {
    const { warehouse } = parts;
    if (warehouse == null || project.database === null)
      return { prepared: await project.compile(tree, rows), engine: analytics };
    const prepared = await project.compileFor(project.database, tree, rows);
    if (prepared.readsStored) return { prepared: await project.compile(tree, rows), engine: analytics };
    const since = await warehouse.caughtUp(CATCH_UP_MS);
    if (since !== null) log.missingSince = Math.min(log.missingSince ?? Infinity, since);
    if (prepared.cohorts.length === 0) return { prepared, engine: warehouse.analytics };
    const { projectId, timezone } = project.known;
    // A caller who may not see persons may count those of a cohort.
    const options = { now: clock(), hidesPersons: false, exportRows: COHORT_ROWS };
    const inputs = await schemaVersions.of(projectId);
    const opened = openProject(sourcesNow(), { id: projectId, timezone }, inputs, options);
    const members = await warehouse.fillCohorts(projectId, prepared.cohorts, async (id) => {
      const { sql, params } = await opened.compile(cohortMembers(id), COHORT_ROWS);
      return {
        version: `${project.version} ${statementKey(sql, params)}`,
        read: async () => (await analytics.all<{ c0: string }>(sql, params)).map(({ c0 }) => c0),
      };
    });
    // Results are kept by the text of their statement, and this one only names its cohorts.
    const sql = `${prepared.sql}\n-- members: ${members}`;
    return { prepared: { ...prepared, sql }, engine: warehouse.analytics };
  }

  /** The context of a kind; every statement that is run through it is logged. */
  function contextOf(project: ProjectContext, limits: RunLimits, log = newQueryLog()): KindContext {
    const context: KindContext = {
      ...project.known,
      runQuery: (tree, options) => runStatement(tree, options, project, limits, log),
      check: async (tree) => void (await project.compile(tree, MAX_ROWS)),
      explain: async (tree) => {
        if (log.isIncomplete) return [];
        const { prepared, engine } = await prepare(project, tree, MAX_ROWS, log);
        return await explainStatement(engine, prepared.sql, prepared.params, limits);
      },
      actorsOf: (from) => readActors(from, context),
      answerOf: (from) => answerSource(from, context),
    };
    return context;
  }

  /**
   * The name of the query for memory limits and logs. Throws query_memory when it has used too much memory before.
   */
  function nameOf(projectId: number, source: StoredQuery): QueryName {
    const key = createHash('sha256')
      .update(stringifyExactly([projectId, source]))
      .digest('base64');
    if (parts.stopped.isRefused(key)) throw fail('query_memory', { detail: REFUSED });
    const text = (hogqlTextOf(source) ?? source.kind).replaceAll(/\s+/g, ' ').trim();
    return { key, text: text.length > NAMED_LENGTH ? `${text.slice(0, NAMED_LENGTH)}…` : text };
  }

  const queries: Queries = {
    named,
    limitRows: (resource, condition) => void conditions.set(resource, condition),
    hidesPersons,
    async close() {
      named.close();
      await folder.remove();
    },
    async check(project, query) {
      const inputs = await schemaVersions.of(project.id);
      await checkCompiles(
        query,
        // What a reader may read is decided when it is read.
        openProject(sourcesNow(), project, inputs, {
          now: clock(),
          hidesPersons: false,
          readableRows: () => ({ byDefault: true, exceptions: [] }),
        }),
      );
    },
    begin: (project, query, { actor, id, answers, overrides = {} }) =>
      named.start(
        { projectId: project.id, id, hidesPersons: hidesPersons(actor, project.id) },
        async (signal) => {
          const timeoutMs = ASYNC_TIMEOUT_MS;
          const answering = await queries.open(project, { actor, answers, signal, timeoutMs });
          return (await answering.answer(query, overrides))!;
        },
      ),
    async open(project, { actor, ...how }) {
      const after = how.answers === 'fresh' ? cache.sequence() : 0;
      const opened = await openAt(project, actor);
      const limits = { timeoutMs: TIMEOUT_MS, ...how, after };
      return { answer: (query, overrides = {}) => answer(query, overrides, opened, limits) };
    },
    events: (project, { actor, signal }) => ({
      matching: (texts, span) =>
        withApiErrors(null, signal, async () =>
          counted(await matchingEvents(await openAt(project, actor, ALL_ROWS), texts, span)),
        ),
      values: (texts, events) =>
        withApiErrors(null, signal, async () => {
          const limits = { answers: 'any', signal, timeoutMs: TIMEOUT_MS, after: 0 } as const;
          return await eventValues(contextOf(await openAt(project, actor), limits), texts, events);
        }),
    }),
    async *rows(project, statement, { actor, signal }) {
      const query: StoredQuery = { kind: 'HogQLQuery', ...statement };
      const opened = await openAt(project, actor, ALL_ROWS);
      const limits = { answers: 'any', signal, timeoutMs: ASYNC_TIMEOUT_MS, after: 0 } as const;
      const kind = findKind(query.kind);
      try {
        const plan = await kind.plan(readKind(kind, query), contextOf(opened, limits));
        yield* streamRows(analytics, await opened.compile(kind.table!(plan), ALL_ROWS), limits);
      } catch (error) {
        throw (signal.aborted ? null : refusalOf(error, statement.query)) ?? error;
      }
    },
    async export(project, stored, { actor, format, signal, overrides = {} }) {
      const opened = await openAt(project, actor, EXPORT_ROWS);
      const limits = { answers: 'any', signal, timeoutMs: ASYNC_TIMEOUT_MS, after: 0 } as const;
      const query = overrideQuery(stored, overrides);
      return await withApiErrors(query, signal, async () => {
        const source = sourceOf(query);
        const named = { ...limits, query: nameOf(project.id, source) };
        const kind = findKind(source.kind);
        const write = (exported: Exported): Promise<ExportFile> =>
          exportToFile({ analytics, folder }, exported, format, named);
        if (kind.table === undefined)
          return await write({ results: (await answer(stored, overrides, opened, limits))!.results });
        const plan = await kind.plan(readKind(kind, source), contextOf(opened, named));
        const { prepared, engine } = await prepare(opened, kind.table(plan), EXPORT_ROWS, newQueryLog());
        return await write({ compiled: counted(prepared), engine });
      });
    },
  };
  return queries;
}

/** The HogQL text to which positions in errors refer. */
function hogqlTextOf({ kind, query: text }: StoredQuery): string | null {
  return kind === 'HogQLQuery' && typeof text === 'string' ? text : null;
}

/** The result with what its statements add up to. */
function withLog(
  { results, ...rest }: KindAnswer,
  log: QueryLog,
  query: StoredQuery,
  project: ProjectContext,
): QueryAnswerJson {
  const source = sourceOf(query);
  const warnings = [
    ...warningsOf(query),
    ...warningsOfSettings(source, project),
    ...warningsOfLag(log, project),
  ];
  const at = new Date(log.oldest ?? project.known.now).toISOString();
  return {
    results,
    ...rest,
    ...(warnings.length > 0 && { warnings }),
    hogql: log.hogql.length === 0 ? null : log.hogql.join(';\n\n'),
    error: null,
    timings: [
      { k: './compile', t: log.compileMs / 1000 },
      { k: './execute', t: log.executeMs / 1000 },
    ],
    query_status: null,
    is_cached: log.isCached && log.oldest !== null,
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

function warningsOfLag({ missingSince }: QueryLog, { known }: ProjectContext): QueryWarning[] {
  if (missingSince === null) return [];
  const seconds = Math.max(1, Math.round((known.now - missingSince) / 1_000));
  const message = `ClickHouse is ${seconds} seconds behind: events that arrived since then are missing.`;
  return [{ message, start: null, end: null }];
}

/** The persons of a cohort. */
function cohortMembers(id: number): Query {
  const where = compare('==', field('cohort_id'), constant(id));
  return { node: 'SelectQuery', select: [field('person_id')], from: from('cohort_people'), where };
}

function filtersTestAccounts(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, value]) =>
    key === 'filterTestAccounts' ? Boolean(value) : filtersTestAccounts(value),
  );
}

function newQueryLog(): QueryLog {
  return {
    hogql: [],
    compileMs: 0,
    executeMs: 0,
    isCached: true,
    oldest: null,
    missingSince: null,
    isIncomplete: false,
  };
}

/** The value with the members of each object in the order of their names. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/** Equal for equal queries of the same project. */
function cacheKeyOf(source: StoredQuery, { known }: ProjectContext): string {
  const text = stringifyExactly([known.projectId, known.timezone, inOrder(source)]);
  return `cache_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
