import type { ArrayAccess, Expr, Field, TupleAccess } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { asField } from '../../resolve/as-field.ts';
import { findField, isProperty } from '../../resolve/find-field.ts';
import type { PathStep } from '../../resolve/source.ts';
import { defaultOf } from '../../functions/read-argument.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { tuplePartSql } from '../../tuple-sql.ts';
import { arrayOf, isNumeric, scalar, withNull } from '../../value-type.ts';
import { propertySql } from './property-sql.ts';
import type { Statement } from './statement.ts';

/** One item of an array or map, or one part of a tuple or of JSON. */
export function printAccess(node: ArrayAccess, scope: Scope): Printed {
  const field = asField(node);
  if (field !== null) {
    scope.select.statement.notes?.rewritten.set(node, field);
    return findField(field, scope);
  }
  const item = propertyItem(node, scope);
  if (item !== null) return item;
  const { printer } = scope.select;
  const [list, index] = [printer.expression(node.array, scope), printer.expression(node.index, scope)];
  if (index.type.name === 'Nothing') return index;
  if (list.type.name === 'Nothing') return list;
  if (list.type.name === 'Map') {
    const sql = `list_extract(map_extract(${list.sql}, ${index.sql}), 1)`;
    return orDefault({ sql, type: list.type.value }, list);
  }
  if (list.type.name === 'Array' && isNumeric(index.type)) return itemAt(list, index.sql);
  if (list.type.name === 'JSON' || list.type.name === 'String') return jsonPart(list, index, node, scope);
  if (list.type.name === 'Tuple' && typeof index.constant === 'number')
    return tuplePart(list, index.constant, node);
  return refuse('Only arrays, tuples, maps and properties support element access.', node);
}

/** What there is, or the default of its type; NULL of an array that is NULL itself. */
function orDefault({ sql, type }: Printed, of: Printed): Printed {
  if (type.nullable || of.type.nullable) return { sql, type: withNull(type) };
  return { sql: `coalesce(${sql}, ${defaultOf(type)})`, type };
}

function itemAt(list: Printed, index: string): Printed {
  const item = list.type.name === 'Array' ? list.type.item : scalar('Nothing', true);
  return orDefault({ sql: `list_extract(${list.sql}, ${index})`, type: item }, list);
}

/** Arrays in JSON are counted from 1, as all others. */
function jsonPart(json: Printed, index: Printed, node: ArrayAccess, scope: Scope): Printed {
  const { constant } = index;
  const key = typeof constant === 'number' ? (constant > 0 ? String(constant - 1) : null) : constant;
  if (typeof key !== 'string')
    return refuse(
      'JSON element access requires a constant string, or a constant number starting at 1.',
      node,
    );
  return { sql: propertySql(scope.select.statement, json.sql, [key]), type: scalar('String', true) };
}

/** What is inside of a property, which is text, whatever the type of the property: `properties.list.1`. Null for others. */
function propertyItem(node: ArrayAccess | TupleAccess, scope: Scope): Printed | null {
  const path = pathOf(node);
  if (path === null || !isProperty(path.field, scope)) return null;
  if (path.steps.includes(0))
    refuse(
      `SQL indexes start from one, not from zero. E.g: array${node.node === 'TupleAccess' ? '.1' : '[1]'}`,
      node,
    );
  // A name of its own: the same property may be read as a value elsewhere.
  const field = { ...path.field };
  scope.select.statement.notes?.rewritten.set(node, field);
  return findField(field, scope, 'text', path.steps);
}

function pathOf(node: Expr): { field: Field; steps: readonly PathStep[] } | null {
  const field = asField(node);
  if (field !== null) return { field, steps: [] };
  if (node.node !== 'ArrayAccess' && node.node !== 'TupleAccess') return null;
  const step = node.node === 'TupleAccess' ? node.index : constantOf(node.index);
  const inner = pathOf(node.node === 'TupleAccess' ? node.tuple : node.array);
  if (inner === null || step === null || (typeof step === 'number' && step < 0)) return null;
  return { field: inner.field, steps: [...inner.steps, step] };
}

function constantOf(node: Expr): PathStep | null {
  if (node.node !== 'Constant') return null;
  const { value } = node;
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value)) ? value : null;
}

/** `tuple.1` */
export function printTupleAccess(node: TupleAccess, scope: Scope): Printed {
  const item = propertyItem(node, scope);
  if (item !== null) return item;
  const field = asField(node.tuple);
  const value = scope.select.printer.expression(node.tuple, scope);
  if (value.type.name === 'Array') {
    const { statement } = scope.select;
    return eachPart(value, node, statement) ?? itemAt(value, String(Math.trunc(node.index)));
  }
  // An item of a list in a text.
  if (field !== null && ['String', 'JSON'].includes(value.type.name) && node.index > 0) {
    const json = findField(field, scope, 'text').sql;
    const sql = propertySql(scope.select.statement, json, [String(node.index - 1)]);
    return { sql: `CASE WHEN json_valid(${json}) THEN ${sql} END`, type: scalar('String', true) };
  }
  return tuplePart(value, node.index, node);
}

/** A part of each tuple of an array, as ClickHouse has it; null where the items are no tuples. */
function eachPart(list: Printed, node: TupleAccess, statement: Pick<Statement, 'fresh'>): Printed | null {
  const item = list.type.name === 'Array' ? list.type.item : null;
  if (item === null || (item.name !== 'Tuple' && item.name !== 'Array')) return null;
  const name = statement.fresh('x');
  const one: Printed = { sql: name, type: item };
  const part = item.name === 'Array' ? eachPart(one, node, statement) : tuplePart(one, node.index, node);
  if (part === null) return null;
  return {
    sql: `list_transform(${list.sql}, lambda ${name}: ${part.sql})`,
    type: arrayOf(part.type, list.type.name === 'Array' && list.type.nullable),
  };
}

function tuplePart(value: Printed, index: number, node: TupleAccess | ArrayAccess): Printed {
  const item = value.type.name === 'Tuple' ? value.type.items[index - 1] : undefined;
  if (item === undefined)
    return refuse(`Index ${index} does not exist in a value of type ${value.type.name}.`, node);
  return {
    sql: tuplePartSql(value.sql, index),
    type: value.type.name !== 'Lambda' && value.type.nullable ? withNull(item) : item,
  };
}
