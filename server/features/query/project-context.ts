import { z } from 'zod';
import type { Query } from '../../hogql/ast.ts';
import { compileHogql } from '../../hogql/compile.ts';
import type { HogqlContext } from '../../hogql/hogql-context.ts';
import type { HogqlParser } from '../../hogql/parse/hogql-parser.ts';
import type { HotProperty } from '../../warehouse/duckdb/hot-columns.ts';
import type { ProjectRef } from '../../http/define-route.ts';
import { isActionId, type Action } from '../actions/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { propertyList, type PropertyLeafNode } from './kinds/property-nodes.contract.ts';
import { eventColumns } from './event-column.ts';
import type { CompiledQueries, Compiling, PreparedQuery } from './compiled-queries.ts';
import type { ActionCondition } from './action-calls.ts';
import { actionExpr } from './filters/property-filter.ts';
import { createLocatedParser } from './located-parser.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { KindContext, QueryVariable } from './query-kind.ts';
import { problemOf } from './query-problem.ts';

/** What belongs to a project beside its data. */
export interface QuerySources {
  parser: HogqlParser;
  compiled: CompiledQueries;
  cohorts: Pick<Cohorts, 'known' | 'list' | 'members'>;
  /** The settings of a project by the names of the API. */
  settingsOf(projectId: number): Readonly<Record<string, unknown>>;
  findAction(projectId: number, id: number): Promise<Action | null>;
  /** The id of a live action by its name. */
  findActionId(projectId: number, name: string): Promise<number | null>;
  listVariables(projectId: number): Promise<readonly QueryVariable[]>;
  /** Told which event properties a statement reads, so that those asked for often get a column. */
  onAsked(properties: readonly HotProperty[]): void;
}

/** A project as the queries of one request see it. */
export interface ProjectContext {
  readonly version: number;
  /** All but the asking, which is told apart by query. */
  readonly known: Omit<KindContext, 'ask' | 'check' | 'explain' | 'actorsOf'>;
  /** Filters of test accounts that were stored earlier and cannot be read, one sentence for each. */
  readonly unreadTestAccounts: readonly string[];
  /** Prints a query for the engine; `rows` is the limit of one that has none. Throws HogqlError. */
  compile(query: Query, rows: number): Promise<PreparedQuery>;
}

/** Rows of one answer. */
export const MAX_ROWS = 50_000;

/** What is no list holds no rules. */
const pathRules = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const displayNames = z.array(z.string());

/** The filters that can be read, and what is wrong with each of the others. */
function readTestAccounts(stored: unknown): { filters: readonly PropertyLeafNode[]; problems: string[] } {
  if (stored === undefined || stored === null) return { filters: [], problems: [] };
  if (!Array.isArray(stored)) return { filters: [], problems: ['They are no list.'] };
  const filters: PropertyLeafNode[] = [];
  const problems: string[] = [];
  stored.forEach((one: unknown, at) => {
    const parsed = propertyList.safeParse([one]);
    if (parsed.success) filters.push(...parsed.data);
    else {
      const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
      problems.push(`Filter ${at + 1} cannot be read and is left out. ${problemOf(issues)}`);
    }
  });
  return { filters, problems };
}

const COHORTS_NEEDED = new Error('The query names cohorts, whose rules have to be read first');

/** Opens a project as of a moment, in Unix milliseconds; `exportRows` is how many rows a file may have; `hidesPersons`
 * refuses what shows persons. */
export function openProject(
  sources: QuerySources,
  project: Pick<ProjectRef, 'id' | 'timezone'>,
  { version, shape }: ProjectFacts,
  { now, hidesPersons, exportRows }: { now: number; hidesPersons: boolean; exportRows?: number },
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
    if (members === null) throw COHORTS_NEEDED;
    return members(idOrName);
  };
  const limitsOf = (rows: number): HogqlContext['limits'] => ({
    defaultRows: exportRows ?? rows,
    maxRows: exportRows ?? MAX_ROWS,
  });

  function compileNow(query: Query, limits: HogqlContext['limits']): Compiling {
    let isLasting = true;
    const columns = eventColumns(shape.hotColumns);
    const changing = <T>(value: T): T => {
      isLasting = false;
      return value;
    };
    const compiled = compileHogql(query, {
      projectId,
      timezone,
      get now() {
        return changing(now);
      },
      propertyType: shape.propertyType,
      eventColumn: columns.find,
      mayHaveSuspects: shape.mayHaveSuspects,
      mayHaveMerges: shape.mayHaveMerges,
      personLimit: shape.personLimit,
      groupTypes: shape.groupTypes,
      cohort: (idOrName) => changing(cohort(idOrName)),
      cohortIds: () => changing(cohorts.list(projectId).map(({ id }) => id)),
      hidesPersons,
      limits,
    });
    return { compiled, properties: columns.asked(), isLasting };
  }

  function compile(query: Query, rows: number): PreparedQuery {
    const limits = limitsOf(rows);
    const settings = [timezone, limits.defaultRows, limits.maxRows, Number(hidesPersons)];
    const prepared = sources.compiled.prepare(shape, settings, query, () => compileNow(query, limits));
    if (prepared.properties.length > 0) sources.onAsked(prepared.properties);
    return prepared;
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
    groupTypes: shape.groupTypes,
    testAccountFilters: testAccounts.filters,
    nameProperties: displayNames.safeParse(settings['person_display_name_properties']).data ?? [],
    pathCleaningFilters: pathRules(settings['path_cleaning_filters']),
    propertyType: shape.propertyType,
    cohort: (id) => cohorts.known(projectId, id),
    action(id) {
      let found = actions.get(id);
      if (found === undefined) actions.set(id, (found = findLiveAction(projectId, id)));
      return found;
    },
    personLimit: shape.personLimit,
    variables: () => sources.listVariables(projectId),
    parse: createLocatedParser(parser, conditionOf),
  };
  return {
    version,
    known,
    unreadTestAccounts: testAccounts.problems,
    async compile(query, rows) {
      try {
        return compile(query, rows);
      } catch (error) {
        if (error !== COHORTS_NEEDED) throw error;
        members = await cohorts.members(projectId, now);
        return compile(query, rows);
      }
    },
  };
}
