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
  reinterpreted('Float32', 4, scalar('Float64'), (digits, call) => float(digits, 8, 23, call)),
  reinterpreted('Float64', 8, scalar('Float64'), (digits, call) => float(digits, 11, 52, call)),
  // Two numbers of 64 bits, of which the first is the weightier one.
  reinterpreted('UUID', 16, scalar('UUID'), (digits) => {
    return `CAST(right(${digits}, 16) || left(${digits}, 16) AS UUID)`;
  }),
];
