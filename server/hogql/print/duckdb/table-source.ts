import { HiddenPersonsError } from '../../errors.ts';
import type { Printed } from '../../functions/function-row.ts';
import type { HogqlContext, Params } from '../../hogql-context.ts';
import { propertySql, propertyTypeOf, typedText } from './property-sql.ts';
import { outerValue } from './query-source.ts';
import type { Column, LazyJoin, Table } from '../../tables/table.ts';
import { PERSON_PROPERTIES } from '../../tables/events-table.ts';
import { TABLES } from '../../tables/tables.ts';
import { boolean, scalar, type ValueType } from '../../value-type.ts';
import { newSelectState, type Place } from '../../resolve/scope.ts';
import { copyTree } from '../../resolve/walk.ts';
import type { FirstRows, Found, PathStep, Range, Source } from '../../resolve/source.ts';

interface JsonColumn {
  readonly sql: string;
  readonly type: Extract<ValueType, { name: 'JSON' }>;
}

/** What is read of a table, and the name that it has outside of its subquery. */
interface ReadColumn {
  readonly name: string;
  readonly sql: string;
  readonly recent: string;
  readonly needs: string | undefined;
}

type Promoted = ReturnType<HogqlContext['eventColumn']>;

interface TableSource extends Source {
  readonly alias: string;
  /** Of `sessions`: leaves out those of which no event has such a moment (`TableScan.sessionsWith`). */
  limitSessions(conditions: readonly string[]): void;
}

export interface TableOptions {
  readonly name: string;
  readonly sample?: number | null;
  readonly groupTypeIndex?: number | null;
}

/**
 * A table in a query. Its text is a subquery that demands the project of every row and holds exactly what is read: nothing
 * that the query says can take the condition away.
 */
export function createTableSource(
  place: Pick<Place, 'statement' | 'printer'>,
  table: Table,
  options: TableOptions,
): TableSource {
  const { statement } = place;
  const { hidesPersons = false } = statement.context;
  statement.noteRows();
  const alias = statement.fresh('t');
  const read = new Map<string, ReadColumn>();
  const joined = new Map<string, { join: LazyJoin; source: ReturnType<typeof createTableSource> }>();
  /** Columns that are expressions, printed over those that are read. */
  const computed = new Map<string, Printed>();
  const groupTypeIndex = options.groupTypeIndex ?? null;
  let ranges: readonly Range[] = [];
  /** Conditions on moments of the sessions that a joined table is read for. */
  let sessionsWith: readonly string[] = [];

  function demand(wanted: Column): Printed {
    const { type, unmerged } = wanted;
    const isUnmerged = unmerged !== undefined && statement.context.mayHaveMerges === false;
    const { sql, recent = sql, needs }: Column = isUnmerged ? { sql: unmerged, type } : wanted;
    const column = read.get(sql) ?? { name: `k${read.size}`, sql, recent, needs };
    read.set(sql, column);
    // What a table stores as true or false is shown so; a comparison is 1 or 0.
    const own = type.name === 'Bool' ? boolean(type.nullable) : type;
    return { sql: `${alias}.${column.name}`, type: own };
  }

  function checkShown([name]: readonly PathStep[], { type }: JsonColumn): void {
    if (hidesPersons && type.owner?.kind === 'event' && PERSON_PROPERTIES.has(String(name)))
      throw new HiddenPersonsError(`The property "${name!}"`);
  }

  /** A column that can only be counted. */
  function countedOnly(name: string, column: Column): Found {
    return {
      kind: 'value',
      get printed(): Printed {
        throw new HiddenPersonsError(`The column "${name}"`);
      },
      get counted() {
        return demand(column);
      },
    };
  }

  /** A property as the text that it is in JSON. */
  function text(path: readonly PathStep[], column: JsonColumn): Printed {
    checkShown(path, column);
    return textIn(columnOf(path, column, 'String'), path, column);
  }

  function textIn(promoted: Promoted, path: readonly PathStep[], column: JsonColumn): Printed {
    const recent = propertySql(statement, column.sql, path);
    const sql = promoted?.type === 'String' ? `e.${quoted(promoted.column)}` : recent;
    return demand({ sql, recent, type: scalar('String', true) });
  }

  /** A property as a value of its type. */
  function property(path: readonly string[], column: JsonColumn): Printed {
    checkShown(path, column);
    const index = groupTypeIndex ?? column.type.owner?.groupTypeIndex;
    const owner = column.type.owner && {
      ...column.type.owner,
      ...(index !== undefined && { groupTypeIndex: index }),
    };
    const type = propertyTypeOf(statement, owner, path);
    const promoted = columnOf(path, column, type === 'Numeric' ? 'Float64' : 'String');
    if (type === 'Numeric' && promoted?.type === 'Float64') {
      const inJson = { sql: propertySql(statement, column.sql, path), type: scalar('String', true) };
      const number = typedText(statement, inJson, type);
      return demand({ sql: `e.${quoted(promoted.column)}`, recent: number.sql, type: number.type });
    }
    return typedText(statement, textIn(promoted, path, column), type);
  }

  function columnOf(path: readonly PathStep[], { type }: JsonColumn, as: 'String' | 'Float64'): Promoted {
    const isOfEvent = type.owner?.kind === 'event' && path.length === 1;
    return isOfEvent ? statement.context.eventColumn(String(path[0]), as) : null;
  }

  function lazy(name: string, join: LazyJoin): Source {
    const known = joined.get(name);
    if (known !== undefined) return known.source;
    const found = TABLES.get(join.table)!;
    if (hidesPersons && found.ofPersons) throw new HiddenPersonsError(`"${name}"`);
    const source = createTableSource(place, found, {
      name,
      groupTypeIndex: join.groupTypeIndex ?? null,
    });
    source.isOuter = true;
    joined.set(name, { join, source });
    return source;
  }

  /** A SELECT of these columns for each place where rows of the table are; `ids` has the row's id in front of them. */
  function placesOf(columns: readonly ReadColumn[]): { select: string; ids: string }[] {
    const rows = table.rows({
      context: statement.context,
      project: statement.bind(statement.context.projectId).sql,
      needs: new Set(columns.flatMap(({ needs }) => needs ?? [])),
      sample: options.sample ?? null,
      sessionsWith,
      groupTypeIndex,
      embed: (part: { sql: string; params: Params }) => statement.embed(part),
    });
    return rows.map(({ from, isRecent }) => {
      const list = columns.map(({ sql, name, recent }) => `${isRecent ? recent : sql} AS ${name}`);
      return {
        select: `SELECT ${list.length === 0 ? '1 AS k0' : list.join(', ')} FROM ${from}`,
        ids: `SELECT ${[`${table.rowId} AS id`, ...list].join(', ')} FROM ${from}`,
      };
    });
  }

  /** Whether rows are chosen and ordered by nothing but columns of this table: then the first of each place are enough. */
  function canBeLookedUp({ where, order }: FirstRows): boolean {
    const named = `${where ?? ''} ${order}`.matchAll(/\b([a-z]\d+)\.([cke])\d/g);
    return table.rowId !== undefined && [...named].every(([, name, kind]) => name === alias && kind !== 'e');
  }

  function isRead(name: string, { where, order }: FirstRows): boolean {
    return new RegExp(`\\b${alias}\\.${name}\\b`).test(`${where ?? ''} ${order}`);
  }

  /** The ids of the first rows of a place: found by few columns, so that the others are read for these rows alone. */
  function rowsOf({ ids }: { ids: string }, { where, order, count }: FirstRows): string {
    const chosen = where === null ? '' : ` WHERE ${where}`;
    return `SELECT ${alias}.id FROM (${ids}) AS ${alias}${chosen} ORDER BY ${order} LIMIT ${count}`;
  }

  /**
   * What the query says of the moments of this table, as conditions on an event: a row's moments are those of events of its
   * session. Without a beginning most sessions would be in the range, and looking for them would only take longer.
   */
  function momentConditions(): string[] {
    return (table.moments ?? []).flatMap((sql) => {
      const name = `${alias}.${read.get(sql)?.name ?? ''}`;
      const own = ranges.filter(({ column }) => column === name);
      if (!own.some(({ isOpening }) => isOpening)) return [];
      const asEvent = new RegExp(`\\b${alias}\\.k\\d+\\b`, 'g');
      return [own.map(({ condition }) => condition.replaceAll(asEvent, 's.timestamp')).join(' AND ')];
    });
  }

  function column(name: string): Found | null {
    const found = table.columns.get(name);
    if (found === undefined) return null;
    const { sql, type } = found;
    if (hidesPersons && found.ofPersons === true) return countedOnly(name, found);
    if (type.name !== 'JSON') return { kind: 'value', printed: demand(found) };
    return {
      kind: 'properties',
      get printed() {
        if (hidesPersons && type.owner?.kind === 'event')
          throw new HiddenPersonsError(`"${name}" as a whole`);
        return demand(found);
      },
      read: (path) => property(path, { sql, type }),
      text: (path) => text(path, { sql, type }),
    };
  }

  /** The rows as their expressions see them: what a query around the table makes of them concerns none. */
  const own: Source = {
    name: null,
    isOuter: false,
    hasDefaults: false,
    isHidden: false,
    find: column,
    star: () => [],
    names: () => [...table.columns.keys()],
    text: () => alias,
  };

  function expression(name: string): Printed | null {
    const found = table.expressions?.get(name);
    if (found === undefined) return null;
    if (!computed.has(name)) {
      const { notes } = statement;
      // The nodes of one table may be printed for several of its sources.
      const expr = notes === null ? found.expr : copyTree(found.expr);
      const select = newSelectState({ ...place, outer: null, queries: new Map(), rows: null });
      select.sources.push(own);
      computed.set(name, place.printer.expression(expr, { select, locals: new Map() }));
      notes?.expressions.set(`${table.name}.${name}`, { expr, source: own });
    }
    const at = [...computed.keys()].indexOf(name);
    return { sql: `${alias}.e${at}`, type: computed.get(name)!.type };
  }

  const self: TableSource = {
    alias,
    name: options.name,
    isOuter: false,
    hasDefaults: false,
    isHidden: false,
    find(name): Found | null {
      const found = column(name);
      if (found !== null) return outerFound(self, found);
      const printed = expression(name);
      if (printed !== null) return { kind: 'value', printed: outerValue(self, printed) };
      const join = table.lazy.get(name) ?? namedGroup(table, name, statement.context.groupTypes);
      return join === undefined ? null : { kind: 'source', source: lazy(name, join) };
    },
    star: () => [
      ...[...table.columns].filter(([, column]) => column.hidden !== true).map(([name]) => name),
      ...[...(table.expressions ?? [])].filter(([, { hidden }]) => hidden !== true).map(([name]) => name),
    ],
    names: () => [...table.columns.keys(), ...(table.expressions?.keys() ?? []), ...table.lazy.keys()],
    narrow(given) {
      ranges = given;
    },
    limitSessions(conditions) {
      sessionsWith = conditions;
    },
    text(isFirst, firstRows = null) {
      const moments = momentConditions();
      if (table.name === 'sessions') sessionsWith = [...sessionsWith, ...moments];
      else for (const { source } of joined.values()) source.limitSessions(moments);
      // Keys of joins are read too; those of a joined table may need more.
      const joins = [...joined.values()].map(({ join, source }) => joinText(self, join, source));
      const first = firstRows !== null && canBeLookedUp(firstRows) ? firstRows : null;
      const places = placesOf([...read.values()]);
      const keys =
        first === null ? null : placesOf([...read.values()].filter(({ name }) => isRead(name, first)));
      const selects = places.map((place, at) =>
        first === null || keys === null
          ? place.select
          : `${place.select} AND ${table.rowId!} IN (${rowsOf(keys[at]!, first)})`,
      );
      const expressions = [...computed.values()].map(({ sql }, at) => `, ${sql} AS e${at}`).join('');
      const rows = `(${selects.join(' UNION ALL ')}) AS ${alias}`;
      const whole = expressions === '' ? rows : `(SELECT ${alias}.*${expressions} FROM ${rows}) AS ${alias}`;
      const text = `${whole}${joins.join('')}`;
      return isFirst || joins.length === 0 ? text : `(${text})`;
    },
  };
  return self;
}

/** What is found in a source where an outer join may leave it without a row. */
function outerFound(source: Source, found: Found): Found {
  if (!source.isOuter || found.kind === 'source') return found;
  const outer = (printed: Printed): Printed => outerValue(source, printed);
  if (found.kind === 'properties')
    return {
      kind: 'properties',
      get printed() {
        return outer(found.printed);
      },
      read: (path) => outer(found.read(path)),
      text: (path) => outer(found.text(path)),
    };
  return {
    kind: 'value',
    get printed() {
      return outer(found.printed);
    },
    ...('counted' in found && {
      get counted() {
        return outer(found.counted!);
      },
    }),
  };
}

/** `organization.properties.name`, by the name of the group type. */
function namedGroup(table: Table, name: string, groupTypes: readonly string[]): LazyJoin | undefined {
  const index = groupTypes.indexOf(name);
  return index < 0 ? undefined : table.lazy.get(`group_${index}`);
}

function joinText(left: Source, { on }: LazyJoin, right: Source): string {
  const conditions = on.map(([mine, other]) => `${keyOf(left, mine)} = ${keyOf(right, other)}`);
  return ` LEFT JOIN ${right.text(false)} ON ${conditions.join(' AND ')}`;
}

function keyOf(source: Source, name: string): string {
  const found = source.find(name);
  if (found?.kind !== 'value') throw new Error(`no key ${name}`);
  return found.printed.sql;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
