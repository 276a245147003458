import type { ZodType } from 'zod';
import { fail } from '../../../../errors.ts';
import type { Expr, JoinExpr, OrderExpr, Query } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  field,
  from,
  join,
  order,
  select,
  tuple,
  or,
} from '../../../../hogql/build.ts';
import { shownValues } from '../../../../hogql/shown-value.ts';
import { filterExpr, filterContext } from '../../filters.ts';
import {
  defineKind,
  type ActorsSelect,
  type KindAnswer,
  type KindContext,
  type QueryKind,
} from '../../query-kind.ts';
import { actorsQuery, type ActorsQuery } from './schema.ts';
import {
  exprsOf,
  groupsOf,
  isAggregate,
  shownRows,
  shownTypes,
  objectOf,
  withoutLabel,
  type ShownColumn,
  readOrders,
  pageOf,
  actorIds,
} from '../../table-columns.ts';
import { personName } from '../../../persons/index.ts';

/** Distinct ids by the UUID of their person. */
type DistinctIds = ReadonlyMap<string, readonly string[]>;

/** Columns with the complete person or group. */
const WHOLE = new Set(['actor', 'person', 'group', '*']);

/** A column of a list of persons; `distinctIds` is queried after the rows. Throws invalid_input. */
async function personColumn(
  text: string,
  context: KindContext,
  distinctIds: () => DistinctIds,
): Promise<ShownColumn> {
  const column = withoutLabel(text);
  // Lists of PostHog have a button in this column.
  if (column === 'person.$delete') return { name: text, exprs: [constant(1)] };
  if (column === 'person_display_name') {
    return {
      name: text,
      exprs: [field('id'), field('properties')],
      // Without a name it is the id, as in PostHog.
      read: ([id, properties]) => ({
        id,
        display_name: personName(String(id), objectOf(properties), [], context.nameProperties),
      }),
    };
  }
  if (!WHOLE.has(column)) return { name: text, exprs: [await context.parse.expression(text)] };
  return {
    name: text,
    exprs: [field('id'), field('created_at'), field('properties'), field('is_identified')],
    read: ([id, createdAt, properties, isIdentified]) => {
      const ids = distinctIds().get(String(id)) ?? [];
      const object = objectOf(properties);
      return {
        type: 'person',
        id,
        uuid: id,
        name: personName(String(id), object, ids, context.nameProperties),
        distinct_ids: ids,
        properties: object,
        created_at: createdAt,
        is_identified: isIdentified,
      };
    },
  };
}

/** The key of a group behind a point, also of one that has never been identified. */
const GROUP_KEY = field('groups', 'key');
/** The key of its row; NULL without one. */
const IDENTIFIED_KEY = 'identified_key';

/** A column of a list of groups of a type. Throws invalid_input. */
async function groupColumn(text: string, typeIndex: number, context: KindContext): Promise<ShownColumn> {
  if (!WHOLE.has(withoutLabel(text))) return { name: text, exprs: [await context.parse.expression(text)] };
  return {
    name: text,
    exprs: [GROUP_KEY, field(IDENTIFIED_KEY), field('created_at'), field('properties')],
    read: ([id, key, createdAt, json]) => {
      if (key !== id) return { id, group_type_index: typeIndex };
      const properties = objectOf(json);
      return {
        type: 'group',
        id,
        group_key: id,
        group_type_index: typeIndex,
        created_at: createdAt,
        properties,
        // An older name of them, which PostHog's clients read.
        group_properties: properties,
      };
    },
  };
}

/** Properties that people search persons by. */
const SEARCHED = ['email', 'name'] as const;

/** Whose name, address or id holds the text, whatever the case; nothing when there is no text. */
function searchOf(text: string | null | undefined, of: 'persons' | 'groups'): Expr[] {
  const needle = text?.trim() ?? '';
  if (needle === '') return [];
  const holds = (expr: Expr): Expr =>
    compare('>', call('position', call('lowerUTF8', expr), call('lowerUTF8', constant(needle))), constant(0));
  const named = SEARCHED.map((name) => holds(field('properties', name)));
  if (of === 'groups') return [or(holds(GROUP_KEY), ...named)];
  const withDistinctId = select({
    select: [field('person_id')],
    from: from('person_distinct_ids'),
    where: holds(field('distinct_id')),
  });
  return [or(...named, holds(call('toString', field('id'))), compare('in', field('id'), withDistinctId))];
}

const DEFAULT_SELECT = ['person', 'id'];

const shared = {
  role: 'table',
  schema: actorsQuery,
  override: () => ({}),
  plan: planOf,
  table: ({ tree }: ActorsPlan) => tree,
  answer,
} as const;

/** Persons or groups as a table: all, or those behind a point of an insight (management contract 9.9.2). */
export const actorsKind = defineKind({ kind: 'ActorsQuery', ...shared });

/** Its older name. */
export const personsKind = defineKind({ kind: 'PersonsQuery', ...shared });

/**
 * The kind of a query that picks a point, answered by itself as PostHog does: the ids of the persons or groups, with what is
 * known of each.
 */
export function actorsPointKind(kind: string, schema: ZodType): QueryKind {
  return defineKind({
    kind,
    role: 'tool',
    schema,
    override: () => ({}),
    plan: (query, context) => context.actorsOf(query),
    table: ({ select: actors }: ActorsSelect) => actors,
    async answer({ select: actors }: ActorsSelect, { runQuery, timezone }) {
      const table = await runQuery(actors);
      const types = table.columns.map(({ type }) => type);
      return {
        results: shownValues(
          table.rows,
          table.columns.map(({ shown }) => shown),
          timezone,
        ),
        columns: table.columns.map(({ name }) => name),
        types,
        hasMore: table.hasMore,
        limit: table.limit,
        offset: table.offset,
      };
    },
  });
}

interface ActorsPlan {
  readonly tree: Query;
  readonly columns: readonly ShownColumn[];
  /** Runs with the ids of the rows before they are shown. */
  readonly prepare?: (ids: string[]) => Promise<void>;
}

async function answer(
  { tree, columns, prepare }: ActorsPlan,
  { runQuery, timezone }: KindContext,
): Promise<KindAnswer> {
  const listed = await runQuery(tree);
  await prepare?.(listed.rows.map((row) => String(row.at(-1))));
  return {
    results: shownRows(columns, listed, timezone),
    columns: columns.map((column) => column.name),
    types: shownTypes(columns, listed.columns),
    hasMore: listed.hasMore,
    limit: listed.limit,
    offset: listed.offset,
    missing_actors_count: 0,
  };
}

async function planOf(query: ActorsQuery, context: KindContext): Promise<ActorsPlan> {
  const actors = query.source ? await context.actorsOf(query.source) : null;
  if (actors?.isOfSessions === true)
    return await planPersons(await withPerson(query, context), actors, context);
  return actors === null || actors.groupTypeIndex === null
    ? await planPersons(query, actors, context)
    : await planGroups(query, actors, context);
}

/** A list of sessions also shows whose they are; what they add up to does not. */
async function withPerson(query: ActorsQuery, { parse }: KindContext): Promise<ActorsQuery> {
  const texts = selectOf(query);
  const plain = texts.filter((text) => !WHOLE.has(withoutLabel(text)));
  const exprs = await Promise.all(plain.map((text) => parse.expression(text)));
  const isComplete = texts.includes('person') || exprs.some(isAggregate);
  return { ...query, select: isComplete ? [...texts] : [...texts, 'person'] };
}

/** A column of a list of sessions; that of a person unless it is about the session. Throws invalid_input. */
async function sessionColumn(
  text: string,
  context: KindContext,
  distinctIds: () => DistinctIds,
): Promise<ShownColumn> {
  if (!['actor', 'session', '*'].includes(withoutLabel(text))) {
    return await personColumn(text, context, distinctIds);
  }
  return {
    name: text,
    exprs: [ACTOR_ID],
    read: ([id]) => ({ type: 'session', id, session_id: id }),
  };
}

async function planPersons(
  query: ActorsQuery,
  actors: ActorsSelect | null,
  context: KindContext,
): Promise<ActorsPlan> {
  let known: DistinctIds = new Map();
  const listed = personsBehind(actors === null ? null : withoutUnused(actors, query));
  const columnOf = actors?.isOfSessions === true ? sessionColumn : personColumn;
  const columns = await Promise.all(selectOf(query).map((text) => columnOf(text, context, () => known)));
  const filtered = filterContext(context, { rows: 'persons' });
  const filters = await Promise.all([
    filterExpr(query.properties, filtered),
    filterExpr(query.fixedProperties, filtered),
    query.filterTestAccounts === true ? filterExpr(context.testAccountFilters, filtered) : null,
  ]);
  const conditions = [...filters.filter((expr) => expr !== null), ...searchOf(query.search, 'persons')];
  return {
    tree: await treeOf(query, { ...listed, columns, conditions }, context),
    columns,
    prepare: async (ids) => {
      if (columns.some(({ read }) => read !== undefined)) known = await readDistinctIds(ids, context);
    },
  };
}

async function planGroups(
  query: ActorsQuery,
  actors: ActorsSelect,
  context: KindContext,
): Promise<ActorsPlan> {
  refusePersonFilters(query);
  const typeIndex = actors.groupTypeIndex!;
  const columns = await Promise.all(selectOf(query).map((text) => groupColumn(text, typeIndex, context)));
  const conditions = searchOf(query.search, 'groups');
  const source = { source: groupsBehind(actors.select, typeIndex, context), where: [], id: [GROUP_KEY] };
  const listed = { ...source, rows: 'group' as const, columns, conditions };
  return { tree: await treeOf(query, listed, context), columns };
}

/** Filters read persons: a list of groups that ignored them would be wrong. */
function refusePersonFilters({ properties, fixedProperties, filterTestAccounts }: ActorsQuery): void {
  const requested = {
    properties: Array.isArray(properties) ? properties.length > 0 : (properties?.values.length ?? 0) > 0,
    fixedProperties: (fixedProperties?.length ?? 0) > 0,
    filterTestAccounts: filterTestAccounts === true,
  };
  const field = Object.entries(requested).find(([, isSet]) => isSet)?.[0];
  if (field !== undefined) {
    throw fail('invalid_input', { detail: `"${field}" is not supported yet for groups.` });
  }
}

interface Listed {
  readonly source: JoinExpr;
  readonly where: readonly Expr[];
  readonly rows: 'person' | 'group' | 'session';
  /** The columns that identify a row; the first one identifies the person or group. */
  readonly id: readonly Expr[];
  readonly columns: readonly ShownColumn[];
  readonly conditions: readonly Expr[];
}

/** Rows of persons or groups, or what they add up to. */
async function treeOf(query: ActorsQuery, listed: Listed, context: KindContext): Promise<Query> {
  const { source, where, rows, id, columns, conditions } = listed;
  const aggregates = columns.flatMap(({ exprs }) => exprs.filter(isAggregate));
  const isGrouped = aggregates.length > 0;
  return select({
    // The id is what is prepared by, which a file is not.
    select: [...exprsOf(columns), ...(context.isExport || isGrouped ? [] : id.slice(0, 1))],
    from: source,
    where: and(...where, ...conditions),
    ...(isGrouped && { groupBy: groupsOf(columns, rows) }),
    orderBy: isGrouped
      ? await groupedOrders(query, aggregates[0]!, context)
      : await ordersOf(query, id, context),
    ...pageOf(query, context),
  });
}

const ACTOR_ID = field('actors', 'actor_id');
const EVENT_SENDERS = 'event_distinct_ids';

/** Without the senders of events, which take long to collect, unless the list names them. */
function withoutUnused(actors: ActorsSelect, query: ActorsQuery): ActorsSelect {
  const { select: tree } = actors;
  if (tree.node !== 'SelectQuery') return actors;
  if (JSON.stringify({ ...query, source: null }).includes(EVENT_SENDERS)) return actors;
  const columns = tree.select.filter((expr) => columnName(expr) !== EVENT_SENDERS);
  return { ...actors, select: { ...tree, select: columns } };
}

function columnName(expr: Expr): string | null {
  if (expr.node === 'Alias') return expr.alias;
  return expr.node === 'Field' ? String(expr.chain.at(-1)) : null;
}

/** Columns of a point's actors (`event_count`) can be selected and sorted by. */
function personsBehind(actors: ActorsSelect | null): Pick<Listed, 'source' | 'where' | 'rows' | 'id'> {
  const [persons, id] = [from('persons'), field('id')];
  const ofPersons = { source: persons, where: [], rows: 'person', id: [id] } as const;
  if (actors === null) return ofPersons;
  const hasMoreColumns = actors.select.node === 'SelectQuery' && actors.select.select.length > 1;
  if (!hasMoreColumns) return { ...ofPersons, where: [compare('in', id, actorIds(actors))] };
  const owner = actors.isOfSessions === true ? 'person_id' : 'actor_id';
  const same = compare('==', field('persons', 'id'), field('actors', owner));
  const source = join(persons, 'INNER JOIN', from(actors.select, 'actors'), same);
  // A person has several sessions.
  return actors.isOfSessions === true
    ? { source, where: [], rows: 'session', id: [id, ACTOR_ID] }
    : { ...ofPersons, source };
}

/** Columns of groups that are NULL without a row. */
const OF_ROW = ['created_at', 'properties', '$virt_revenue', '$virt_mrr'] as const;

/** Rows as those of the table `groups`, with the point's other columns; groups that were never identified have their key. */
function groupsBehind(actors: Query, typeIndex: number, { projectId }: KindContext): JoinExpr {
  const ofType = select({
    select: [field('key'), ...OF_ROW.map((name) => field(name))],
    from: from('groups'),
    where: compare('==', field('index'), constant(typeIndex)),
  });
  const same = compare('==', ACTOR_ID, field('known', 'key'));
  const more = actors.node === 'SelectQuery' ? actors.select.map(columnName) : [];
  const rows = select({
    select: [
      ...['id', 'key', 'group_key'].map((name) => alias(ACTOR_ID, name)),
      ...['index', 'group_type_index'].map((name) => alias(constant(typeIndex), name)),
      alias(constant(projectId), 'team_id'),
      alias(field('known', 'key'), IDENTIFIED_KEY),
      ...OF_ROW.map((name) => field('known', name)),
      ...more.flatMap((name) => (name === null || name === 'actor_id' ? [] : [field('actors', name)])),
    ],
    from: join(from(actors, 'actors'), 'LEFT JOIN', from(ofType, 'known'), same),
  });
  return from(rows, 'groups');
}

function selectOf({ select: texts }: ActorsQuery): readonly string[] {
  return texts === null || texts === undefined || texts.length === 0 ? DEFAULT_SELECT : texts;
}

function readActorOrders(texts: readonly string[], context: KindContext): Promise<OrderExpr[]> {
  return readOrders(texts, context, { properties: ['properties'], fallback: field('id') });
}

/** The newest first; who came at the same moment by their ids. An empty list of orders: the oldest first. */
async function ordersOf(
  { orderBy }: ActorsQuery,
  id: readonly Expr[],
  context: KindContext,
): Promise<OrderExpr[]> {
  const requested = await readActorOrders(orderBy ?? [], context);
  const usual = order(field('created_at'), orderBy ? 'ASC' : 'DESC');
  return [...(requested.length === 0 ? [usual] : requested), ...id.map((one) => order(one))];
}

/** What they add up to, the greatest first. */
async function groupedOrders(
  { orderBy }: ActorsQuery,
  aggregate: Expr,
  context: KindContext,
): Promise<OrderExpr[]> {
  const requested = await readActorOrders(orderBy ?? [], context);
  return requested.length === 0 ? [order(aggregate, 'DESC')] : requested;
}

async function readDistinctIds(ids: readonly string[], context: KindContext): Promise<DistinctIds> {
  if (ids.length === 0) return new Map();
  const { rows } = await context.runQuery(
    select({
      select: [field('person_id'), call('groupArray', field('distinct_id'))],
      from: from('person_distinct_ids'),
      where: compare('in', field('person_id'), tuple(...ids.map((id) => constant(id)))),
      groupBy: [field('person_id')],
    }),
    { inHogql: false },
  );
  return new Map(rows.map(([id, distinctIds]) => [String(id), distinctIds as string[]]));
}
