import { scalar, withNull, type ValueType } from '../../value-type.ts';
import { commonType, unify } from '../common-type.ts';
import { alsoNamed, ofPersons, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asCondition, asText, defaultOf } from '../read-argument.ts';

const BOOL = scalar('Bool');

/** Conditions and values by turns, and the value for all other cases; a condition that is NULL does not hold. */
function choose(args: readonly Printed[], call: CallContext): Printed {
  if (args.length % 2 === 0)
    return call.refuse('Expected pairs of conditions and values, and a default value.');
  const isValue = (at: number): boolean => at % 2 === 1 || at === args.length - 1;
  const values = unify(
    args.filter((_, at) => isValue(at)),
    call,
  );
  const cases = values.sql.slice(0, -1).map((value, at) => {
    return `WHEN ${asCondition(args[at * 2]!, call, at * 2).sql} THEN ${value}`;
  });
  return { sql: `(CASE ${cases.join(' ')} ELSE ${values.sql.at(-1)!} END)`, type: values.type };
}

/** CASE x WHEN v THEN r … ELSE e END */
function chooseByValue(args: readonly Printed[], call: CallContext): Printed {
  if (args.length < 4 || args.length % 2 !== 0) return call.refuse('Expected pairs of values and results.');
  const results = unify(
    args.slice(1).filter((_, at) => at % 2 === 1 || at === args.length - 2),
    call,
  );
  const wanted = args.slice(1, -1).filter((_, at) => at % 2 === 0);
  const keys = unify([args[0]!, ...wanted], call).sql;
  const cases = wanted.map((_, at) => `WHEN ${keys[at + 1]!} THEN ${results.sql[at]!}`);
  return { sql: `(CASE ${keys[0]!} ${cases.join(' ')} ELSE ${results.sql.at(-1)!} END)`, type: results.type };
}

function firstKnown(args: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = unify(args, call);
  return {
    sql: `coalesce(${sql.join(', ')})`,
    type: withNull(
      type,
      args.every((one) => one.type.nullable),
    ),
  };
}

/** A text without letters, an array without items, a UUID of zeros. */
function emptiness(isEmpty: boolean): FunctionRow['print'] {
  const sign = isEmpty ? '=' : '<>';
  return ([value], call) => {
    const { sql, type } = value!;
    const bool = withNull(BOOL, type.nullable);
    if (type.name === 'Array') return { sql: `(len(${sql}) ${sign} 0)`, type: bool };
    if (type.name === 'Map') return { sql: `(cardinality(${sql}) ${sign} 0)`, type: bool };
    if (type.name === 'UUID') return { sql: `(${sql} ${sign} ${defaultOf(type)})`, type: bool };
    return { sql: `(${asText(value!, call, 0).sql} ${sign} '')`, type: bool };
  };
}

/** `transform(x, [from…], [to…], default)`: the replacement of x; x itself when there is no default. */
function replaced(args: readonly Printed[], call: CallContext): Printed {
  const [value, from, to, otherwise] = args;
  const fallback = otherwise ?? value!;
  if (from!.type.name !== 'Array' || to!.type.name !== 'Array') return call.refuse('Expected two arrays.', 1);
  const item: ValueType = to!.type.item;
  const type = commonType(item, fallback.type) ?? call.refuse('The results must have the same type.', 2);
  const found = `${to!.sql}[list_position(${from!.sql}, ${value!.sql})]`;
  return { sql: `coalesce(${found}, ${fallback.sql})`, type };
}

export const conditionals: readonly FunctionRow[] = [
  ofPersons(typed('if', 3, choose)),
  ofPersons(typed('multiIf', [3, Infinity], choose)),
  ofPersons(typed('caseWithExpression', [4, Infinity], chooseByValue)),
  ofPersons(typed('coalesce', [1, Infinity], firstKnown)),
  // What is never NULL needs no other value, whatever its type.
  ofPersons(
    typed('ifNull', 2, (args, call) => {
      const [value] = args;
      const isComposite = ['Array', 'Map', 'Tuple'].includes(value!.type.name);
      return isComposite && !value!.type.nullable ? value! : firstKnown(args, call);
    }),
  ),
  ofPersons(
    typed('nullIf', 2, (args, call) => {
      const { sql, type } = unify(args, call);
      return { sql: `nullif(${sql[0]!}, ${sql[1]!})`, type: withNull(type) };
    }),
  ),
  ofPersons(typed('isNull', 1, ([value]) => ({ sql: `(${value!.sql} IS NULL)`, type: BOOL }))),
  ofPersons(typed('isNotNull', 1, ([value]) => ({ sql: `(${value!.sql} IS NOT NULL)`, type: BOOL }))),
  typed('assumeNotNull', 1, ([value]) => {
    const type = withNull(value!.type, false);
    const sql = value!.type.nullable ? `coalesce(${value!.sql}, ${defaultOf(type)})` : value!.sql;
    return { sql, type };
  }),
  ofPersons(typed('toNullable', 1, ([value]) => ({ sql: value!.sql, type: withNull(value!.type) }))),
  ...['identity', 'materialize'].map((name) =>
    ofPersons(typed(name, 1, ([value]) => ({ sql: value!.sql, type: value!.type }))),
  ),
  ...alsoNamed(typed('empty', 1, emptiness(true)), 'isEmpty'),
  ...alsoNamed(typed('notEmpty', 1, emptiness(false)), 'isNotEmpty'),
  typed('transform', [3, 4], replaced),
  // What ClickHouse reads of it only says which rows to look at; all are looked at here.
  typed('indexHint', 1, () => ({ sql: 'true', type: BOOL })),
];
