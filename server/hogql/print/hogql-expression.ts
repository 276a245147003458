import type {
  Call,
  Compare,
  CompareOperator,
  Expr,
  Not,
  OrderExpr,
  Query,
  Window,
  WindowFunction,
} from '../ast.ts';
import { printChain, printConstant, printName, printNames, printText } from './hogql-literal.ts';

/** How the parts of queries within expressions are printed. */
export interface QueryPrinters {
  query(query: Query): string;
  orders(orders: readonly OrderExpr[]): string;
  window(window: Window): string;
}

/** How tightly each kind binds, the loosest first; a part that binds looser than its place requires gets brackets. */
const LEVELS = {
  lambda: 0,
  alias: 1,
  or: 2,
  and: 3,
  not: 4,
  between: 5,
  compare: 6,
  add: 7,
  multiply: 8,
  /** `1.1` is a number, no access to a part of 1. */
  number: 9,
  access: 10,
  atom: 11,
};

const SIGNS: Partial<Record<CompareOperator, string>> = { '==': '=' };

/**
 * Expressions with commas. A lambda that is not the first needs brackets: `a, x -> 1` is a lambda of two arguments.
 */
export function printExprs(exprs: readonly Expr[], printers: QueryPrinters): string {
  const printed = exprs.map((expr, index) => {
    const text = printExpr(expr, printers);
    return index > 0 && expr.node === 'Lambda' ? `(${text})` : text;
  });
  return printed.join(', ');
}

/** An expression of HogQL, with brackets only where it would be read otherwise. */
export function printExpr(expr: Expr, printers: QueryPrinters): string {
  const list = (exprs: readonly Expr[]): string => printExprs(exprs, printers);

  /** An expression at a place that takes what binds at least so tightly. */
  function at(level: number, one: Expr): string {
    const text = print(one);
    return levelOf(one) < level ? `(${text})` : text;
  }

  function print(one: Expr): string {
    switch (one.node) {
      case 'Field':
        return printChain(one.chain);
      case 'Constant':
        return printConstant(one.value);
      case 'Placeholder':
        return `{${printChain(one.chain)}}`;
      case 'SelectQuery':
      case 'SelectSetQuery':
        return `(${printers.query(one)})`;
      case 'Call':
        return printCall(one);
      case 'WindowFunction':
        return printWindowFunction(one);
      case 'Columns':
        if (one.kind === 'all') return `* EXCLUDE (${printNames(one.exclude)})`;
        return `COLUMNS(${one.kind === 'regex' ? printText(one.regex) : list(one.columns)})`;
      case 'Tuple':
        return one.exprs.length === 1 ? `(${list(one.exprs)},)` : `(${list(one.exprs)})`;
      case 'Array':
        return `[${list(one.exprs)}]`;
      case 'Cast':
        return `${one.try ? 'TRY_CAST' : 'CAST'}(${at(LEVELS.or, one.expr)} AS ${one.type})`;
      default:
        return printOperator(one);
    }
  }

  function printOperator(
    one: Exclude<Expr, { node: 'Field' | 'Constant' | 'Placeholder' | 'SelectQuery' | 'SelectSetQuery' }>,
  ): string {
    switch (one.node) {
      case 'Alias':
        return `${at(LEVELS.or, one.expr)} AS ${printName(one.alias)}`;
      case 'Lambda':
        return `${one.args.length === 1 ? printName(one.args[0]!) : `(${printNames(one.args)})`} -> ${at(LEVELS.or, one.expr)}`;
      case 'Or':
        return one.exprs.map((part) => at(LEVELS.and, part)).join(' OR ');
      case 'And':
        return one.exprs.map((part) => at(LEVELS.not, part)).join(' AND ');
      case 'Not':
        return printNot(one);
      case 'Between':
        return `${at(LEVELS.compare, one.expr)} ${one.negated ? 'NOT ' : ''}BETWEEN ${at(LEVELS.add, one.low)} AND ${at(LEVELS.add, one.high)}`;
      case 'Compare':
        return printCompare(one);
      case 'Arithmetic': {
        const level = one.op === '+' || one.op === '-' ? LEVELS.add : LEVELS.multiply;
        return `${at(level, one.left)} ${one.op} ${at(level + 1, one.right)}`;
      }
      case 'ArrayAccess':
        return `${at(LEVELS.access, one.array)}[${print(one.index)}]`;
      case 'ArraySlice':
        return `${at(LEVELS.access, one.array)}[${one.from ? print(one.from) : ''}:${one.to ? print(one.to) : ''}]`;
      case 'TupleAccess':
        return `${at(LEVELS.access, one.tuple)}.${one.index}`;
      default:
        return print(one);
    }
  }

  /** `NOT (a)[1]` would be a call of "not" and an access to what it gives. */
  function printNot({ expr: negated }: Not): string {
    const text = at(LEVELS.compare, negated);
    const isBracketed = levelOf(negated) < LEVELS.compare;
    return text.startsWith('(') && !isBracketed ? `NOT (${text})` : `NOT ${text}`;
  }

  function printCompare({ op, left, right }: Compare): string {
    const before = at(LEVELS.add, left);
    const isNull = right.node === 'Constant' && right.value === null;
    if (isNull && op === '==') return `${before} IS NULL`;
    if (isNull && op === '!=') return `${before} IS NOT NULL`;
    const sign = SIGNS[op] ?? op.toUpperCase();
    const [only] = right.node === 'Tuple' && right.exprs.length === 1 ? right.exprs : [];
    const isShort = (op === 'in' || op === 'not in') && only?.node === 'Constant';
    return `${before} ${sign} ${isShort ? `(${print(only)})` : at(LEVELS.add, right)}`;
  }

  function printCall({ name, params, args, distinct, filter, orderBy }: Call): string {
    const head = params === undefined ? printName(name) : `${printName(name)}(${list(params)})`;
    const order = orderBy === undefined ? '' : ` ORDER BY ${printers.orders(orderBy)}`;
    const after = filter === undefined ? '' : ` FILTER (WHERE ${print(filter)})`;
    return `${head}(${distinct ? 'DISTINCT ' : ''}${list(args)}${order})${after}`;
  }

  function printWindowFunction({ name, params, args, over }: WindowFunction): string {
    const call = printCall({ node: 'Call', name, args, ...(params && { params }) });
    return `${call} OVER ${typeof over === 'string' ? printName(over) : `(${printers.window(over)})`}`;
  }

  return print(expr);
}

function levelOf(expr: Expr): number {
  switch (expr.node) {
    case 'Alias':
      return LEVELS.alias;
    case 'Lambda':
      return LEVELS.lambda;
    case 'Or':
      return LEVELS.or;
    case 'And':
      return LEVELS.and;
    case 'Not':
      return LEVELS.not;
    case 'Between':
      return LEVELS.between;
    case 'Compare':
      return LEVELS.compare;
    case 'Arithmetic':
      return expr.op === '+' || expr.op === '-' ? LEVELS.add : LEVELS.multiply;
    case 'Constant':
      return typeof expr.value === 'number' || typeof expr.value === 'bigint' ? LEVELS.number : LEVELS.atom;
    default:
      return LEVELS.atom;
  }
}
