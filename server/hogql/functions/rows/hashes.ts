import { scalar, type ValueType } from '../../value-type.ts';
import { rowsOf, typed } from '../define-row.ts';
import type { FunctionRow } from '../function-row.ts';
import { asText, isNullable } from '../read-argument.ts';

const texts = rowsOf(asText);

/**
 * Numbers that are the same for the same values, here and after a restart: the first 52 bits of an MD5, which a JSON
 * number holds exactly. They are not the numbers that ClickHouse makes of them.
 */
const numbers = ['cityHash64', 'sipHash64', 'xxHash64', 'farmHash64', 'murmurHash3_64'].map((name) =>
  typed(name, [1, Infinity], (args, call) => {
    // The length before each text separates ('a', 'bc') from ('ab', 'c').
    const parts = args.map((one, at) => {
      const text = `coalesce(${asText(one, call, at).sql}, '')`;
      return args.length === 1 ? text : `(length(${text}) || ':' || ${text})`;
    });
    const sql = `CAST(md5_number(${parts.join(' || ')}) >> 76 AS BIGINT)`;
    return { sql, type: scalar('UInt64', isNullable(args)) };
  }),
);

const BYTES: ValueType = { name: 'String', nullable: false, isHex: true };

/** MD5 and SHA give bytes, which are no text here: they are shown in hexadecimal digits, as after hex(…). */
export const hashes: readonly FunctionRow[] = [
  ...numbers,
  texts('MD5', 1, BYTES, (x) => `upper(md5(${x}))`),
  texts('SHA1', 1, BYTES, (x) => `upper(sha1(${x}))`),
  texts('SHA256', 1, BYTES, (x) => `upper(sha256(${x}))`),
];
