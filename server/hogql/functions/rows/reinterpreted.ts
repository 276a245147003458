import { scalar, type ValueType } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText, asWhole } from '../read-argument.ts';

/** The bytes of a text or whole number in the order of their weight, as so many hexadecimal digits. */
function weighted(argument: Printed, bytes: number, call: CallContext): string {
  const { type } = argument;
  if (['Int64', 'UInt64', 'Bool'].includes(type.name)) {
    const digits = `lpad(hex(${asWhole(argument, call, 0).sql}), 16, '0')`;
    return bytes <= 8 ? `right(${digits}, ${2 * bytes})` : `lpad(${digits}, ${2 * bytes}, '0')`;
  }
  const text = asText(argument, call, 0);
  const isHex = text.type.name === 'String' && text.type.isHex === true;
  const hex = isHex ? text.sql : `hex(encode(${text.sql}))`;
  return once(hex, call, (digits) => {
    const pairs = Array.from(
      { length: bytes },
      (_, at) => `substring(${digits}, ${2 * (bytes - at) - 1}, 2)`,
    );
    return `lpad(${pairs.join(' || ')}, ${2 * bytes}, '0')`;
  });
}

/** What bytes are as another type, the least weighty byte first. */
function reinterpreted(
  name: string,
  bytes: number,
  type: ValueType,
  sql: (digits: string, call: CallContext) => string,
): FunctionRow {
  return typed(`reinterpretAs${name}`, 1, ([value], call) => ({
    sql: once(weighted(value!, bytes, call), call, (digits) => sql(digits, call)),
    type: { ...type, nullable: value!.type.nullable } as ValueType,
  }));
}

const number = (digits: string): string => `CAST('0x' || ${digits} AS UBIGINT)`;

/** A whole number with a sign, of so many bits. */
function signed(digits: string, bits: number): string {
  const half = 2n ** BigInt(bits - 1);
  const value = `CAST(${number(digits)} AS HUGEINT)`;
  return `CAST(CASE WHEN ${value} >= ${half} THEN ${value} - ${2n * half} ELSE ${value} END AS BIGINT)`;
}

/** The eight weightier bytes and the others as one number of 128 bits, with or without a sign. */
function wide(digits: string, type: 'HUGEINT' | 'UHUGEINT'): string {
  const high = number(`left(${digits}, 16)`);
  const low = number(`right(${digits}, 16)`);
  if (type === 'UHUGEINT') return `(CAST(${high} AS UHUGEINT) * ${2n ** 64n} + ${low})`;
  return `(CAST(${signedWide(high)} AS HUGEINT) * ${2n ** 64n} + ${low})`;
}

function signedWide(high: string): string {
  return `CASE WHEN ${high} >= ${2n ** 63n} THEN CAST(${high} AS HUGEINT) - ${2n ** 64n} ELSE CAST(${high} AS HUGEINT) END`;
}

/** The bytes of a whole number, the least weighty first, up to the last that is not 0; NULL where they are no letters. */
function asLetters([value]: readonly Printed[], call: CallContext): Printed {
  const sql = once(weighted(value!, 8, call), call, (digits) => {
    const bytes = Array.from({ length: 8 }, (_, at) => `substring(${digits}, ${15 - 2 * at}, 2)`);
    return `try(decode(unhex(regexp_replace(${bytes.join(' || ')}, '(00)+$', ''))))`;
  });
  return { sql, type: scalar('String', true) };
}

/** A float of IEEE 754 with so many bits of exponent and fraction. */
function float(digits: string, exponentBits: number, fractionBits: number, call: CallContext): string {
  const bias = 2 ** (exponentBits - 1) - 1;
  return once(number(digits), call, (bits) => {
    const exponent = `CAST((${bits} >> ${fractionBits}) & ${2 ** exponentBits - 1} AS INTEGER)`;
    const fraction = `CAST(${bits} & ${2n ** BigInt(fractionBits) - 1n} AS DOUBLE)`;
    const share = `${fraction} / ${2 ** fractionBits}`;
    const sign = `CASE WHEN (${bits} >> ${exponentBits + fractionBits}) & 1 = 1 THEN -1 ELSE 1 END`;
    const value =
      `CASE ${exponent} WHEN 0 THEN ${share} * pow(2.0, ${1 - bias}) ` +
      `WHEN ${2 ** exponentBits - 1} THEN CASE WHEN ${fraction} = 0 THEN CAST('inf' AS DOUBLE) ELSE CAST('nan' AS DOUBLE) END ` +
      `ELSE (1 + ${share}) * pow(2.0, ${exponent} - ${bias}) END`;
    return `((${sign}) * (${value}))`;
  });
}

const SIZES = [8, 16, 32, 64] as const;

export const reinterpretations: readonly FunctionRow[] = [
  ...SIZES.map((bits) => {
    const type: ValueType =
      bits === 64 ? { name: 'UInt64', nullable: false, isHuge: true } : scalar('UInt64');
    return reinterpreted(`UInt${bits}`, bits / 8, type, (digits) =>
      bits === 64 ? number(digits) : `CAST(${number(digits)} AS BIGINT)`,
    );
  }),
  ...SIZES.map((bits) =>
    reinterpreted(`Int${bits}`, bits / 8, scalar('Int64'), (digits) => signed(digits, bits)),
  ),
  reinterpreted('UInt128', 16, scalar('UInt64'), (digits) => wide(digits, 'UHUGEINT')),
  reinterpreted('Int128', 16, scalar('Int64'), (digits) => wide(digits, 'HUGEINT')),
  typed('reinterpretAsString', 1, (args, call) =>
    args[0]!.type.name === 'String' ? args[0]! : asLetters(args, call),
  ),
  reinterpreted(
    'Date',
    2,
    scalar('Date'),
    (digits) => `(DATE '1970-01-01' + CAST(${number(digits)} AS INTEGER))`,
  ),
  reinterpreted(
    'DateTime',
    4,
    { name: 'DateTime', nullable: false, seconds: true },
    (digits) => `make_timestamp(CAST(${number(digits)} AS BIGINT) * 1000000)`,
  ),
  reinterpreted('Float32', 4, scalar('Float64'), (digits, call) => float(digits, 8, 23, call)),
  reinterpreted('Float64', 8, scalar('Float64'), (digits, call) => float(digits, 11, 52, call)),
  // Two numbers of 64 bits, of which the first is the weightier one.
  reinterpreted('UUID', 16, scalar('UUID'), (digits) => {
    return `CAST(right(${digits}, 16) || left(${digits}, 16) AS UUID)`;
  }),
];
