import { scalar, withNull } from '../../value-type.ts';
import { unify } from '../common-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asCondition, asMoment, asNumber, isNullable } from '../read-argument.ts';

const BOOL = scalar('Bool');

/** Both sides as one type: a text beside a number or a date is read as one. */
function sides(args: readonly Printed[], call: CallContext): readonly string[] {
  const names = args.map(({ type }) => type.name);
  if (!names.includes('String')) return unify(args, call).sql;
  if (names.includes('Date') || names.includes('DateTime'))
    return args.map((one, at) => asMoment(one, call, at).sql);
  const hasNumber = names.some((name) => name === 'Int64' || name === 'UInt64' || name === 'Float64');
  return hasNumber ? args.map((one, at) => asNumber(one, call, at).sql) : unify(args, call).sql;
}

/** The operators as functions, with the NULL of ClickHouse: what is compared with NULL is NULL. */
const compared = (
  [
    ['equals', '='],
    ['notEquals', '<>'],
    ['less', '<'],
    ['lessOrEquals', '<='],
    ['greater', '>'],
    ['greaterOrEquals', '>='],
  ] as const
).map(([name, sign]) =>
  typed(name, 2, (args, call) => {
    const [left, right] = sides(args, call);
    return { sql: `(${left!} ${sign} ${right!})`, type: withNull(BOOL, isNullable(args)) };
  }),
);

/** The least or greatest of the values that are not NULL. */
const extremes = ['least', 'greatest'].map((name) =>
  typed(name, [1, Infinity], (args, call) => {
    const { sql, type } = unify(args, call);
    return {
      sql: `${name}(${sql.join(', ')})`,
      type: withNull(type, isNullable(args)),
    };
  }),
);

export const comparisons: readonly FunctionRow[] = [
  ...compared,
  ...extremes,
  typed('xor', [2, Infinity], (args, call) => {
    const truths = args.map((one, at) => asCondition(one, call, at).sql);
    const sql = truths.reduce((left, right) => `(${left} <> ${right})`);
    return { sql, type: withNull(BOOL, isNullable(args)) };
  }),
];
