import { scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach } from '../growth.ts';
import { once } from '../local-time.ts';
import { asText, asWhole, isNullable, writtenWithin } from '../read-argument.ts';

/** Addresses are texts here, in the form in which ClickHouse writes them; as numbers, those of version 6 are hexadecimal digits. */
const TEXT = scalar('String');
const NUMBER = scalar('UInt64');
const DIGITS: ValueType = { name: 'String', nullable: false, isHex: true };

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const V4 = `(?:${BYTE}[.]){3}${BYTE}`;
const GROUPS = '[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*';
const V6 = `(?:${GROUPS})?::(?:${GROUPS})?|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}`;

type Sql = (value: string, call: CallContext) => string;

/** The number of an address of version 4; NULL where the text is none. */
const numberOfV4: Sql = (text, call) =>
  once(text, call, (x) => {
    const bytes = `list_transform(string_split(${x}, '.'), lambda b: CAST(b AS BIGINT))`;
    return `(CASE WHEN regexp_full_match(${x}, '${V4}') THEN list_reduce(${bytes}, lambda a, b: a * 256 + b) END)`;
  });

const textOfV4: Sql = (number, call) =>
  once(number, call, (n) =>
    [24, 16, 8, 0].map((shift) => `CAST((${n} >> ${shift}) & 255 AS VARCHAR)`).join(` || '.' || `),
  );

/** The 32 digits of an address of version 6, which may end as one of version 4; NULL where the text is none. */
const digitsOfV6: Sql = (text, call) => {
  const asGroups = once(text, call, (x) => {
    const tail = `regexp_extract(${x}, '^.*:(${V4})$', 1)`;
    const groups = once(numberOfV4(tail, call), call, (n) => `printf('%x:%x', ${n} >> 16, ${n} & 65535)`);
    return `(CASE ${tail} WHEN '' THEN ${x} ELSE left(${x}, length(${x}) - length(${tail})) || ${groups} END)`;
  });
  return once(asGroups, call, (x) => {
    const part = (at: 1 | 2): string =>
      `list_transform(list_filter(string_split(split_part(${x}, '::', ${at}), ':'), lambda g: g <> ''), lambda g: lpad(g, 4, '0'))`;
    const [head, tail] = [part(1), part(2)];
    const rest = `8 - len(${head}) - len(${tail})`;
    const all = `lower(array_to_string(${head}, '') || repeat('0000', ${rest}) || array_to_string(${tail}, ''))`;
    const isFull = `contains(${x}, '::') = (${rest} > 0) AND ${rest} >= 0`;
    return `(CASE WHEN regexp_full_match(${x}, '${V6}') AND ${isFull} THEN ${all} END)`;
  });
};

const bitsOf: Sql = (digits, call) =>
  once(digits, call, (d) =>
    ['left', 'right']
      .map((half) => `lpad(bin(CAST('0x' || ${half}(${d}, 16) AS UBIGINT)), 64, '0')`)
      .join(' || '),
  );

const digitsOfBits: Sql = (bits, call) =>
  once(bits, call, (b) =>
    ['left', 'right']
      .map((half) => `lpad(lower(hex(CAST('0b' || ${half}(${b}, 64) AS UBIGINT))), 16, '0')`)
      .join(' || '),
  );

/** The groups without zeros before them; of the longest run of groups that are 0, the first, only `::` is left. */
const textOfV6: Sql = (digits, call) =>
  once(digits, call, (d) => {
    const group = `coalesce(nullif(ltrim(substring(${d}, 4 * i + 1, 4), '0'), ''), '0')`;
    const all = `':' || array_to_string(list_transform(range(0, 8), lambda i: ${group}), ':') || ':'`;
    const short = once(all, call, (x) => {
      const runs = [8, 7, 6, 5, 4, 3, 2].map((count) => {
        const run = `'${':0'.repeat(count)}:'`;
        const at = `instr(${x}, ${run})`;
        return `WHEN ${at} > 0 THEN left(${x}, ${at} - 1) || '::' || substring(${x}, ${at} + ${2 * count + 1})`;
      });
      return `(CASE ${runs.join(' ')} ELSE ${x} END)`;
    });
    const bare = `regexp_replace(regexp_replace(${short}, '^:([^:])', '\\1'), '([^:]):$', '\\1')`;
    const v4 = textOfV4(`CAST('0x' || right(${d}, 8) AS BIGINT)`, call);
    const zeros = (count: number): string => '0'.repeat(count);
    return `(CASE WHEN left(${d}, 24) = '${zeros(20)}ffff' THEN '::ffff:' || ${v4}
      WHEN left(${d}, 24) = '${zeros(24)}' AND substring(${d}, 25, 4) <> '0000' THEN '::' || ${v4} ELSE ${bare} END)`;
  });

const V6_OF_V4 = `${'0'.repeat(20)}ffff`;

/** An address as its number, or digits, and back. */
interface Version {
  readonly read: Sql;
  readonly write: Sql;
  /** The number of no address, and its text. */
  readonly zero: string;
  readonly zeroText: string;
}

const FOUR: Version = { read: numberOfV4, write: textOfV4, zero: '0', zeroText: `'0.0.0.0'` };
const SIX: Version = {
  // An address of version 4 is one of version 6 too.
  read: (text, call) =>
    once(text, call, (x) => {
      const four = numberOfV4(x, call);
      return `coalesce(${digitsOfV6(x, call)}, '${V6_OF_V4}' || lpad(lower(hex(${four})), 8, '0'))`;
    }),
  write: textOfV6,
  zero: `'${'0'.repeat(32)}'`,
  zeroText: `'::'`,
};

const NONE = `error('Invalid IP address')`;

/** A function of a text that is an address: without an ending it fails for others, with one it gives NULL, or that of no address. */
function reading(
  name: string,
  endings: readonly string[],
  sql: Sql,
  zero: string,
  type: ValueType,
): FunctionRow[] {
  const row = (ending: string, otherwise: string | null): FunctionRow =>
    typed(`${name}${ending}`, 1, ([value], call) => {
      const text = asText(value!, call, 0);
      const read = sql(text.sql, call);
      if (otherwise === null) return { sql: read, type: withNull(type) };
      const checked =
        otherwise === NONE && text.type.nullable
          ? `CASE WHEN ${text.sql} IS NOT NULL THEN ${NONE} END`
          : otherwise;
      return {
        sql: `coalesce(${read}, ${checked})`,
        type: withNull(type, text.type.nullable && otherwise === NONE),
      };
    });
  return [row('', NONE), row('OrNull', null), ...endings.map((ending) => row(ending, zero))];
}

/** `toIPv4`: the address as it is written. */
function converting(name: string, { read, write, zeroText }: Version): FunctionRow[] {
  const written: Sql = (text, call) =>
    once(read(text, call), call, (x) => `(CASE WHEN ${x} IS NOT NULL THEN ${write(x, call)} END)`);
  return reading(name, ['OrDefault', 'OrZero'], written, zeroText, TEXT);
}

function ofText(name: string, type: ValueType, sql: Sql): FunctionRow {
  return typed(name, 1, ([value], call) => {
    const text = asText(value!, call, 0);
    return { sql: sql(text.sql, call), type: withNull(type, text.type.nullable) };
  });
}

function ofNumber(name: string, sql: Sql, type: ValueType = TEXT): FunctionRow {
  return typed(name, 1, ([value], call) => {
    const number = asWhole(value!, call, 0);
    return { sql: `(${sql(number.sql, call)})`, type: withNull(type, number.type.nullable) };
  });
}

/**
 * `isIPAddressInRange(address, range)`: whether both are of one version and begin alike. A text that is no address is in no
 * range, and nothing is in a text that is no range, for both of which ClickHouse fails.
 */
function inRange([address, prefix]: readonly Printed[], call: CallContext): Printed {
  const texts = [address!, prefix!].map((one, at) => asText(one, call, at).sql);
  const sql = once(texts[0]!, call, (ip) =>
    once(texts[1]!, call, (range) => {
      const part = (at: 1 | 2): string => `regexp_extract(${range}, '^([^/]*)/([0-9]{1,3})$', ${at})`;
      const [base, length] = [part(1), `try_cast(${part(2)} AS INTEGER)`];
      const four = `(${numberOfV4(ip, call)} >> (32 - ${length})) = (${numberOfV4(base, call)} >> (32 - ${length}))`;
      const six = `left(${bitsOf(digitsOfV6(ip, call), call)}, ${length}) = left(${bitsOf(digitsOfV6(base, call), call)}, ${length})`;
      return `coalesce(CASE WHEN ${length} <= 32 THEN ${four} END, CASE WHEN ${length} <= 128 THEN ${six} END, false)`;
    }),
  );
  return { sql, type: scalar('Bool') };
}

/** `IPv4CIDRToRange(address, bits)`: the first and the last address that begin alike; more bits than there are mean all. */
function rangeOf(
  name: string,
  { read, write }: Version,
  bits: number,
  ends: (number: string, length: string, call: CallContext) => [string, string],
): FunctionRow {
  return typed(name, 2, (args, call) => {
    const [text, given] = [asText(args[0]!, call, 0).sql, asWhole(args[1]!, call, 1).sql];
    const sql = onceEach([read(text, call), given], call, (...[number, asked]) => {
      const length = `(CASE WHEN ${asked!} < 0 THEN 0 WHEN ${asked!} > ${bits} THEN ${bits} ELSE ${asked!} END)`;
      return tupleSql(ends(number!, length, call).map((end) => write(end, call)));
    });
    return { sql, type: tupleOf([TEXT, TEXT], isNullable(args)) };
  });
}

/** `cutIPv6(address, bytes, bytesOfV4)`: with so many bytes of 0 at its end, numbers that are constants in ClickHouse too. */
function cut(args: readonly Printed[], call: CallContext): Printed {
  const text = asText(args[0]!, call, 0);
  const [six, four] = [1, 2].map((at) => writtenWithin(args, at, call, ['The number of bytes', 0, 16]));
  const sql = once(SIX.read(text.sql, call), call, (d) => {
    const digits = `(CASE WHEN left(${d}, 24) = '${V6_OF_V4}' THEN ${2 * four!} ELSE ${2 * six!} END)`;
    return textOfV6(`left(${d}, 32 - ${digits}) || repeat('0', ${digits})`, call);
  });
  return { sql, type: withNull(TEXT, text.type.nullable) };
}

export const ipAddresses: readonly FunctionRow[] = [
  ofNumber('IPv4NumToString', textOfV4),
  ofNumber(
    'IPv4NumToStringClassC',
    (number, call) => `regexp_replace(${textOfV4(number, call)}, '[0-9]+$', 'xxx')`,
  ),
  ...reading('IPv4StringToNum', ['OrDefault'], numberOfV4, '0', NUMBER),
  ...reading(
    'IPv6StringToNum',
    ['OrDefault'],
    (text, call) => `upper(${SIX.read(text, call)})`,
    SIX.zero,
    DIGITS,
  ),
  ofText('IPv6NumToString', TEXT, (digits, call) =>
    once(`lower(${digits})`, call, (d) => {
      const isNone = `NOT regexp_full_match(${d}, '[0-9a-f]{32}')`;
      return `(CASE WHEN ${isNone} THEN ${NONE} ELSE ${textOfV6(d, call)} END)`;
    }),
  ),
  ofNumber('IPv4ToIPv6', (number) => `upper('${V6_OF_V4}') || lpad(hex(${number}), 8, '0')`, DIGITS),
  ...converting('toIPv4', FOUR),
  ...converting('toIPv6', SIX),
  ofText('isIPv4String', scalar('Bool'), (text) => `regexp_full_match(${text}, '${V4}')`),
  ofText('isIPv6String', scalar('Bool'), (text, call) => `(${digitsOfV6(text, call)} IS NOT NULL)`),
  typed('isIPAddressInRange', 2, inRange),
  rangeOf('IPv4CIDRToRange', FOUR, 32, (number, length) => {
    const size = `(CAST(1 AS BIGINT) << (32 - ${length}))`;
    return [`(${number} - ${number} % ${size})`, `(${number} - ${number} % ${size} + ${size} - 1)`];
  }),
  rangeOf('IPv6CIDRToRange', SIX, 128, (digits, length, call) => {
    const end = (fill: string): string =>
      digitsOfBits(`left(${bitsOf(digits, call)}, ${length}) || repeat('${fill}', 128 - ${length})`, call);
    return [end('0'), end('1')];
  }),
  typed('cutIPv6', 3, cut),
];
