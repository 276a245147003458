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
import { answerQuery, CacheMiss, exportedBy, kindContext, type AnswerOptions } from './answer-query.ts';
import { checkCompiles } from './check-compiles.ts';
import { createAsyncQueries, type AsyncQueries, type QueryState } from './async-queries.ts';
import { createCompiledQueries, type CompiledQueries } from './compiled-queries.ts';
import { ALL_ROWS, eventValues, matchingEvents, type EventSpan } from './event-expressions.ts';
import { openExportFolder, type ExportFile, type ExportFormat } from './export/export-file.ts';
import { EXPORT_ROWS, exportToFile } from './export/export-query.ts';
import { openProject, type ProjectContext, type QuerySources } from './project-context.ts';
import { createProjectFacts } from './project-facts.ts';
import type { QueryAnswerJson } from './kinds/query-answer.contract.ts';
import { refusalOf } from './query-failure.ts';
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
  /** Asked for with the first query. */
  cohorts: () => Pick<Cohorts, 'known' | 'list' | 'members'>;
  /** The settings of a project by the names of the API. */
  settingsOf: QuerySources['settingsOf'];
  /** A folder of its own, for files that are sent away. */
  exportDir: string;
  /** Queries that are refused since they took too much memory. */
  stopped: Pick<StoppedQueries, 'isRefused'>;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** How queries of one request are answered. */
export interface AnsweringOptions {
  /** Who asks: what shows persons is refused when they are hidden from the actor. */
  readonly actor: Actor;
  /**
   * `any`: known answers count while they are true; `fresh`: only those that are computed from now on; `known`: none is
   * computed.
   */
  readonly answers: 'any' | 'fresh' | 'known';
  /** Ends what is computed. */
  readonly signal: AbortSignal;
  /** Of each statement. Default a minute. */
  readonly timeoutMs?: number;
}

/** Answers queries of a project, all as of one moment and one version of its data. */
export interface Answering {
  /**
   * Null when `answers` is `known` and it is not. Throws an ApiError for whatever is wrong with the query, and what else
   * goes wrong as it is.
   */
  answer(query: StoredQuery): Promise<QueryAnswerJson | null>;
}

/** A project as queries know it. */
export type QueriedProject = Pick<ProjectRef, 'id' | 'timezone'>;

export interface Queries {
  open(project: QueriedProject, options: AnsweringOptions): Promise<Answering>;
  /** Throws invalid_input, which has field and place, for a query that could not be compiled; runs nothing. */
  check(project: QueriedProject, query: StoredQuery): Promise<void>;
  /** Computes an answer that somebody will ask for by the id; null: a new one. Throws throttled. */
  begin(project: QueriedProject, query: StoredQuery, how: BeginOptions): QueryState;
  /** Writes all that a query answers to a file, which is the caller's to remove. Throws as `Answering.answer`. */
  export(project: QueriedProject, query: StoredQuery, how: ExportOptions): Promise<ExportFile>;
  /** Prepares to look at stored events with expressions of HogQL. */
  events(project: QueriedProject, how: Pick<AnsweringOptions, 'actor' | 'signal'>): EventExpressions;
  /** Whether the actor may count persons and see nothing else of them. */
  hidesPersons(actor: Actor, projectId: number): boolean;
  /** Queries by id, while they run and shortly after. */
  readonly named: AsyncQueries;
  /** Ends what is computed for nobody in particular, and removes what was not taken away. */
  close(): Promise<void>;
}

/** Expressions over stored events. Throw an ApiError for what is wrong with them. */
export interface EventExpressions {
  /** The ids of the events for which all hold, as a SELECT of one column `c0`, with its parameters. */
  matching(texts: readonly string[], span: EventSpan): Promise<{ sql: string; params: Params }>;
  /** What they say of events, by their texts, in the order of the events. */
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

/** What is computed beside the request may take longer than anybody waits. */
const ASYNC_TIMEOUT_MS = 600_000;
const TIMEOUT_MS = 60_000;
/** Characters of a query that name it. */
const NAMED_LENGTH = 120;
const REFUSED =
  'This query was stopped because it used too much memory. It is rejected until Burrow is restarted. Change the query to read less data.';

const UNREMEMBERED: CompiledQueries = {
  prepare(_, __, query, compile) {
    const { compiled, properties } = compile();
    return { ...compiled, properties, hogql: () => printHogql(query) };
  },
};

export function createQueries(parts: QueryParts): Queries {
  const { db, analytics, clock, newId, log } = parts;
  const cache = createStatementCache({ analytics, clock });
  const compiled = createCompiledQueries();
  const projectFacts = createProjectFacts(parts);
  const folder = openExportFolder(parts.exportDir, newId);
  const sourcesNow = (): QuerySources => ({
    parser: parts.parser,
    compiled,
    cohorts: parts.cohorts(),
    settingsOf: parts.settingsOf,
    findAction: (projectId, id) => findAction(db, projectId, id),
    findActionId: (projectId, name) => findLiveActionByName(db, projectId, name),
    listVariables: (projectId) => listAllVariables(db, projectId),
    onAsked(properties) {
      // After the statement has gone: nobody waits for this.
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
    const known = await projectFacts.of(project.id);
    const rows = exportRows === undefined ? {} : { exportRows };
    const hides = hidesPersons(actor, project.id);
    return openProject(sourcesNow(), project, known, { now: clock(), hidesPersons: hides, ...rows });
  }

  /** `after`: answers that were begun before this mark do not count. */
  function optionsOf(
    { answers, signal, timeoutMs = TIMEOUT_MS }: Omit<AnsweringOptions, 'actor'>,
    after: number,
    query?: QueryName,
  ): AnswerOptions {
    return {
      cache,
      asked: { after, signal, timeoutMs, ...(query && { query }) },
      onlyCached: answers === 'known',
      explain: ({ sql, params }) => explainStatement(analytics, sql, params, { signal, timeoutMs }),
    };
  }

  /** Runs work for a query, and says what is wrong with it as the API does. */
  async function told<T>(query: StoredQuery | null, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      throw refusalOf(error, query === null ? null : textOf(query)) ?? error;
    }
  }

  /** The query for those who watch what it takes. Throws query_memory where it has taken too much before. */
  function nameOf(project: QueriedProject, query: StoredQuery): QueryName {
    const source = sourceOf(query);
    const key = createHash('sha256')
      .update(JSON.stringify([project.id, source]))
      .digest('base64');
    if (parts.stopped.isRefused(key)) throw fail('query_memory', { detail: REFUSED });
    const text = (textOf(query) ?? source.kind).replaceAll(/\s+/g, ' ').trim();
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
      // What is only checked is no question: it is not remembered, and counts for no column.
      const sources = { ...sourcesNow(), compiled: UNREMEMBERED, onAsked: () => undefined };
      const known = await projectFacts.of(project.id);
      await checkCompiles(query, openProject(sources, project, known, { now: clock(), hidesPersons: false }));
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
      const after = how.answers === 'fresh' ? cache.mark() : 0;
      const opened = await openAt(project, how.actor);
      return {
        answer: (query) =>
          told(query, how.signal, async () => {
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
        told(null, signal, async () => matchingEvents(await openAt(project, actor, ALL_ROWS), texts, span)),
      values: (texts, events) =>
        told(null, signal, async () => {
          const context = kindContext(await openAt(project, actor), optionsOf({ answers: 'any', signal }, 0));
          return await eventValues(context, texts, events);
        }),
    }),
    async export(project, query, { actor, format, signal }) {
      const opened = await openAt(project, actor, EXPORT_ROWS);
      const limits = { signal, timeoutMs: ASYNC_TIMEOUT_MS };
      return await told(query, signal, async () => {
        const name = nameOf(project, query);
        const exported = await exportedBy(query, opened, optionsOf({ answers: 'any', ...limits }, 0, name));
        return await exportToFile({ analytics, folder }, exported, format, { ...limits, query: name });
      });
    },
  };
  return queries;
}

/** The HogQL that places in errors are told of. */
function textOf(query: StoredQuery): string | null {
  const { kind, query: text } = sourceOf(query);
  return kind === 'HogQLQuery' && typeof text === 'string' ? text : null;
}
