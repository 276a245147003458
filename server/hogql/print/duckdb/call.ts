import type { Call, Expr, Located, OrderExpr, WindowFunction } from '../../ast.ts';
import { findFunction, nearestFunctions, refusal } from '../../functions/find-function.ts';
import type { CallContext, FunctionRow, Printed } from '../../functions/function-row.ts';
import { MACROS } from '../../macros.ts';
import { asField } from '../../resolve/as-field.ts';
import { findField } from '../../resolve/find-field.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { copyTree } from '../../resolve/walk.ts';
import { scalar } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { personBits } from './fast/person-bits.ts';
import { visible } from './coerce.ts';
import { lateralArray } from './lateral.ts';
import { windowSql } from './window.ts';

/** Functions that make a list of a size. */
const LISTS = new Set(['range', 'generateseries', 'arraywithconstant']);
/** Clauses that look at rows, before they are brought together. */
const ROW_CLAUSES = ['WHERE', 'GROUP BY', 'ON', 'ARRAY JOIN'];
/** Aggregates whose result says of their first argument only how many values it has. */
const COUNTS = /^(count|uniq|uniqExact|uniqHLL12|uniqCombined|uniqCombined64)(Distinct)?(If)?$/i;
const WINDOW_CLAUSES = ['SELECT', 'ORDER BY', 'QUALIFY'];

/** A call of a function of the table; an aggregate notes itself in the SELECT. */
export function printCall(node: Call, scope: Scope): Printed {
  const special = SPECIAL.get(node.name.toLowerCase());
  if (special !== undefined) return special(node, scope);
  const macro = MACROS.get(node.name.toLowerCase());
  if (macro !== undefined) {
    checkArguments(macro, node, node.args);
    const { notes } = scope.select.statement;
    const expanded = notes === null ? macro.expand(node) : copyTree(macro.expand(node));
    notes?.rewritten.set(node, expanded);
    return scope.select.printer.expression(expanded, scope);
  }
  const row = functionOf(node.name, node);
  if (row.window === true) refuse(`Window function "${node.name}" requires OVER (…).`, node);
  const args = withUnit(
    node.name,
    node.args.filter((arg) => !isStar(arg)),
  );
  checkCounts(row, node, args, node.params ?? []);
  if (row.aggregate !== true) {
    if (node.distinct || node.filter || node.orderBy)
      refuse(
        `"${node.name}" is not an aggregate function: DISTINCT, FILTER and ORDER BY are not supported.`,
        node,
      );
    return run(row, args, node, scope, { params: parameters(node, scope) });
  }
  return printAggregate(row, args, node, scope);
}

/** Functions whose first argument may be a unit without quotes: `dateAdd(day, 3, date)`. */
const OF_UNIT = /^(date_?(add|sub|diff|trunc)|timestamp_?(add|sub|diff)|age)$/i;

function withUnit(name: string, args: readonly Expr[]): readonly Expr[] {
  const [first, ...rest] = args;
  if (first?.node !== 'Field' || first.chain.length !== 1 || rest.length < 2 || !OF_UNIT.test(name))
    return args;
  const value = String(first.chain[0]).toLowerCase();
  return /^(year|quarter|month|week|day|hour|minute|second)s?$/.test(value)
    ? [{ ...first, node: 'Constant', value } as Expr, ...rest]
    : args;
}

/** Calls whose argument is no value. */
const SPECIAL: ReadonlyMap<string, (node: Call, scope: Scope) => Printed> = new Map([
  ['propertytext', propertyText],
  ['exists', exists],
  ['arrayjoin', arrayJoin],
]);

/** Whether a query gives any row. */
function exists(node: Call, scope: Scope): Printed {
  const [query] = node.args;
  if (node.args.length !== 1 || (query?.node !== 'SelectQuery' && query?.node !== 'SelectSetQuery')) {
    return refuse('EXISTS requires a subquery.', node);
  }
  const { sql } = scope.select.printer.query(query, scope, scope.select.queries);
  return { sql: `EXISTS (${sql})`, type: scalar('Bool') };
}

/**
 * `arrayJoin(array)`: an item of the array, with a row for each. The same array is joined once, another one makes rows of
 * every pair. An array of an aggregate or a window is taken apart behind it.
 */
function arrayJoin(node: Call, scope: Scope): Printed {
  const { select } = scope;
  const row = functionOf(node.name, node);
  checkCounts(row, node, node.args, node.params ?? []);
  // Trees of insights have one in their SELECT, and neither groups nor conditions on it.
  if (node.start === undefined) return run(row, node.args, node, scope, {});
  if (scope.locals.size > 0) refuse('arrayJoin cannot be used in a lambda.', node);
  if (select.clause === 'ON') refuse('arrayJoin cannot be used in ON.', node);
  const { hasAggregates, hasWindows } = select;
  const looseBefore = select.loose.length;
  select.hasAggregates = select.hasWindows = false;
  const [array] = node.args;
  const isList = array?.node === 'Call' && LISTS.has(array.name.toLowerCase());
  const print = (): Printed => visible(select.printer.expression(array!, scope), select.statement);
  const printed = isList ? select.statement.allowingLargeLists(print) : print();
  const isBehind = select.hasAggregates || select.hasWindows;
  select.hasAggregates ||= hasAggregates;
  select.hasWindows ||= hasWindows;
  if (isBehind) return row.print([printed], callContext(select.statement, node, node.args));
  select.loose.length = looseBefore;
  if (!select.isInAggregate) select.loose.push(node);
  const known = select.arrayJoins.get(printed.sql);
  if (known !== undefined) return known.item;
  const { type } = row.print([printed], callContext(select.statement, node, node.args));
  const alias = select.statement.fresh('a');
  const item = { sql: `${alias}.c0`, type };
  select.arrayJoins.set(printed.sql, {
    item,
    text: ` CROSS JOIN (SELECT unnest(${lateralArray(printed.sql, select.statement)}) AS c0) AS ${alias}`,
  });
  return item;
}

/** A property as its text in JSON, whatever its type; filters compare by it. ClickHouse has no such function. */
function propertyText(node: Call, scope: Scope): Printed {
  const field = node.args.length === 1 ? asField(node.args[0]!) : null;
  if (field === null) return refuse('"propertyText" requires a property.', node);
  scope.select.statement.notes?.rewritten.set(node, field);
  return findField(field, scope, 'text');
}

function printAggregate(row: FunctionRow, args: readonly Expr[], node: Call, scope: Scope): Printed {
  const { select } = scope;
  if (ROW_CLAUSES.includes(select.clause)) {
    refuse(
      `Aggregate function "${node.name}" cannot be used in ${select.clause}. Use HAVING for conditions on it.`,
      node,
    );
  }
  if (select.isInAggregate)
    refuse(`Aggregate function "${node.name}" is inside another aggregate function.`, node);
  select.hasAggregates = true;
  if (args[0] !== undefined && COUNTS.test(node.name)) select.statement.counted.add(args[0]);
  select.isInAggregate = true;
  try {
    return run(row, args, node, scope, {
      params: parameters(node, scope),
      distinct: node.distinct === true,
      personBits: personBits(select.statement.context.personLimit, select.mostGroups),
      ...(node.filter && { filter: select.printer.condition(node.filter, scope) }),
      ...(node.orderBy && { order: ` ORDER BY ${orderSql(node.orderBy, scope)}` }),
    });
  } finally {
    select.isInAggregate = false;
  }
}

/** A function with OVER: an aggregate, or one that only makes sense there. */
export function printWindowFunction(node: WindowFunction, scope: Scope): Printed {
  const { select } = scope;
  const row = functionOf(node.name, node);
  if (row.aggregate !== true && row.window !== true) refuse(`"${node.name}" cannot be used with OVER.`, node);
  if (select.isInAggregate || !WINDOW_CLAUSES.includes(select.clause)) {
    refuse(
      `Window functions cannot be used in ${select.isInAggregate ? 'an aggregate function' : select.clause}.`,
      node,
    );
  }
  const over = typeof node.over === 'string' ? select.windows.get(node.over) : node.over;
  if (over === undefined) return refuse(`Unknown window "${String(node.over)}".`, node);
  const args = node.args.filter((arg) => !isStar(arg));
  checkCounts(row, node, args, node.params ?? []);
  select.hasWindows = true;
  return run(row, args, node, scope, {
    params: parameters(node, scope),
    suffix: `OVER (${windowSql(over, scope)})`,
  });
}

function run(
  row: FunctionRow,
  args: readonly Expr[],
  node: Call | WindowFunction,
  scope: Scope,
  more: Partial<CallContext>,
): Printed {
  const { printer, statement } = scope.select;
  // arrayJoin yields the items of such a list one after the other, so no row holds the whole list.
  const isTakenApart =
    row.name === 'arrayJoin' && args[0]?.node === 'Call' && LISTS.has(args[0].name.toLowerCase());
  const printed = args.map((arg) => {
    const print = (): Printed => printer.expression(arg, scope);
    const value = isTakenApart ? statement.allowingLargeLists(print) : print();
    return row.takesPersons === true ? value : visible(value, statement);
  });
  return row.print(printed, callContext(statement, node, args, more));
}

function parameters({ params }: Call | WindowFunction, scope: Scope): Printed[] {
  return (params ?? []).map((param) => scope.select.printer.expression(param, scope));
}

function functionOf(name: string, at: Located): FunctionRow {
  const row = findFunction(name);
  if (row !== null) return row;
  const reason = refusal(name);
  if (reason !== null) return refuse(reason, at);
  const names = nearestFunctions(name).map((one) => `"${one}"`);
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
  return refuse(`Unknown function "${name}".${hint}`, at);
}

function checkCounts(
  row: FunctionRow,
  node: Call | WindowFunction,
  args: readonly Expr[],
  params: readonly Expr[],
): void {
  checkArguments(row, node, args);
  const [least, most] = [row.minParams ?? 0, row.maxParams ?? row.minParams ?? 0];
  if (params.length < least || params.length > most) {
    refuse(
      `Function "${node.name}" requires ${amount(least, most, 'parameter')}, found ${params.length}.`,
      node,
    );
  }
}

function checkArguments(
  { minArgs, maxArgs }: Pick<FunctionRow, 'minArgs' | 'maxArgs'>,
  node: Call | WindowFunction,
  args: readonly Expr[],
): void {
  if (args.length < minArgs || args.length > maxArgs) {
    refuse(
      `Function "${node.name}" requires ${amount(minArgs, maxArgs, 'argument')}, found ${args.length}.`,
      node,
    );
  }
}

function amount(least: number, most: number, noun: string): string {
  const plural = (count: number): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);
  if (least === most) return least === 0 ? `no ${noun}s` : plural(least);
  return most === Infinity ? `at least ${plural(least)}` : `${least} to ${plural(most)}`;
}

function isStar(arg: Expr): boolean {
  return arg.node === 'Field' && arg.chain.length === 1 && arg.chain[0] === '*';
}

/** ORDER BY inside an aggregate. */
function orderSql(order: readonly OrderExpr[], scope: Scope): string {
  return order
    .map(
      (one) =>
        `${scope.select.printer.expression(one.expr, scope).sql} ${one.order} NULLS ${one.nulls ?? 'LAST'}`,
    )
    .join(', ');
}
