import type { Store } from '../../server/db/client.ts';
import { findAction } from '../../server/features/actions/index.ts';
import type {
  ActorsSelect,
  KindAnswer,
  KindContext,
  NamedCohort,
  QueryKind,
  Table,
} from '../../server/features/query/query-kind.ts';
import type { Query } from '../../server/hogql/ast.ts';
import { askHogql, type AskOptions } from './ask-hogql.ts';
import { createTestParser } from './hogql-parser.ts';

/** What a test says of the project beside what `askHogql` takes. */
export interface KindOptions extends Pick<
  AskOptions,
  'timezone' | 'now' | 'propertyType' | 'cohort' | 'eventColumn' | 'personLimit'
> {
  weekStartDay?: KindContext['weekStartDay'];
  testAccountFilters?: KindContext['testAccountFilters'];
  pathCleaningFilters?: readonly unknown[];
  cohorts?: readonly NamedCohort[];
  /** Called with each query. */
  onAsk?: (query: Query) => void;
  /** Answers queries instead of the store. */
  runQuery?: (query: Query) => Promise<Table>;
}

/** Project 1 as kinds of queries see it, on the store of an app, or on a store; statements run one for one. */
export async function openKindContext(
  at: { store: Store } | Store,
  {
    weekStartDay = 'sunday',
    testAccountFilters = [],
    pathCleaningFilters = [],
    cohorts = [],
    onAsk,
    runQuery,
    ...options
  }: KindOptions = {},
): Promise<KindContext> {
  const store = 'store' in at ? at.store : at;
  const parser = createTestParser();
  const ask = async (query: Query): Promise<Table> => {
    onAsk?.(query);
    if (runQuery !== undefined) return await runQuery(query);
    const { results, compiled } = await askHogql(store, query, {
      ...options,
      limits: { defaultRows: 50_000 },
    });
    return {
      columns: compiled.columns,
      rows: results,
      hasMore: results.length > compiled.limit,
      limit: compiled.limit,
      offset: compiled.offset,
    };
  };
  return {
    projectId: 1,
    timezone: options.timezone ?? 'UTC',
    weekStartDay,
    now: options.now ?? Date.UTC(2026, 10, 20, 9, 30),
    isExport: false,
    groupTypes: [],
    testAccountFilters,
    nameProperties: [],
    pathCleaningFilters,
    propertyType: options.propertyType ?? (() => null),
    personLimit: options.personLimit ?? null,
    cohort: (id) => cohorts.find((cohort) => cohort.id === id) ?? null,
    async action(id) {
      const action = await findAction(store.db, 1, id);
      return action === null || action.deleted ? null : action;
    },
    canRead: () => true,
    goals: () => Promise.resolve([]),
    variables: async () => [],
    parse: { ...parser, located: (text) => parser.expression(text) },
    runQuery: ask,
    check: () => Promise.reject(new Error('no test asks for it')),
    explain: () => Promise.reject(new Error('no test asks for it')),
    actorsOf: () => Promise.reject(new Error('no test asks for it')),
    answerOf: () => Promise.reject(new Error('no test asks for it')),
  };
}

/** What a kind answers to a query that fits its schema. */
export async function answerOf(kind: QueryKind, query: unknown, context: KindContext): Promise<KindAnswer> {
  return await kind.answer(await kind.plan(query, context), context);
}

/** The actors behind a point of an insight that fits the schema of its kind. */
export async function actorsOf(
  kind: QueryKind,
  query: unknown,
  point: object,
  context: KindContext,
): Promise<ActorsSelect> {
  return await kind.actors!(await kind.plan(query, context), point as never, context);
}
