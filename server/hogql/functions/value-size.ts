import { tuplePartSql } from '../tuple-sql.ts';
import { arrayOf, type ValueType } from '../value-type.ts';
import { unify } from './common-type.ts';
import type { CallContext, Printed } from './function-row.ts';
import { LIMIT_MARK, MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from './growth.ts';
import { once } from './local-time.ts';

/** Bytes that a lambda makes of all items of a list, or that an array has beside its largest item. */
export const MOST_MADE = 262_144;
/** Bytes by which what a lambda makes of an item may be larger than the item's texts, however long the list is. */
const SMALL = 64;
/** Items of a list that are folded to a value which grows, and bytes of the value times the items up to one. */
const MOST_FOLDED = 2_000;
const MOST_FOLDED_BYTES = 64 * MOST_MADE;
/** Texts that one array or tuple may have without a check of their length. */
const FEW_TEXTS = 8;

/** About how many bytes of memory a value takes: a number, or SQL where values of the type differ. */
function bytesOf(type: ValueType, sql: string, call: Pick<CallContext, 'fresh'>): number | string {
  switch (type.name) {
    case 'String':
    case 'JSON':
      return `(16 + coalesce(strlen(${sql}), 0))`;
    case 'Array':
      return `(16 + ${itemBytes(type.item, sql, call)})`;
    case 'Map':
      return `(16 + ${itemBytes(type.key, `map_keys(${sql})`, call)} + ${itemBytes(type.value, `map_values(${sql})`, call)})`;
    case 'Tuple': {
      const parts = type.items.map((item, at) => bytesOf(item, tuplePartSql(sql, at + 1), call));
      return sum(parts);
    }
    case 'UUID':
    case 'Interval':
      return 16;
    default:
      return 8;
  }
}

function itemBytes(item: ValueType, list: string, call: Pick<CallContext, 'fresh'>): string {
  const one = call.fresh();
  const bytes = bytesOf(item, one, call);
  if (typeof bytes === 'number') return `coalesce(len(${list}), 0) * ${bytes}`;
  return `coalesce(list_sum(list_transform(${list}, lambda ${one}: ${bytes})), 0)`;
}

function sum(parts: readonly (number | string)[]): number | string {
  if (parts.every((part) => typeof part === 'number')) return parts.reduce((all, part) => all + part, 0);
  return `(${parts.join(' + ')})`;
}

function hasList(type: ValueType): boolean {
  return type.name === 'Tuple' ? type.items.some(hasList) : type.name === 'Array' || type.name === 'Map';
}

function madeLimit({ name }: Pick<CallContext, 'name'>): string {
  return `${LIMIT_MARK}The result of "${name.replaceAll("'", '')}" is too large: the limit is ${MOST_MADE} bytes.`;
}

/**
 * What a lambda makes of an item, as SQL that fails where so many as the items up to its place would be too large; null
 * where it takes about as much room as the item. `place` is the lambda's second name. Not by the length of the list: the
 * engine would copy the list for each name that it gets.
 */
export function boundedItems(
  made: Printed,
  parameters: readonly Printed[],
  place: string,
  call: CallContext,
): string | null {
  if (parameters.some(({ sql }) => sql === made.sql || `CAST(${sql} AS VARCHAR)` === made.sql)) return null;
  const fixed = bytesOf(made.type, made.sql, call);
  if (typeof fixed === 'number' && fixed <= SMALL) return null;
  const texts = parameters.filter(({ type }) => type.name === 'String' || type.name === 'JSON');
  const usual = [SMALL, ...texts.map(({ sql }) => `coalesce(strlen(${sql}), 0)`)].join(' + ');
  return once(made.sql, call, (value) => {
    const bytes = bytesOf(made.type, value, call);
    const all = `${bytes}::DOUBLE * ${place} > ${MOST_MADE}`;
    // A function can flatten lists in lists and the next one return lists again, so they have no usual size.
    const isLarge = hasList(made.type) ? all : `${bytes} > ${usual} AND ${all}`;
    return unlessTooLarge(isLarge, value, madeLimit(call));
  });
}

/** An accumulator of `list_reduce`, at a place of a list, each of whose items holds a copy of the first value. */
export function boundedState(type: ValueType, sql: string, place: string, call: CallContext): string {
  if (typeof bytesOf(type, sql, call) === 'number') return sql;
  return once(sql, call, (value) => {
    const bytes = bytesOf(type, value, call);
    const isLarge = `${place} > ${MOST_FOLDED} OR ${bytes}::DOUBLE * ${place} > ${MOST_FOLDED_BYTES}`;
    const message = `${LIMIT_MARK}The result of "${call.name}" is too large: its list can have up to ${MOST_FOLDED} items, and its states together ${MOST_FOLDED_BYTES} bytes.`;
    return unlessTooLarge(isLarge, value, message);
  });
}

/** Values that one array or tuple holds, of which all beside the largest must not be too large. */
export function boundedParts(
  args: readonly Printed[],
  call: CallContext,
  use: (values: readonly string[]) => string,
): string {
  const all = args.map(({ sql }) => sql);
  const sqls = Array.from(new Set(all));
  const texts = args.filter(({ type }) => type.name === 'String' || type.name === 'JSON').length;
  const lists = args.filter(({ type }) => hasList(type)).length;
  if (args.every(({ constant }) => constant !== undefined) || (lists < 2 && texts <= FEW_TEXTS))
    return use(all);
  return onceEach(sqls, call, (...found) => {
    const names = all.map((sql) => found[sqls.indexOf(sql)]!);
    const bytes = names.map((name, at) => bytesOf(args[at]!.type, name, call));
    const beside = `${bytes.join(' + ')} - greatest(${bytes.join(', ')})`;
    return unlessTooLarge(`${beside} > ${MOST_MADE}`, use(names), madeLimit(call));
  });
}

/** Values as an array of one type. */
export function boundedArray(args: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = unify(args, call);
  const items = sql.map((one, at) => ({ ...args[at]!, sql: one, type }));
  return {
    sql: boundedParts(items, call, (values) => `[${values.join(', ')}]`),
    type: arrayOf(type),
    parts: args,
  };
}

/** A list that holds a value so many times: SQL that fails where all of them are too large. */
export function boundedCopies(
  filling: Printed,
  items: string,
  call: CallContext,
): ((list: string, value: string) => string) | null {
  if (typeof bytesOf(filling.type, filling.sql, call) === 'number') return null;
  return (list, value) => {
    const bytes = bytesOf(filling.type, value, call);
    return unlessTooLarge(`${items}::DOUBLE * ${bytes} > ${MOST_MADE}`, list, madeLimit(call));
  };
}

/** A text that is cut into parts, which must not be too many: looked at where it is long. */
export function boundedPieces(text: string, places: string, sql: string, call: CallContext): string {
  const isLarge = `(CASE WHEN strlen(${text}) > ${MOST_ITEMS_OF_ROWS} THEN ${places} >= ${MOST_ITEMS_OF_ROWS} ELSE false END)`;
  const message = `${LIMIT_MARK}The result of "${call.name.replaceAll("'", '')}" is too large: the limit is ${MOST_ITEMS_OF_ROWS} items.`;
  return unlessTooLarge(isLarge, sql, message);
}

/** SQL for how often a pattern is found, which makes no list. */
export function placesOf(text: string, pattern: string): string {
  const replaced = (by: string): string => `length(regexp_replace(${text}, ${pattern}, '${by}', 'gs'))`;
  return `(${replaced('x')} - ${replaced('')})`;
}
