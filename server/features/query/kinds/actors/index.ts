import { fail } from '../../../../errors.ts';
import type { Expr, JoinExpr, OrderExpr, Query } from '../../../../hogql/ast.ts';
import {
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
import { filterExpr, filterContext } from '../../filters.ts';
import { defineKind, type ActorsSelect, type KindAnswer, type KindContext } from '../../query-kind.ts';
import { actorsQuery, type ActorsQuery } from './schema.ts';
import {
  exprsOf,
  shownRows,
  shownTypes,
  objectOf,
  withoutLabel,
  type ShownColumn,
  readOrders,
  pageOf,
  actorIds,
} from '../../table-columns.ts';
import { NAME_PROPERTIES, personName } from '../../../persons/index.ts';

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
      read: ([id, properties]) => {
        const ids = distinctIds().get(String(id)) ?? [];
        return {
          id,
          display_name: personName(String(id), objectOf(properties), ids, context.nameProperties),
        };
      },
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

/** A column of a list of groups. Throws invalid_input. */
async function groupColumn(text: string, context: KindContext): Promise<ShownColumn> {
  if (withoutLabel(text) === 'id') return { name: text, exprs: [field('key')] };
  if (!WHOLE.has(withoutLabel(text))) return { name: text, exprs: [await context.parse.expression(text)] };
  return {
    name: text,
    exprs: [field('key'), field('index'), field('created_at'), field('properties')],
    read: ([key, index, createdAt, properties]) => ({
      type: 'group',
      id: key,
      group_key: key,
      group_type_index: index,
      created_at: createdAt,
      properties: objectOf(properties),
    }),
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
  if (of === 'groups') return [or(holds(field('key')), ...named)];
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
  if (actors?.isOfSessions === true) return await planPersons(withPerson(query), actors, context);
  return actors === null || actors.groupTypeIndex === null
    ? await planPersons(query, actors, context)
    : await planGroups(query, actors, context);
}

/** A list of sessions also shows whose they are. */
function withPerson(query: ActorsQuery): ActorsQuery {
  const texts = selectOf(query);
  return { ...query, select: texts.includes('person') ? [...texts] : [...texts, 'person'] };
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
    exprs: [field('actors', 'actor_id')],
    read: ([id]) => ({ type: 'session', id, session_id: id }),
  };
}

async function planPersons(
  query: ActorsQuery,
  actors: ActorsSelect | null,
  context: KindContext,
): Promise<ActorsPlan> {
  let known: DistinctIds = new Map();
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
    tree: await treeOf(query, { table: 'persons', id: 'id', actors, columns, conditions }, context),
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
  const columns = await Promise.all(selectOf(query).map((text) => groupColumn(text, context)));
  const conditions = [
    compare('==', field('index'), constant(actors.groupTypeIndex)),
    ...searchOf(query.search, 'groups'),
  ];
  return {
    tree: await treeOf(query, { table: 'groups', id: 'key', actors, columns, conditions }, context),
    columns,
  };
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
  readonly table: 'persons' | 'groups';
  /** The identifying column. */
  readonly id: string;
  /** Null: all. */
  readonly actors: ActorsSelect | null;
  readonly columns: readonly ShownColumn[];
  readonly conditions: readonly Expr[];
}

async function treeOf(query: ActorsQuery, listed: Listed, context: KindContext): Promise<Query> {
  const { id, columns, conditions } = listed;
  const { source, where } = behindPoint(listed);
  return select({
    // The id is what is prepared by, which a file is not.
    select: [...exprsOf(columns), ...(context.isExport ? [] : [field(id)])],
    from: source,
    where: and(...where, ...conditions),
    orderBy: await ordersOf(query, id, context),
    ...pageOf(query, context),
  });
}

/** Columns of a point's actors (`event_count`) can be selected and sorted by. */
function behindPoint({ table, id, actors }: Listed): { source: JoinExpr; where: Expr[] } {
  if (actors === null) return { source: from(table), where: [] };
  const hasMoreColumns = actors.select.node === 'SelectQuery' && actors.select.select.length > 1;
  if (!hasMoreColumns) return { source: from(table), where: [compare('in', field(id), actorIds(actors))] };
  const owner = actors.isOfSessions === true ? 'person_id' : 'actor_id';
  const same = compare('==', field(table, id), field('actors', owner));
  return { source: join(from(table), 'INNER JOIN', from(actors.select, 'actors'), same), where: [] };
}

function selectOf({ select: texts }: ActorsQuery): readonly string[] {
  return texts === null || texts === undefined || texts.length === 0 ? DEFAULT_SELECT : texts;
}

/** By a column, an expression, or the name that a person is shown by. */
async function orderOf(text: string, context: KindContext): Promise<OrderExpr> {
  const byName = /^person_display_name(?:\s*--\s*Person)?(?:\s+(ASC|DESC))?$/i.exec(text.trim());
  if (byName === null) return (await readOrders([text], context))[0]!;
  const names = context.nameProperties.length > 0 ? context.nameProperties : NAME_PROPERTIES;
  const texts = names.map((name) =>
    call('nullIf', call('trim', call('toString', field('properties', name))), constant('')),
  );
  const direction = byName[1]?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC';
  return order(call('coalesce', ...texts, call('toString', field('id'))), direction);
}

/** The newest first; who came at the same moment by their ids. */
async function ordersOf({ orderBy }: ActorsQuery, id: string, context: KindContext): Promise<OrderExpr[]> {
  const requested = await Promise.all((orderBy ?? []).map((text) => orderOf(text, context)));
  return [...(requested.length === 0 ? [order(field('created_at'), 'DESC')] : requested), order(field(id))];
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
