import { createHash } from 'node:crypto';
import type { ServiceChannel } from '../../db/client.ts';
import type { Analytics, Db, Params } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import { printHogql } from '../../hogql/print/hogql.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { NewId } from '../../lib/ids.ts';
import type { QueryName, StoppedQueries } from '../../lib/stopped-queries.ts';
import type { Access } from '../access/index.ts';
import { findAction, findLiveActionByName } from '../actions/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { listAllVariables } from '../insight-variables/index.ts';
import { answerQuery, CacheMiss, exportQuery, kindContext, type AnswerOptions } from './answer-query.ts';
import { checkCompiles } from './check-compiles.ts';
import { createAsyncQueries, type AsyncQueries, type QueryState } from './async-queries.ts';
import { createCompiledQueries, type CompiledQueries } from './compiled-queries.ts';
import { ALL_ROWS, eventValues, matchingEvents, type EventSpan } from './event-expressions.ts';
import {
  EXPORT_ROWS,
  exportToFile,
  openExportFolder,
  type ExportFile,
  type ExportFormat,
} from './export-query.ts';
import { openProject, type ProjectContext, type QuerySources } from './project-context.ts';
import { createSchemaVersions } from './project-schema-version.ts';
import type { QueryAnswerJson } from './query.contract.ts';
import { refusalOf } from './query-errors.ts';
import { explainStatement } from './query.reads.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';
import { createStatementCache } from './statement-cache.ts';

export interface QueryParts {
  db: Db;
  access: Pick<Access, 'levelOf'>;
  analytics: Analytics;
  /** Leads to the thread that takes events in. */
  channel: ServiceChannel;
  parser: HogqlParser;
  /** Resolved with the first query. */
  cohorts: () => Pick<Cohorts, 'known' | 'list' | 'members'>;
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
  answer(query: StoredQuery): Promise<QueryAnswerJson | null>;
}

export type QueriedProject = Pick<ProjectRef, 'id' | 'timezone'>;

export interface Queries {
  open(project: QueriedProject, options: AnsweringOptions): Promise<Answering>;
  /** Throws invalid_input, which has field and place, for a query that could not be compiled; runs nothing. */
  check(project: QueriedProject, query: StoredQuery): Promise<void>;
  /** Starts a query whose result is polled by its ID; null: a new ID. Throws throttled. */
  begin(project: QueriedProject, query: StoredQuery, how: BeginOptions): QueryState;
  /** Writes all rows of a query to a file, which the caller removes. Throws as `Answering.answer`. */
  export(project: QueriedProject, query: StoredQuery, how: ExportOptions): Promise<ExportFile>;
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
}

export interface ExportOptions {
  readonly actor: Actor;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
}

/** Time limit of async queries. */
const ASYNC_TIMEOUT_MS = 600_000;
const TIMEOUT_MS = 60_000;
/** Maximum length of a query's name. */
const NAMED_LENGTH = 120;
const REFUSED =
  'This query was stopped since it used too much memory. It is refused until Burrow is started again; ask for less with another query.';

const UNCACHED: CompiledQueries = {
  prepare(_, __, query, compile) {
    const { compiled, properties } = compile();
    return { ...compiled, properties, hogql: () => printHogql(query) };
  },
};

export function createQueries(parts: QueryParts): Queries {
  const { db, analytics, clock, newId, log } = parts;
  const cache = createStatementCache({ analytics, clock });
  const compiled = createCompiledQueries();
  const schemaVersions = createSchemaVersions(parts);
  const folder = openExportFolder(parts.exportDir, newId);
  const sourcesNow = (): QuerySources => ({
    parser: parts.parser,
    compiled,
    cohorts: parts.cohorts(),
    settingsOf: parts.settingsOf,
    findAction: (projectId, id) => findAction(db, projectId, id),
    findActionId: (projectId, name) => findLiveActionByName(db, projectId, name),
    listVariables: (projectId) => listAllVariables(db, projectId),
    onPropertiesRead(properties) {
      // After the statement was sent, since nothing depends on it.
      setImmediate(() => {
        parts.channel
          .call({ kind: 'store.asked', properties })
          .catch((error: unknown) => log.debug({ err: error }, 'What a question reads was not counted'));
      });
    },
  });
  const named = createAsyncQueries({
    clock,
    newId,
    onFailure: (error) => log.error({ err: error }, 'A query failed'),
  });

  const hidesPersons = (actor: Actor, projectId: number): boolean =>
    parts.access.levelOf(actor, projectId, 'person', null) === 'none';

  async function openAt(project: QueriedProject, actor: Actor, exportRows?: number): Promise<ProjectContext> {
    const inputs = await schemaVersions.of(project.id);
    const rows = exportRows === undefined ? {} : { exportRows };
    const hides = hidesPersons(actor, project.id);
    return openProject(sourcesNow(), project, inputs, { now: clock(), hidesPersons: hides, ...rows });
  }

  /** `after`: results computed before this sequence number are not used. */
  function optionsOf(
    { answers, signal, timeoutMs = TIMEOUT_MS }: Omit<AnsweringOptions, 'actor'>,
    after: number,
    query?: QueryName,
  ): AnswerOptions {
    return {
      cache,
      run: { after, signal, timeoutMs, ...(query && { query }) },
      onlyCached: answers === 'known',
      explain: ({ sql, params }) => explainStatement(analytics, sql, params, { signal, timeoutMs }),
    };
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
      throw refusalOf(error, query === null ? null : hogqlTextOf(query)) ?? error;
    }
  }

  /**
   * The name of the query for memory limits and logs. Throws query_memory when it has used too much memory before.
   */
  function nameOf(project: QueriedProject, query: StoredQuery): QueryName {
    const source = sourceOf(query);
    const key = createHash('sha256')
      .update(JSON.stringify([project.id, source]))
      .digest('base64');
    if (parts.stopped.isRefused(key)) throw fail('query_memory', { detail: REFUSED });
    const text = (hogqlTextOf(query) ?? source.kind).replaceAll(/\s+/g, ' ').trim();
    return { key, text: text.length > NAMED_LENGTH ? `${text.slice(0, NAMED_LENGTH)}…` : text };
  }

  const queries: Queries = {
    named,
    hidesPersons,
    async close() {
      named.close();
      await folder.remove();
    },
    async check(project, query) {
      // A check is neither cached nor counted for hot columns.
      const sources = { ...sourcesNow(), compiled: UNCACHED, onAsked: () => undefined };
      const inputs = await schemaVersions.of(project.id);
      await checkCompiles(
        query,
        openProject(sources, project, inputs, { now: clock(), hidesPersons: false }),
      );
    },
    begin: (project, query, { actor, id, answers }) =>
      named.start(
        { projectId: project.id, id, hidesPersons: hidesPersons(actor, project.id) },
        async (signal) => {
          const answering = await queries.open(project, {
            actor,
            answers,
            signal,
            timeoutMs: ASYNC_TIMEOUT_MS,
          });
          return (await answering.answer(query))!;
        },
      ),
    async open(project, how) {
      const after = how.answers === 'fresh' ? cache.sequence() : 0;
      const opened = await openAt(project, how.actor);
      return {
        answer: (query) =>
          withApiErrors(query, how.signal, async () => {
            try {
              const name = nameOf(project, query);
              return await answerQuery(query, opened, optionsOf(how, after, name));
            } catch (error) {
              if (error instanceof CacheMiss) return null;
              throw error;
            }
          }),
      };
    },
    events: (project, { actor, signal }) => ({
      matching: (texts, span) =>
        withApiErrors(null, signal, async () =>
          matchingEvents(await openAt(project, actor, ALL_ROWS), texts, span),
        ),
      values: (texts, events) =>
        withApiErrors(null, signal, async () => {
          const context = kindContext(await openAt(project, actor), optionsOf({ answers: 'any', signal }, 0));
          return await eventValues(context, texts, events);
        }),
    }),
    async export(project, query, { actor, format, signal }) {
      const opened = await openAt(project, actor, EXPORT_ROWS);
      const limits = { signal, timeoutMs: ASYNC_TIMEOUT_MS };
      return await withApiErrors(query, signal, async () => {
        const name = nameOf(project, query);
        const exported = await exportQuery(query, opened, optionsOf({ answers: 'any', ...limits }, 0, name));
        return await exportToFile({ analytics, folder }, exported, format, { ...limits, query: name });
      });
    },
  };
  return queries;
}

/** The HogQL text to which positions in errors refer. */
function hogqlTextOf(query: StoredQuery): string | null {
  const { kind, query: text } = sourceOf(query);
  return kind === 'HogQLQuery' && typeof text === 'string' ? text : null;
}
