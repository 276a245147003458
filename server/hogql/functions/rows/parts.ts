import { scalar, withNull } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import { onceEach } from '../growth.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asText, asWhole, isNullable, localTime, writtenText } from '../read-argument.ts';
import { unify } from '../common-type.ts';
import { itemOf } from './arrays.ts';

const STRING = scalar('String');
const BOOL = scalar('Bool');
const INT = scalar('Int64');

/** What date_part can take from a moment, as DuckDB calls it too. */
const FIELDS: ReadonlySet<string> = new Set([
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'dow',
  'isodow',
  'doy',
  'hour',
  'minute',
  'epoch',
]);

function datePart(args: readonly Printed[], call: CallContext): Printed {
  const field = writtenText(args, 0, call, 'The part').toLowerCase();
  if (!FIELDS.has(field)) return call.refuse(`The part must be one of: ${[...FIELDS].join(', ')}.`, 0);
  const sql = `CAST(floor(date_part('${field}', ${localTime(args[1]!, call, 1)})) AS BIGINT)`;
  return { sql, type: withNull(INT, true) };
}

/** Its items moved so many places, those that fall off the end put to the other one. */
function rotated(name: string, sign: 1 | -1): FunctionRow {
  return typed(name, 2, (args, call) => {
    itemOf(args[0]!, call);
    const sql = onceEach([args[0]!.sql, asWhole(args[1]!, call, 1).sql], call, (list, by) => {
      const size = `greatest(len(${list!}), 1)`;
      const at = `((${sign} * ${by!}) % ${size} + ${size}) % ${size}`;
      return `(list_slice(${list!}, ${at} + 1, len(${list!})) || list_slice(${list!}, 1, ${at}))`;
    });
    return { sql, type: args[0]!.type };
  });
}

/** Whether one list contains another with its items beside each other, in their order. */
function hasSubstr(args: readonly Printed[], call: CallContext): Printed {
  for (const [at, array] of args.entries()) itemOf(array, call, at);
  const at = call.fresh();
  const sql = onceEach(unify(args, call).sql, call, (list, part) => {
    const places = `range(1, greatest(len(${list!}) - len(${part!}) + 2, 1))`;
    const same = `list_slice(${list!}, ${at}, ${at} + len(${part!}) - 1) = ${part!}`;
    return `(len(${part!}) = 0 OR len(list_filter(${places}, lambda ${at}: ${same})) > 0)`;
  });
  return { sql, type: withNull(BOOL, isNullable(args)) };
}

/** Parts of texts, dates and lists, and whether they are there. */
export const parts: readonly FunctionRow[] = [
  typed('split_part', 3, (args, call) => {
    const [text, separator] = args.slice(0, 2).map((one, at) => asText(one, call, at).sql);
    const sql = `split_part(${text!}, ${separator!}, ${asWhole(args[2]!, call, 2).sql})`;
    return { sql, type: withNull(STRING, isNullable(args)) };
  }),
  typed('date_part', 2, datePart),
  rotated('arrayRotateLeft', 1),
  rotated('arrayRotateRight', -1),
  typed('hasSubstr', 2, hasSubstr),
];
