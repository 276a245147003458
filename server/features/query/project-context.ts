import { safeParseExactly } from '../../http/exact-values.ts';
import { visit } from '../../hogql/rewrite.ts';
import { z } from 'zod';
import type { Query, Expr } from '../../hogql/ast.ts';
import { compileForClickhouse } from '../../hogql/print/clickhouse/compile.ts';
import { compileHogql } from '../../hogql/compile.ts';
import type { HogqlContext, CompiledQuery } from '../../hogql/hogql-context.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import { hotKey, type HotProperty, type HotColumn } from '../../warehouse/duckdb/fast/hot-columns.ts';
import type { ProjectRef } from '../../http/define-route.ts';
import { isActionId, type Action } from '../actions/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { propertyList, type PropertyLeafNode } from './node-schema.ts';
import { actionExpr, mayNameActions, withActionConditions, type ActionCondition } from './filters.ts';
import type { ProjectSchemaVersion } from './project-schema-version.ts';
import type { KindContext, QueryVariable } from './query-kind.ts';
import { problemOf } from './query-errors.ts';
import { PROMOTED_PROPERTIES } from '../../warehouse/duckdb/promoted-properties.ts';
import { fail } from '../../errors.ts';
import { describeHogqlError, HogqlError } from '../../hogql/errors.ts';
import { printHogql } from '../../hogql/print/hogql.ts';
import { findTable } from '../../hogql/tables/tables.ts';

/** Longer expressions are truncated in errors. */
const QUOTED = 60;

/**
 * Parses HogQL expressions within a query; errors quote the expression. Actions in them are replaced
 * by their conditions.
 */
function createLocatedParser(parser: HogqlParser, conditionOf: ActionCondition): KindContext['parse'] {
  const withTextInErrors = async <T>(text: string, read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error;
      const quoted = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
      throw fail('invalid_input', { detail: `In '${quoted}': ${describeHogqlError(error, text)}` });
    }
  };
  const named = async <T extends Query | Expr>(text: string, read: Promise<T>): Promise<T> =>
    mayNameActions(text) ? await withActionConditions(await read, conditionOf) : await read;
  const located = (text: string) => named(text, parser.expression(text));
  return {
    expression: (text) => withTextInErrors(text, located(text)),
    order: (text) => withTextInErrors(text, parser.order(text)),
    select: (text) => named(text, parser.select(text)),
    located,
  };
}

const PROMOTED: ReadonlySet<string> = new Set(PROMOTED_PROPERTIES);

/** Finds the columns of `events` that hold properties, and records the properties that a query reads. */
interface EventColumns {
  readonly find: HogqlContext['eventColumn'];
  /** Without properties that always have a column. */
  propertiesRead(): HotProperty[];
}

/** For one query; `hot` are the current hot columns. */
function eventColumns(hot: readonly HotColumn[]): EventColumns {
  const read = new Map<string, HotProperty>();
  return {
    find(name, type) {
      if (PROMOTED.has(name)) return { column: name, type: 'String' };
      const key = hotKey({ name, type });
      read.set(key, { name, type });
      const columns = hot.filter((column) => column.name === name);
      return columns.find((column) => hotKey(column) === key) ?? columns.find(isText) ?? null;
    },
    propertiesRead: () => [...read.values()],
  };
}

function isText({ type }: HotColumn): boolean {
  return type === 'String';
}

/** Sources of project settings and resources. */
export interface QuerySources {
  parser: HogqlParser;
  cohorts: Pick<Cohorts, 'known' | 'list' | 'members'>;
  /** The settings of a project by the names of the API. */
  settingsOf(projectId: number): Readonly<Record<string, unknown>>;
  findAction(projectId: number, id: number): Promise<Action | null>;
  /** The id of a live action by its name. */
  findActionId(projectId: number, name: string): Promise<number | null>;
  /** Live actions, pinned ones first. */
  listGoals(projectId: number): Promise<readonly Action[]>;
  listVariables(projectId: number): Promise<readonly QueryVariable[]>;
}

/** A project as the queries of one request see it. */
export interface ProjectContext {
  readonly version: number;
  /** The database of ClickHouse that answers; null: the file does. */
  readonly database: string | null;
  /** The context of all queries, without methods that run statements. */
  readonly known: Omit<KindContext, 'runQuery' | 'check' | 'explain' | 'actorsOf' | 'answerOf'>;
  /** One sentence per stored test account filter that cannot be read. */
  readonly unreadTestAccounts: readonly string[];
  /** Prints a query for the engine; `rows` is the limit of one that has none. Throws HogqlError. */
  compile(query: Query, rows: number): Promise<PreparedQuery>;
  /** Prints it for ClickHouse, over the tables of a database; the cohorts that it names must be filled there. Throws as `compile`. */
  compileFor(
    database: string,
    query: Query,
    rows: number,
  ): Promise<PreparedQuery & { cohorts: readonly number[] }>;
}

/** Maximum rows of one result. */
export const MAX_ROWS = 50_000;

/** Values that are not lists have no rules. */
const pathRules = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const displayNames = z.array(z.string());

/** The readable filters, and the problem of each of the others. */
function readTestAccounts(stored: unknown): { filters: readonly PropertyLeafNode[]; problems: string[] } {
  if (stored === undefined || stored === null) return { filters: [], problems: [] };
  if (!Array.isArray(stored)) return { filters: [], problems: ['They are not a list.'] };
  const filters: PropertyLeafNode[] = [];
  const problems: string[] = [];
  stored.forEach((one: unknown, at) => {
    const parsed = safeParseExactly(propertyList, [one]);
    if (parsed.success) filters.push(...parsed.data);
    else {
      const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
      problems.push(`Filter ${at + 1} is not valid and was ignored. ${problemOf(issues)}`);
    }
  });
  return { filters, problems };
}

interface OpenProjectOptions {
  /** Unix milliseconds. */
  now: number;
  hidesPersons: boolean;
  /** What the caller may read of resources. Default: nothing. */
  readableRows?: NonNullable<HogqlContext['readableRows']>;
  /** The database of ClickHouse that answers; null or left out: the file does. */
  database?: string | null;
  /** The limit of rows of a file. */
  exportRows?: number;
}

/**
 * Opens a project. With `hidesPersons`, queries that return persons are refused.
 */
export function openProject(
  sources: QuerySources,
  project: Pick<ProjectRef, 'id' | 'timezone'>,
  { version, inputs }: ProjectSchemaVersion,
  { now, hidesPersons, readableRows, database = null, exportRows }: OpenProjectOptions,
): ProjectContext {
  const { cohorts, parser } = sources;
  const { id: projectId, timezone } = project;
  const settings = sources.settingsOf(projectId);
  const testAccounts = readTestAccounts(settings['test_account_filters']);
  const actions = new Map<number, Promise<Action | null>>();
  let members: Awaited<ReturnType<Cohorts['members']>> | null = null;

  async function findLiveAction(ofProject: number, id: number): Promise<Action | null> {
    const action = isActionId(id) ? await sources.findAction(ofProject, id) : null;
    return action === null || action.deleted ? null : action;
  }
  const cohort: HogqlContext['cohort'] = (idOrName) => {
    if (members === null) throw new Error('The rules of cohorts are not loaded');
    return members(idOrName);
  };

  /** The context in which a query is compiled, and the columns that it reads. */
  async function contextOf(
    query: Query,
    rows: number,
  ): Promise<{ context: HogqlContext; columns: EventColumns }> {
    if (members === null && namesCohorts(query)) members = await cohorts.members(projectId, now);
    const columns = eventColumns(inputs.hotColumns);
    const context: HogqlContext = {
      projectId,
      timezone,
      now,
      propertyType: inputs.propertyType,
      eventColumn: columns.find,
      mayHaveSuspects: inputs.mayHaveSuspects,
      mayHaveMerges: inputs.mayHaveMerges,
      personLimit: inputs.personLimit,
      groupTypes: inputs.groupTypes,
      cohort,
      cohortIds: () => cohorts.list(projectId).map(({ id }) => id),
      hidesPersons,
      ...(readableRows && { readableRows }),
      limits: { defaultRows: exportRows ?? rows, maxRows: exportRows ?? MAX_ROWS },
    };
    return { context, columns };
  }

  async function compile(query: Query, rows: number): Promise<PreparedQuery> {
    const { context, columns } = await contextOf(query, rows);
    const compiled = compileHogql(query, context);
    return { ...compiled, properties: columns.propertiesRead(), hogql: () => printHogql(query) };
  }

  async function compileFor(database: string, query: Query, rows: number) {
    const { context } = await contextOf(query, rows);
    const compiled = compileForClickhouse(query, context, { database });
    return { ...compiled, properties: [], hogql: () => printHogql(query) };
  }

  const conditionOf: ActionCondition = async (idOrName) => {
    const id = typeof idOrName === 'number' ? idOrName : await sources.findActionId(projectId, idOrName);
    const action = id === null ? null : await known.action(id);
    return action && (await actionExpr(action, { ...known, rows: 'events', path: (...chain) => chain }));
  };
  const known: ProjectContext['known'] = {
    projectId,
    timezone,
    weekStartDay: settings['week_start_day'] === 1 ? 'monday' : 'sunday',
    now,
    isExport: exportRows !== undefined,
    groupTypes: inputs.groupTypes,
    testAccountFilters: testAccounts.filters,
    nameProperties: displayNames.safeParse(settings['person_display_name_properties']).data ?? [],
    pathCleaningFilters: pathRules(settings['path_cleaning_filters']),
    propertyType: inputs.propertyType,
    cohort: (id) => cohorts.known(projectId, id),
    action(id) {
      let found = actions.get(id);
      if (found === undefined) actions.set(id, (found = findLiveAction(projectId, id)));
      return found;
    },
    goals: () => sources.listGoals(projectId),
    // Only the file has persons as numbers.
    personLimit: database === null ? inputs.personLimit : null,
    canRead(resource) {
      const rows = readableRows?.(resource) ?? null;
      return rows !== null && (rows.byDefault || rows.exceptions.length > 0);
    },
    variables: () => sources.listVariables(projectId),
    parse: createLocatedParser(parser, conditionOf),
  };
  return {
    version,
    database,
    known,
    unreadTestAccounts: testAccounts.problems,
    compile,
    compileFor,
  };
}

/** A compiled query with its text and the properties that it reads. */
export interface PreparedQuery extends CompiledQuery {
  /** The query as HogQL on one line. */
  hogql(): string;
  /** Event properties that it reads, without those that always have a column. */
  readonly properties: readonly HotProperty[];
}

/** Whether compiling a query needs the rules of cohorts. */
function namesCohorts(query: Query): boolean {
  let isFound = false;
  visit(query, (node) => {
    isFound ||= node.node === 'Compare' && node.op.endsWith('in cohort');
    isFound ||= node.node === 'Field' && findTable(node.chain.join('.'))?.name === 'cohort_people';
  });
  return isFound;
}
