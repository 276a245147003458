import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Log } from '../../lib/log.ts';
import {
  failedStatus,
  refreshMode,
  type Answering,
  type Queries,
  type QueriedProject,
  type QueryAnswerJson,
  type Refresh,
  type RefreshMode,
  type StoredQuery,
} from '../query/index.ts';
import type { InsightFailures } from './insight-failures.ts';
import type { InsightAnswer, InsightJson } from './insights.contract.ts';

/** Options of running the queries of insights. */
export interface AnswerOptions {
  /** The viewer, or the creator of the shared link. */
  readonly actor: Actor;
  /**
   * The requested refresh mode; without it cached results are used, and `unasked` says whether the rest is computed.
   */
  readonly refresh?: Refresh | undefined;
  readonly unasked?: 'computed' | 'left';
  /** Values of variables that replace those of the queries. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Errors are thrown, and nothing runs asynchronously: for files, which have no `query_status`. */
  readonly isFile?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** Runs the queries of insights and adds the results to their JSON (management contract 3.4, 9.6). */
export interface InsightAnswers {
  /**
   * Yields each insight with its result, in their order. A failed query has its error in `query_status`; all queries read
   * the same version of the data, and equal queries run once.
   */
  fill<I extends InsightJson>(
    projectId: number,
    insights: readonly I[],
    options: AnswerOptions,
  ): AsyncGenerator<I>;
  /** The same, collected into a list. */
  fillAll<I extends InsightJson>(
    projectId: number,
    insights: readonly I[],
    options: AnswerOptions,
  ): Promise<I[]>;
}

/** Concurrent queries of one request, so that other requests find a free lane. */
const AT_ONCE = 2;

export function createInsightAnswers({
  queries,
  findProject,
  failures,
  log,
}: {
  queries: Pick<Queries, 'open' | 'begin'>;
  findProject: (projectId: number) => QueriedProject | null;
  failures: Pick<InsightFailures, 'note'>;
  log: Log;
}): InsightAnswers {
  function modeOf({ refresh, unasked = 'computed', isFile = false }: AnswerOptions): RefreshMode {
    const mode = refreshMode(refresh);
    if (isFile) return { answers: mode.answers === 'fresh' ? 'fresh' : 'any', isAsync: false };
    return refresh === undefined && unasked === 'left' ? { ...mode, answers: 'known' as const } : mode;
  }

  async function answerOf(
    insight: InsightJson,
    project: QueriedProject,
    answering: Answering,
    options: AnswerOptions,
  ): Promise<Partial<InsightJson>> {
    if (insight.query === null) return {};
    try {
      const query = insight.query as StoredQuery;
      const overrides = { variables: options.variables };
      const answer = await answering.answer(query, overrides);
      if (answer !== null) failures.note(project.id, insight.id, null);
      const { answers, isAsync } = modeOf(options);
      const isLater = isAsync && answers !== 'known' && (answer === null || answers === 'fresh');
      return {
        ...(answer === null ? {} : answerFields(answer)),
        ...(answer?.warnings === undefined ? {} : { warnings: answer.warnings }),
        ...(isLater
          ? {
              query_status: queries.begin(project, query, {
                actor: options.actor,
                id: null,
                answers,
                overrides,
              }).json,
            }
          : {}),
      };
    } catch (error) {
      if (options.signal.aborted || options.isFile === true) throw error;
      if (!(error instanceof ApiError)) log.error({ err: error, insight: insight.id }, 'An insight failed');
      const message = (error instanceof ApiError ? error : fail('server_error')).message;
      // A query refused for one member is not recorded as failed.
      if (!(error instanceof ApiError && error.errorName === 'access_level'))
        failures.note(project.id, insight.id, message);
      return { query_status: failedStatus(project.id, message) };
    }
  }

  async function* fill<I extends InsightJson>(
    projectId: number,
    insights: readonly I[],
    options: AnswerOptions,
  ): AsyncGenerator<I> {
    const project = findProject(projectId);
    if (project === null || insights.every(({ query }) => query === null)) return yield* insights;
    const { answers, isAsync } = modeOf(options);
    const answering = await queries.open(project, {
      actor: options.actor,
      answers: isAsync ? 'known' : answers,
      signal: options.signal,
    });
    const work = insights.map((insight) => async (): Promise<I> => ({
      ...insight,
      ...(await answerOf(insight, project, answering, options)),
    }));
    yield* inTurns(work, AT_ONCE);
  }

  return {
    fill,
    async fillAll(projectId, insights, options) {
      const filled: (typeof insights)[number][] = [];
      for await (const insight of fill(projectId, insights, options)) filled.push(insight);
      return filled;
    },
  };
}

/** Runs all, `atOnce` at a time, and yields their results in order. */
async function* inTurns<T>(work: readonly (() => Promise<T>)[], atOnce: number): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  let next = 0;
  const begin = (): void => {
    if (next >= work.length) return;
    const one = work[next++]!();
    // Its rejection is handled when it is awaited.
    one.catch(() => undefined);
    running.push(one);
  };
  for (let at = 0; at < atOnce; at++) begin();
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const done = await first;
    begin();
    yield done;
  }
}

/** The result of a query in the fields of insights. */
export function answerFields(answer: QueryAnswerJson): Partial<InsightAnswer> {
  return {
    result: answer.results ?? null,
    hasMore: answer.hasMore ?? null,
    columns: answer.columns ?? null,
    types: answer.types ?? null,
    hogql: answer.hogql ?? null,
    timezone: answer.timezone ?? null,
    is_cached: answer.is_cached ?? false,
    last_refresh: answer.last_refresh ?? null,
    cache_target_age: answer.cache_target_age ?? null,
    next_allowed_client_refresh: answer.next_allowed_client_refresh ?? null,
    filters_hash: answer.cache_key ?? null,
  };
}
