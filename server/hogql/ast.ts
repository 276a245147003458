/**
 * HogQL as a tree: what the grammar yields, narrowed to SELECT and brought into one form. Each node says what it is in
 * `node`. `start` and `end` are offsets in UTF-16 units of the text it was read from; built nodes have none.
 */
export interface Located {
  start?: number;
  end?: number;
}

export type Query = SelectQuery | SelectSetQuery;

export interface SelectQuery extends Located {
  node: 'SelectQuery';
  ctes?: Cte[];
  distinct?: true;
  select: Expr[];
  from?: JoinExpr;
  arrayJoin?: ArrayJoin;
  /** PREWHERE is read as a part of it. */
  where?: Expr;
  groupBy?: GroupBy;
  /** How many groups there are at most, or sets that they hold, where the code that built the query has a limit; no text sets it. */
  mostGroups?: number;
  having?: Expr;
  qualify?: Expr;
  windows?: NamedWindow[];
  orderBy?: OrderExpr[];
  limitBy?: LimitBy;
  limit?: Expr;
  limitWithTies?: true;
  offset?: Expr;
}

/** Queries joined from left to right. ORDER BY belongs to single ones; to order all, a query around them does it. */
export interface SelectSetQuery extends Located {
  node: 'SelectSetQuery';
  /** Seen by every query of the set. */
  ctes?: Cte[];
  first: Query | Placeholder;
  rest: { operator: SetOperator; query: Query | Placeholder }[];
  limit?: Expr;
  offset?: Expr;
}

export type SetOperator =
  'UNION ALL' | 'UNION DISTINCT' | 'INTERSECT' | 'INTERSECT DISTINCT' | 'EXCEPT' | 'EXCEPT DISTINCT';

/**
 * `WITH name AS (SELECT …)` or, as a column, `WITH expression AS name`. Rows that are `kept` are found once for all who read
 * them: no text says so.
 */
export type Cte = Located & { node: 'Cte'; name: string } & (
    | { kind: 'query'; query: Query | Placeholder; columns?: string[]; recursive?: true; kept?: true }
    | { kind: 'column'; expr: Expr }
  );

/** A table with its alias, and how the next one is joined to it. */
export interface JoinExpr extends Located {
  node: 'JoinExpr';
  table: Field | Query | ValuesQuery | Placeholder;
  /** Arguments of a table function; none of them for a table. */
  tableArgs?: Expr[];
  alias?: string;
  columnAliases?: string[];
  /** The share of rows to take, above 0; above 1 it is a number of rows. */
  sample?: { ratio: number; offset?: number };
  /** How this one is joined to those before it; absent at the first. */
  joinType?: JoinType;
  constraint?: { kind: 'ON'; expr: Expr } | { kind: 'USING'; columns: string[] };
  next?: JoinExpr;
}

export const JOIN_TYPES = [
  'INNER JOIN',
  'LEFT JOIN',
  'RIGHT JOIN',
  'FULL JOIN',
  'CROSS JOIN',
  'ASOF JOIN',
  'ASOF LEFT JOIN',
  'ANY INNER JOIN',
  'ANY LEFT JOIN',
  'ANY RIGHT JOIN',
  'LEFT SEMI JOIN',
  'RIGHT SEMI JOIN',
  'LEFT ANTI JOIN',
  'RIGHT ANTI JOIN',
] as const;
export type JoinType = (typeof JOIN_TYPES)[number];

export interface ValuesQuery extends Located {
  node: 'ValuesQuery';
  rows: Expr[][];
}

export interface ArrayJoin {
  /** LEFT ARRAY JOIN keeps rows whose array is empty. */
  left?: true;
  arrays: Alias[];
}

export type GroupBy =
  | { kind: 'exprs' | 'rollup' | 'cube'; exprs: Expr[] }
  | { kind: 'grouping sets'; sets: Expr[][] }
  /** GROUP BY ALL: by every selected column that is no aggregate. */
  | { kind: 'all' };

export interface OrderExpr extends Located {
  node: 'OrderExpr';
  expr: Expr;
  order: 'ASC' | 'DESC';
  /** Absent: last in both orders, as in ClickHouse. */
  nulls?: 'FIRST' | 'LAST';
}

export interface LimitBy {
  limit: Expr;
  offset?: Expr;
  exprs: Expr[];
}

export interface NamedWindow {
  name: string;
  window: Window;
}

export interface Window {
  partitionBy?: Expr[];
  orderBy?: OrderExpr[];
  frame?: { method: 'ROWS' | 'RANGE'; start: FrameBound; end?: FrameBound };
}

/** `value` is absent where the bound is UNBOUNDED. */
export type FrameBound = { kind: 'CURRENT ROW' } | { kind: 'PRECEDING' | 'FOLLOWING'; value?: Expr };

export type Expr =
  | Field
  | Constant
  | Call
  | Compare
  | Between
  | Arithmetic
  | And
  | Or
  | Not
  | Alias
  | Cast
  | Lambda
  | Tuple
  | ArrayExpr
  | ArrayAccess
  | ArraySlice
  | TupleAccess
  | WindowFunction
  | Columns
  | Placeholder
  | SelectQuery
  | SelectSetQuery;

/** A name with its dots: `properties.$browser` is `['properties', '$browser']`; a star is the last part `*`. */
export interface Field extends Located {
  node: 'Field';
  chain: string[];
  /** Of a table: its persons are counted, and none is shown. Only built, never read from a text. */
  isCounted?: true;
}

/** A moment in time, in Unix milliseconds (fractions are microseconds). Only built, never read from a text. */
export interface Moment {
  moment: number;
}

export interface Constant extends Located {
  node: 'Constant';
  /** Whole numbers beyond the safe ones are bigints; numbers may be infinite or NaN. */
  value: null | boolean | number | bigint | string | Moment;
}

/** `name(params)(args)`. CASE, INTERVAL, `||`, `??` and `? :` are calls too: if, multiIf, toIntervalDay, concat, ifNull. */
export interface Call extends Located {
  node: 'Call';
  name: string;
  args: Expr[];
  /** As in `quantile(0.9)(x)`. */
  params?: Expr[];
  distinct?: true;
  /** `sum(x) FILTER (WHERE …)` */
  filter?: Expr;
  /** `groupArray(x ORDER BY …)` */
  orderBy?: OrderExpr[];
}

export const COMPARE_OPERATORS = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'not like',
  'ilike',
  'not ilike',
  'in',
  'not in',
  'in cohort',
  'not in cohort',
  '=~',
  '!~',
  '=~*',
  '!~*',
  'is distinct from',
  'is not distinct from',
] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];

/** `x IS NULL` is `==` with the constant null. Constants in the brackets of IN are a Tuple, also a single one. */
export interface Compare extends Located {
  node: 'Compare';
  op: CompareOperator;
  left: Expr;
  right: Expr;
}

export interface Between extends Located {
  node: 'Between';
  expr: Expr;
  low: Expr;
  high: Expr;
  negated?: true;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

/** `-x` is `0 - x`. */
export interface Arithmetic extends Located {
  node: 'Arithmetic';
  op: ArithmeticOperator;
  left: Expr;
  right: Expr;
}

/** Two or more, none of which is an And itself. */
export interface And extends Located {
  node: 'And';
  exprs: Expr[];
}

/** Two or more, none of which is an Or itself. */
export interface Or extends Located {
  node: 'Or';
  exprs: Expr[];
}

export interface Not extends Located {
  node: 'Not';
  expr: Expr;
}

export interface Alias extends Located {
  node: 'Alias';
  expr: Expr;
  alias: string;
}

/** `CAST(expr AS type)` and `expr::type`; the type's name is in lower case, as the text has it otherwise. */
export interface Cast extends Located {
  node: 'Cast';
  expr: Expr;
  type: string;
  /** TRY_CAST: null instead of an error. */
  try?: true;
}

export interface Lambda extends Located {
  node: 'Lambda';
  args: string[];
  expr: Expr;
}

export interface Tuple extends Located {
  node: 'Tuple';
  exprs: Expr[];
}

export interface ArrayExpr extends Located {
  node: 'Array';
  exprs: Expr[];
}

/** `array[index]`, counted from 1; `properties['$browser']` and `f(x).name` too. */
export interface ArrayAccess extends Located {
  node: 'ArrayAccess';
  array: Expr;
  index: Expr;
}

/** `array[from:to]`, both included and counted from 1. */
export interface ArraySlice extends Located {
  node: 'ArraySlice';
  array: Expr;
  from?: Expr;
  to?: Expr;
}

/** `tuple.1` */
export interface TupleAccess extends Located {
  node: 'TupleAccess';
  tuple: Expr;
  index: number;
}

export interface WindowFunction extends Located {
  node: 'WindowFunction';
  name: string;
  args: Expr[];
  params?: Expr[];
  /** A window, or the name of one. */
  over: Window | string;
}

/** `* EXCLUDE (a, b)`, or `COLUMNS('regular expression')`, or `COLUMNS(a, b)`. */
export type Columns = Located & { node: 'Columns' } & (
    { kind: 'all'; exclude: string[] } | { kind: 'regex'; regex: string } | { kind: 'list'; columns: Expr[] }
  );

/** `{filters.dateRange.from}`: a name in braces, replaced before anything looks at the query. */
export interface Placeholder extends Located {
  node: 'Placeholder';
  chain: string[];
}

/** Every kind of node. */
export type Node = Expr | JoinExpr | ValuesQuery | OrderExpr | Cte;
