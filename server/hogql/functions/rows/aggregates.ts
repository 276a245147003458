import { boolean, mayBeNan, scalar, withNull, type ValueType } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { aggregate, aggregateCall, alsoNamed, ofPersons, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asCondition, asNumber, defaultOf, isNullable, writtenSize, type Reader } from '../read-argument.ts';

const COUNT = scalar('UInt64');
const FLOAT = scalar('Float64');

/** Several arguments as one value that is NULL when one of them is: ClickHouse leaves such rows out. */
export function together(args: readonly Printed[]): string {
  if (args.length === 1) return args[0]!.sql;
  const row = tupleSql(args.map(({ sql }) => sql));
  const known = allKnown(args);
  return known === undefined ? row : `(CASE WHEN ${known} THEN ${row} END)`;
}

/** The condition that none of the arguments is NULL; nothing where none can be. */
export function allKnown(args: readonly Printed[]): string | undefined {
  const conditions = args.filter(({ type }) => type.nullable).map(({ sql }) => `${sql} IS NOT NULL`);
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

/** An aggregate of the numbers of persons below a limit, as one bit for each: faster than a table of those that were seen. */
export function personBits(
  person: string,
  limit: number,
  call: Pick<CallContext, 'filter' | 'suffix'> = { suffix: '' },
): string {
  return aggregateCall(call, `bitstring_agg(${person}, 0, ${limit - 1})`, `${person} < ${limit}`);
}

/** How many different values there are; exact, whatever the name says. */
function countDistinct(args: readonly Printed[], call: CallContext): Printed {
  const [value] = args;
  if (args.length === 1 && value!.type.name === 'Person' && call.personBits !== null) {
    const bits = personBits(value!.sql, call.personBits, call);
    return { sql: `coalesce(bit_count(${bits}), 0)`, type: COUNT };
  }
  return { sql: aggregateCall(call, `count(DISTINCT ${together(args)})`), type: COUNT };
}

/** `uniqUpTo(n)(x)`: how many different values, where they are at most n; one more than n for all above. */
function countUpTo(args: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = countDistinct(args, call);
  return { sql: `least(${sql}, ${writtenSize(call.params, 0, call, 'The number')} + 1)`, type };
}

/** `personSet(person)`: who is in a group; as bits where there is room for so many sets. */
function collected([person]: readonly Printed[], call: CallContext): Printed {
  if (person!.type.name !== 'Person') return call.refuse('Expected a person.', 0);
  const limit = call.personBits;
  const sql =
    limit === null
      ? aggregateCall(call, `list(DISTINCT ${person!.sql})`)
      : personBits(person!.sql, limit, call);
  return { sql, type: { name: 'PersonSet', isList: limit === null, nullable: true } };
}

/** `personNumber(person)`: the number that the store gave a person. */
function personNumber([person]: readonly Printed[], call: CallContext): Printed {
  if (person!.type.name !== 'Person') return call.refuse('Expected a person.', 0);
  return { sql: `CAST(${person!.sql} AS BIGINT)`, type: scalar('Int64', person!.type.nullable) };
}

/** Two sets of persons; both are kept in the same way, as they are of one statement. */
function twoSets(args: readonly Printed[], call: CallContext): { sql: string; isList: boolean }[] {
  return args.map(({ type, sql }, at) =>
    type.name === 'PersonSet' ? { sql, isList: type.isList } : call.refuse('Expected a set of persons.', at),
  );
}

/** `personsInBoth(set, set)`: how many persons two sets share. */
function shared(args: readonly Printed[], call: CallContext): Printed {
  const [a, b] = twoSets(args, call);
  const both = a!.isList ? `len(list_intersect(${a!.sql}, ${b!.sql}))` : `bit_count(${a!.sql} & ${b!.sql})`;
  return { sql: `coalesce(${both}, 0)`, type: COUNT };
}

function count(args: readonly Printed[], call: CallContext): Printed {
  if (args.length === 0) return { sql: aggregateCall(call, 'count(*)'), type: COUNT };
  if (call.distinct) return countDistinct(args, call);
  return { sql: aggregateCall(call, `count(${together(args)})`), type: COUNT };
}

/** With DISTINCT before it where the call has it. */
export function distinctly(call: CallContext, sql: string): string {
  return call.distinct ? `DISTINCT ${sql}` : sql;
}

/** The default of the type where no row was seen; NULL for what may be NULL, as in ClickHouse. */
export function orDefault(sql: string, type: ValueType): Printed {
  return { sql: type.nullable ? sql : `coalesce(${sql}, ${defaultOf(type)})`, type };
}

function sum(args: readonly Printed[], call: CallContext): Printed {
  const value = asNumber(args[0]!, call, 0);
  return orDefault(aggregateCall(call, `sum(${distinctly(call, value.sql)})`), value.type);
}

/** An aggregate whose result is one of its values, the default of their type where there are none. */
function picking(name: string, sql: (value: string, call: CallContext) => string): FunctionRow {
  return aggregate(name, 1, ([value], call) =>
    orDefault(aggregateCall(call, sql(value!.sql, call)), value!.type),
  );
}

/** An aggregate of numbers that is not a number, here NULL, where there are too few. */
function measuring(name: string, arity: 1 | 2, sql: (...values: string[]) => string): FunctionRow {
  return aggregate(name, arity, (args, call) => {
    const values = args.map((value, at) => asNumber(value, call, at).sql);
    const type = withNull(FLOAT, isNullable(args));
    return { sql: aggregateCall(call, sql(distinctly(call, values[0]!), ...values.slice(1))), type };
  });
}

function averageWeighted(args: readonly Printed[], call: CallContext): Printed {
  const [value, weight] = args.map((argument, at) => asNumber(argument, call, at).sql);
  const all = aggregateCall(call, `sum(${value!} * ${weight!})`);
  const weights = aggregateCall(call, `sum(CASE WHEN ${value!} IS NOT NULL THEN ${weight!} END)`);
  return { sql: `(${all} / ${weights})`, type: withNull(FLOAT, isNullable(args)) };
}

/** The value beside the least or greatest one; DuckDB itself leaves out rows where either is NULL. */
function besideExtreme(name: string, duckdb: string): FunctionRow {
  return aggregate(name, 2, ([value, by], call) => {
    const type = withNull(value!.type, isNullable([value!, by!]));
    const order = mayBeNan(by!.type) ? `CASE WHEN NOT isnan(${by!.sql}) THEN ${by!.sql} END` : by!.sql;
    return orDefault(aggregateCall(call, `${duckdb}(${value!.sql}, ${order})`), type);
  });
}

/** The first or last value that is not NULL, in the order of the call, or in that of the rows. */
function edge(name: string, duckdb: 'first' | 'last'): FunctionRow {
  return aggregate(name, 1, ([value], call) => {
    if (call.suffix !== '') {
      const windowed = aggregateCall(call, `${duckdb}_value(${value!.sql} IGNORE NULLS)`);
      return orDefault(windowed, value!.type);
    }
    const condition = value!.type.nullable ? `${value!.sql} IS NOT NULL` : undefined;
    const order = call.order === '' ? '' : ` ${call.order}`;
    return orDefault(aggregateCall(call, `${duckdb}(${value!.sql}${order})`, condition), value!.type);
  });
}

/** All numbers in one; NULL where there are none. */
function folding(name: string, read: Reader, sql: (value: string) => string, type: ValueType): FunctionRow {
  return aggregate(name, 1, (args, call) => {
    const value = read(args[0]!, call, 0);
    const folded = aggregateCall(call, sql(distinctly(call, value.sql)));
    return orDefault(folded, withNull(type, value.type.nullable));
  });
}

const uniqs = [
  'uniq',
  'uniqExact',
  'uniqHLL12',
  'uniqCombined',
  'uniqCombined64',
  'uniqTheta',
  'countDistinct',
  'groupBitmap',
].map((name) => ({
  ...ofPersons(aggregate(name, [1, Infinity], countDistinct)),
  minParams: 0,
  maxParams: 1,
}));

export const aggregates: readonly FunctionRow[] = [
  ofPersons(aggregate('count', [0, Infinity], count)),
  ...uniqs,
  { ...ofPersons(aggregate('uniqUpTo', [1, Infinity], countUpTo)), minParams: 1, maxParams: 1 },
  ofPersons(aggregate('personSet', 1, collected)),
  ofPersons(typed('personNumber', 1, personNumber)),
  typed('personsInBoth', 2, shared),
  ...alsoNamed(aggregate('sum', 1, sum), 'sumWithOverflow'),
  measuring('avg', 1, (x) => `avg(${x})`),
  aggregate('avgWeighted', 2, averageWeighted),
  picking('min', (x) => `min(${x})`),
  // NaN is the largest of all for the engine, and less than all for ClickHouse.
  aggregate('max', 1, ([value], call) => {
    const { sql, type } = value!;
    const known = mayBeNan(type) ? `CASE WHEN NOT isnan(${sql}) THEN ${sql} END` : sql;
    return orDefault(aggregateCall(call, `max(${known})`), type);
  }),
  ...alsoNamed(ofPersons(picking('any', (x) => `any_value(${x})`)), 'any_value'),
  picking('anyHeavy', (x) => `mode(${x})`),
  ofPersons(edge('anyLast', 'last')),
  edge('first_value', 'first'),
  edge('last_value', 'last'),
  ofPersons(besideExtreme('argMin', 'arg_min')),
  ofPersons(besideExtreme('argMax', 'arg_max')),
  ...(
    [
      ['stddevPop', 'stddev_pop'],
      ['stddevSamp', 'stddev_samp'],
      ['varPop', 'var_pop'],
      ['varSamp', 'var_samp'],
    ] as const
  ).map(([name, duckdb]) => measuring(name, 1, (x) => `${duckdb}(${x})`)),
  measuring('corr', 2, (x, y) => `corr(${x}, ${y})`),
  measuring('covarPop', 2, (x, y) => `covar_pop(${x}, ${y})`),
  measuring('covarSamp', 2, (x, y) => `covar_samp(${x}, ${y})`),
  folding('groupBitAnd', asNumber, (x) => `bit_and(${x})`, scalar('Int64')),
  folding('groupBitOr', asNumber, (x) => `bit_or(${x})`, scalar('Int64')),
  folding('groupBitXor', asNumber, (x) => `bit_xor(${x})`, scalar('Int64')),
  ...alsoNamed(
    folding('boolAnd', asCondition, (x) => `bool_and(${x})`, boolean()),
    'bool_and',
    'every',
  ),
  ...alsoNamed(
    folding('boolOr', asCondition, (x) => `bool_or(${x})`, boolean()),
    'bool_or',
  ),
];
