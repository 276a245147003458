import type { ArrayAccess, Call, Compare, Constant, Expr, Field, Window, WindowFunction } from '../../ast.ts';
import { findFunction } from '../../functions/find-function.ts';
import { functionOfCast } from '../duckdb/cast.ts';
import { microsOf } from '../duckdb/statement.ts';
import type { PropertyType } from '../../hogql-context.ts';
import { TABLES } from '../../tables/tables.ts';
import type { ValueType } from '../../value-type.ts';
import { CLICKHOUSE_CALLS } from './functions.ts';
import type { ClickhouseStatement, QueryPrinter } from './query.ts';
import { jsonTextSql, nameSql, textSql } from './sql-text.ts';

/** In ON, a comparison with NULL is no match, as ClickHouse has it; elsewhere it is 0 or 1, as HogQL has it. */
type Place = 'value' | 'on';

export interface ExpressionPrinter {
  expression(node: Expr, place?: Place): string;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
  like: 'like',
  'not like': 'notLike',
  ilike: 'ilike',
  'not ilike': 'notILike',
};
/** Whether it is an array whose items are no tuples, so that an index after a dot means an item. */
function hasPlainItems(type: ValueType | undefined): boolean {
  if (type?.name !== 'Array') return false;
  return type.item.name === 'Array' ? hasPlainItems(type.item) : type.item.name !== 'Tuple';
}

const ARITHMETIC = { '+': 'plus', '-': 'minus', '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;

/** The items of a list that is written out, as syntax or as a call; null: it is something else. */
function writtenList(node: Expr): readonly Expr[] | null {
  if (node.node === 'Tuple' || node.node === 'Array') return node.exprs;
  return node.node === 'Call' && /^(?:tuple|array)$/i.test(node.name) ? node.args : null;
}

/** Prints expressions; NULL as PostHog's printer has it: `=` with NULL is 0, `!=` is 1, `= NULL` asks for NULL. */
export function createExpressionPrinter(
  { notes, context, database, bind }: ClickhouseStatement,
  printer: Pick<QueryPrinter, 'query' | 'window' | 'orders' | 'sourceOf'>,
): ExpressionPrinter {
  const { timezone } = context;
  const typeOf = (node: Expr): ValueType | undefined => notes.types.get(node);
  const canBeNull = (node: Expr): boolean => {
    const type = typeOf(node);
    return type === undefined || (type.name !== 'Lambda' && type.nullable);
  };
  const list = (nodes: readonly Expr[]): string => nodes.map((one) => expression(one)).join(', ');

  function expression(node: Expr, place: Place = 'value'): string {
    const rewritten = notes.rewritten.get(node);
    if (rewritten !== undefined) return expression(rewritten, place);
    switch (node.node) {
      case 'Field':
        return field(node);
      case 'Constant':
        return constant(node);
      case 'Call':
        return call(node);
      case 'WindowFunction':
        return windowFunction(node);
      case 'Compare':
        return compare(node, place);
      case 'Between': {
        const sql = `and(greaterOrEquals(${expression(node.expr)}, ${sameKind(node.low, node.expr)}), lessOrEquals(${expression(node.expr)}, ${sameKind(node.high, node.expr)}))`;
        const value = place === 'on' ? sql : `ifNull(${sql}, 0)`;
        return node.negated ? `not(${value})` : value;
      }
      case 'Arithmetic':
        return `${ARITHMETIC[node.op]}(${expression(node.left)}, ${expression(node.right)})`;
      case 'And':
      case 'Or':
        return `${node.node.toLowerCase()}(${node.exprs.map((one) => expression(one, place)).join(', ')})`;
      case 'Not':
        return `not(${expression(node.expr, place)})`;
      case 'Alias':
        return `(${expression(node.expr)} AS ${nameSql(node.alias)})`;
      case 'Cast':
        return named(functionOfCast(node.type) ?? 'toString', [node.expr]);
      case 'Lambda':
        return `(${node.args.length === 1 ? nameSql(node.args[0]!) : `(${node.args.map(nameSql).join(', ')})`} -> ${expression(node.expr)})`;
      case 'Tuple':
        return `tuple(${list(node.exprs)})`;
      case 'Array':
        return `[${list(node.exprs)}]`;
      case 'ArrayAccess':
        return access(node);
      case 'ArraySlice': {
        const from = node.from === undefined ? '1' : expression(node.from);
        const length = node.to === undefined ? '' : `, minus(${expression(node.to)}, ${from}) + 1`;
        return `arraySlice(${expression(node.array)}, ${from}${length})`;
      }
      case 'TupleAccess':
        return hasPlainItems(typeOf(node.tuple))
          ? `arrayElement(${expression(node.tuple)}, ${node.index})`
          : `tupleElement(${expression(node.tuple)}, ${node.index})`;
      case 'SelectQuery':
      case 'SelectSetQuery':
        return `(${printer.query(node)})`;
      case 'Columns':
      case 'Placeholder':
        throw new Error(`no value: ${node.node}`);
    }
  }

  function field(node: Field): string {
    const note = notes.fields.get(node);
    if (note === undefined) throw new Error(`no note of ${node.chain.join('.')}`);
    const { source, parts, steps, as, isText } = note;
    if (source === null) {
      const [name, ...rest] = parts;
      if (steps.length > 0) return jsonTextSql(nameSql(name!), [...rest, ...steps]);
      return rest.length === 0 ? nameSql(name!) : partOf(nameSql(name!), rest, isText);
    }
    const { sql, rest } = printer.sourceOf(source).read(parts);
    if (steps.length > 0) return jsonTextSql(sql, [...rest, ...steps]);
    if (rest.length === 0) return typeOf(node)?.name === 'DateTime' ? inZone(sql) : sql;
    const path = parts.slice(0, parts.length - rest.length);
    const owner = ownerOf(path);
    const text = partOf(sql, rest, isText);
    if (owner === null || as === 'text' || rest.length !== 1) return text;
    return typed(text, context.propertyType(owner.kind, rest[0]!, owner.groupTypeIndex));
  }

  /** A part of a tuple, or of JSON text. */
  function partOf(sql: string, rest: readonly string[], isText: boolean): string {
    return isText ? jsonTextSql(sql, rest) : `tupleElement(${sql}, ${Number(rest[0])})`;
  }

  /** Whose properties a path of columns leads to, in any table that has such a path. */
  function ownerOf(
    path: readonly string[],
  ): { kind: 'event' | 'person' | 'group'; groupTypeIndex?: number } | null {
    const [first, ...rest] = path;
    if (rest.length === 0) {
      const owners = [...TABLES.values()].flatMap(({ columns }) => {
        const type = columns.get(first!)?.type;
        return type?.name === 'JSON' && type.owner !== undefined ? [type.owner] : [];
      });
      return owners[0] ?? null;
    }
    const groupIndex = context.groupTypes.indexOf(first!);
    const lazies = [...TABLES.values()].flatMap(
      ({ lazy }) => lazy.get(first!) ?? (groupIndex < 0 ? [] : (lazy.get(`group_${groupIndex}`) ?? [])),
    );
    const [lazy] = lazies;
    const type = lazy === undefined ? undefined : TABLES.get(lazy.table)!.columns.get(rest.at(-1)!)?.type;
    if (type?.name !== 'JSON' || type.owner === undefined) return null;
    return {
      ...type.owner,
      ...(lazy!.groupTypeIndex !== undefined && { groupTypeIndex: lazy!.groupTypeIndex }),
    };
  }

  /** The text of a property as a value of its type, NULL where it says none. */
  function typed(text: string, type: PropertyType | null): string {
    switch (type) {
      case 'Numeric':
        return `accurateCastOrNull(${text}, 'Float64')`;
      case 'Boolean':
        return `transform(${text}, ['true', 'false'], [true, false], NULL)`;
      case 'DateTime':
        return `parseDateTime64BestEffortOrNull(${text}, 6, ${textSql(timezone)})`;
      default:
        return text;
    }
  }

  function inZone(sql: string): string {
    return `toTimeZone(${sql}, ${textSql(timezone)})`;
  }

  function constant({ value }: Constant): string {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return bind(value);
    if (typeof value === 'object') return moment(microsOf(value));
    if (typeof value === 'number' && !Number.isFinite(value))
      return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
    return Object.is(value, -0) ? '-0.0' : String(value);
  }

  function moment(micros: bigint): string {
    const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
    const iso = new Date(Number(seconds) * 1000).toISOString();
    const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0');
    return `toDateTime64(${textSql(`${iso.slice(0, 10)} ${iso.slice(11, 19)}.${fraction}`)}, 6, 'UTC')`;
  }

  /** A text that is written out beside a moment or day is one too. */
  function sameKind(node: Expr, other: Expr): string {
    const sql = expression(node);
    if (node.node !== 'Constant' || typeof node.value !== 'string') return sql;
    switch (typeOf(other)?.name) {
      case 'DateTime':
        return `parseDateTime64BestEffort(${sql}, 6, ${textSql(timezone)})`;
      case 'Date':
        return `toDate(${sql})`;
      case 'UUID':
      case 'Person':
        return `toUUIDOrNull(trimBoth(${sql}))`;
      case 'Int64':
      case 'UInt64':
      case 'Float64':
        return `toFloat64OrNull(${sql})`;
      default:
        return sql;
    }
  }

  function compare(node: Compare, place: Place): string {
    const { op, left, right } = node;
    const isNegative = op.startsWith('not') || op.startsWith('!') || op === 'is distinct from';
    const signed = (sql: string): string => {
      if (place === 'on' || (!canBeNull(left) && !canBeNull(right))) return sql;
      if (!/like|~/.test(op) || !canBeNull(left) || !canBeNull(right))
        return `ifNull(${sql}, ${isNegative ? 1 : 0})`;
      const [a, b] = [expression(left), expression(right)];
      return `ifNull(${sql}, ${isNegative ? `isNotNull(${a}) OR isNotNull(${b})` : `isNull(${a}) AND isNull(${b})`})`;
    };
    switch (op) {
      case 'in':
      case 'not in':
        return membership(node);
      case 'in cohort':
      case 'not in cohort': {
        const members = cohortMembers(right);
        return `${op === 'in cohort' ? 'in' : 'notIn'}(${expression(left)}, ${members})`;
      }
      case '=~':
      case '!~':
      case '=~*':
      case '!~*': {
        const pattern = op.endsWith('*') ? `concat('(?i)', ${expression(right)})` : expression(right);
        const sql = `match(${expression(left)}, ${pattern})`;
        return signed(isNegative ? `not(${sql})` : sql);
      }
      case 'is distinct from':
      case 'is not distinct from':
        return `${isNegative ? 'not' : ''}(${expression(left)} <=> ${expression(right)})`;
      default:
    }
    const [a, b] = [sameKind(left, right), sameKind(right, left)];
    if (right.node === 'Constant' && right.value === null && (op === '==' || op === '!='))
      return `${op === '==' ? 'isNull' : 'isNotNull'}(${a})`;
    if (left.node === 'Constant' && left.value === null && (op === '==' || op === '!='))
      return `${op === '==' ? 'isNull' : 'isNotNull'}(${b})`;
    const sql = `${COMPARISONS[op]!}(${a}, ${b})`;
    if ((op === '==' || op === '!=') && place !== 'on' && canBeNull(left) && canBeNull(right)) {
      return op === '=='
        ? `ifNull(equals(${a}, ${b}), isNull(${a}) AND isNull(${b}))`
        : `ifNull(notEquals(${a}, ${b}), isNotNull(${a}) OR isNotNull(${b}))`;
    }
    return signed(sql);
  }

  function membership({ op, left, right }: Compare): string {
    const name = op === 'in' ? 'in' : 'notIn';
    const value = expression(left);
    if (right.node === 'SelectQuery' || right.node === 'SelectSetQuery')
      return `${name}(${value}, (${printer.query(right)}))`;
    const listed = writtenList(right);
    if (listed !== null) {
      if (listed.length === 0) return op === 'in' ? '0' : '1';
      return `${name}(${value}, tuple(${listed.map((one) => sameKind(one, left)).join(', ')}))`;
    }
    if (right.node === 'Field' && !notes.fields.has(right))
      return `${name}(${value}, ${nameSql(right.chain.join('.'))})`;
    if (right.node === 'Constant') return `${name}(${value}, tuple(${sameKind(right, left)}))`;
    const sql = `has(${expression(right)}, ${value})`;
    return op === 'in' ? `ifNull(${sql}, 0)` : `ifNull(not(${sql}), 1)`;
  }

  function cohortMembers(cohort: Expr): string {
    const table = `${nameSql(database)}.${nameSql('cohort_people')}`;
    return `(SELECT person_id FROM ${table} WHERE project_id = ${context.projectId} AND cohort_id = ${notes.cohorts.get(cohort)!})`;
  }

  function access(node: ArrayAccess): string {
    const type = typeOf(node.array)?.name;
    const [value, index] = [expression(node.array), expression(node.index)];
    if (type === 'Tuple') return `tupleElement(${value}, ${index})`;
    if (type === 'JSON' || type === 'String') return `JSONExtract(${value}, ${index}, 'Nullable(String)')`;
    return `arrayElement(${value}, ${index})`;
  }

  function named(name: string, args: readonly Expr[], parameters: readonly Expr[] = []): string {
    const print = CLICKHOUSE_CALLS.get(name.toLowerCase());
    const texts = args.map((arg) => expression(arg));
    const params = parameters.map((one) => expression(one));
    if (print !== undefined)
      return print(texts, {
        types: args.map(typeOf),
        written: args.map((arg) =>
          arg.node === 'Constant' && typeof arg.value === 'string' ? arg.value : null,
        ),
        params,
        timezone,
        now: context.now,
        dictionary: (dictionary) => textSql(`${database}.${dictionary}`),
      });
    const own = findFunction(name)?.name ?? name;
    return `${own}${params.length === 0 ? '' : `(${params.join(', ')})`}(${texts.join(', ')})`;
  }

  function call(node: Call): string {
    if (node.name.toLowerCase() === 'exists') return `exists(${printer.query(node.args[0] as never)})`;
    const args = node.args.filter(
      (arg) => !(arg.node === 'Field' && arg.chain.length === 1 && arg.chain[0] === '*'),
    );
    if (!node.distinct && !node.filter && !node.orderBy) return named(node.name, args, node.params);
    const name = findFunction(node.name)?.name ?? node.name;
    const params = node.params === undefined ? '' : `(${list(node.params)})`;
    if (node.orderBy !== undefined) return ordered(`${name}${params}`, args, node.orderBy);
    const filter = node.filter === undefined ? '' : ` FILTER (WHERE ${expression(node.filter)})`;
    return `${name}${params}(${node.distinct ? 'DISTINCT ' : ''}${list(args)})${filter}`;
  }

  /** `groupArray(x ORDER BY y)`, for which ClickHouse has no syntax: values are sorted by their keys, then brought together. */
  function ordered(name: string, args: readonly Expr[], orders: NonNullable<Call['orderBy']>): string {
    const keys = orders.map(({ expr }) => expression(expr));
    const sort = orders.every(({ order }) => order === 'DESC') ? 'arrayReverseSort' : 'arraySort';
    const rows = `${sort}(t -> t.2, groupArray(tuple(tuple(${list(args)}), tuple(${keys.join(', ')}))))`;
    const lists = args.map((_, at) => `arrayMap(t -> t.1.${at + 1}, ${rows})`);
    return `arrayReduce(${textSql(name)}, ${lists.join(', ')})`;
  }

  function windowFunction(node: WindowFunction): string {
    const name = findFunction(node.name)?.name ?? node.name;
    const args = node.args.filter((arg) => !(arg.node === 'Field' && arg.chain.at(-1) === '*'));
    const params = node.params === undefined ? '' : `(${list(node.params)})`;
    if (name !== 'lag' && name !== 'lead') {
      const over = typeof node.over === 'string' ? nameSql(node.over) : `(${printer.window(node.over)})`;
      return `${name}${params}(${list(args)}) OVER ${over}`;
    }
    // They take no frame, and a default of NULL only beside a value that may be NULL.
    const [value, ...rest] = args.map((one) => expression(one));
    const isNull = args[2]?.node === 'Constant' && args[2].value === null;
    const texts = [isNull ? `toNullable(${value!})` : value!, ...rest];
    const over =
      typeof node.over === 'string' ? nameSql(node.over) : `(${printer.window(withoutFrame(node.over))})`;
    return `${name}(${texts.join(', ')}) OVER ${over}`;
  }

  return { expression };
}

function withoutFrame({ frame: _, ...window }: Window): Window {
  return window;
}
