import type { Constant, Expr, Field, Lambda } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { boundedArray, boundedParts } from '../../functions/value-size.ts';
import { findField } from '../../resolve/find-field.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { aliasesIn } from '../../resolve/walk.ts';
import { boolean, scalar, tupleOf, withNull } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { printAccess, printTupleAccess } from './access.ts';
import { printArithmetic } from './arithmetic.ts';
import { printCall, printWindowFunction } from './call.ts';
import { callContext } from './call-context.ts';
import { printCast } from './cast.ts';
import { toCondition, visible } from './coerce.ts';
import { betweenSql, compareSql } from './compare.ts';
import { microsOf } from './statement.ts';

const BOOL = scalar('Bool');

/** An expression in SQL, with the type of its value. Throws HogqlError for what cannot be answered. */
export function printExpression(node: Expr, scope: Scope): Printed {
  const { select } = scope;
  const before = select.loose.length;
  const printed = select.statement.within(node, () => print(node, scope));
  select.statement.notes?.types.set(node, printed.type);
  if (printed.type.name === 'Lambda') return printed;
  // What rows are grouped by is the same for all of them.
  if (select.groupKeys.has(printed.sql)) select.loose.length = before;
  return printed;
}

/** A condition in SQL, for where NULL is as good as false. */
export function printCondition(node: Expr, scope: Scope, mode: 'condition' | 'on' = 'condition'): string {
  switch (node.node) {
    case 'And':
    case 'Or': {
      const parts = node.exprs.map((expr) => printCondition(expr, scope, mode));
      return parts.length === 0
        ? String(node.node === 'And')
        : `(${parts.join(node.node === 'And' ? ' AND ' : ' OR ')})`;
    }
    case 'Compare':
      return compareSql(node, scope, mode);
    case 'Between':
      return betweenSql(node, node, scope, mode);
    default:
      return toCondition(scope.select.printer.expression(node, scope), scope.select.statement, node);
  }
}

function print(node: Expr, scope: Scope): Printed {
  const { printer, statement } = scope.select;
  switch (node.node) {
    case 'Field':
      return printField(node, scope);
    case 'Constant':
      return printConstant(node, scope);
    case 'Call':
      return printCall(node, scope);
    case 'WindowFunction':
      return printWindowFunction(node, scope);
    case 'Compare':
      return { sql: compareSql(node, scope, 'value'), type: BOOL };
    case 'Between':
      return { sql: betweenSql(node, node, scope, 'value'), type: BOOL };
    case 'Arithmetic':
      return printArithmetic(node, scope);
    case 'And':
    case 'Or':
      return printLogic(node.exprs, node.node === 'And' ? ' AND ' : ' OR ', scope);
    case 'Not': {
      const value = printer.expression(node.expr, scope);
      return {
        sql: `(NOT ${toCondition(value, statement, node.expr)})`,
        type: withNull(isBoolean(value) ? boolean() : BOOL, nullable(value)),
      };
    }
    case 'Alias':
      return printer.expression(node.expr, scope);
    case 'Cast':
      return printCast(node, scope);
    case 'Lambda':
      return printLambda(node, scope);
    case 'Tuple': {
      const items = node.exprs.map((expr) => printer.expression(expr, scope));
      return {
        sql: boundedParts(items, { ...callContext(statement, node, node.exprs), name: 'tuple' }, tupleSql),
        type: tupleOf(items.map((item) => item.type)),
        parts: items,
      };
    }
    case 'Array': {
      const items = node.exprs.map((expr) => visible(printer.expression(expr, scope), statement));
      return boundedArray(items, { ...callContext(statement, node, node.exprs), name: 'array' });
    }
    case 'ArrayAccess':
      return printAccess(node, scope);
    case 'ArraySlice': {
      const list = printer.expression(node.array, scope);
      const bound = (expr: Expr | undefined): string =>
        expr === undefined ? 'NULL' : printer.expression(expr, scope).sql;
      return { sql: `list_slice(${list.sql}, ${bound(node.from)}, ${bound(node.to)})`, type: list.type };
    }
    case 'TupleAccess':
      return printTupleAccess(node, scope);
    case 'SelectQuery':
    case 'SelectSetQuery': {
      const query = printer.query(node, scope, scope.select.queries);
      if (query.columns.length !== 1)
        refuse(`A scalar subquery must return one column, found ${query.columns.length}.`, node);
      return { sql: `(${query.sql})`, type: withNull(query.columns[0]!.type) };
    }
    case 'Columns':
      return refuse('A list of columns is only allowed in SELECT.', node);
    case 'Placeholder':
      return refuse(`{${node.chain.join('.')}} has no value here.`, node);
  }
}

/** Whether a value is true or false, and no comparison, which is 1 or 0. */
function isBoolean({ type }: Printed): boolean {
  return type.name === 'Bool' && type.isBoolean === true;
}

function nullable({ type }: Printed): boolean {
  return type.name !== 'Lambda' && type.nullable;
}

function printField(node: Field, scope: Scope): Printed {
  if (node.chain.at(-1) === '*') return refuse('"*" is only allowed in SELECT or count(*).', node);
  return findField(node, scope);
}

function printConstant({ value }: Constant, scope: Scope): Printed {
  const { statement } = scope.select;
  if (typeof value === 'object' && value !== null) return statement.bindMoment(microsOf(value));
  return statement.bind(value);
}

function printLogic(exprs: readonly Expr[], word: string, scope: Scope): Printed {
  const { printer, statement } = scope.select;
  const values = exprs.map((expr) => printer.expression(expr, scope));
  const parts = values.map((value, at) => toCondition(value, statement, exprs[at]!));
  const type = values.some(isBoolean) ? boolean() : BOOL;
  return { sql: `(${parts.join(word)})`, type: withNull(type, values.some(nullable)) };
}

function printLambda(node: Lambda, scope: Scope): Printed {
  return {
    // Functions that take a lambda never read it as a value.
    get sql() {
      return refuse('Unexpected lambda: the function expects a value.', node);
    },
    type: { name: 'Lambda', nullable: false },
    arity: node.args.length,
    lambda(parameters) {
      const locals = new Map(scope.locals);
      node.args.forEach((name, at) => parameters[at] !== undefined && locals.set(name, parameters[at]));
      // Names that its body gives, the inner ones first.
      for (const { alias, expr } of aliasesIn([node.expr]).toReversed())
        locals.set(alias, scope.select.printer.expression(expr, { ...scope, locals }));
      return scope.select.printer.expression(node.expr, { ...scope, locals });
    },
  };
}
