import { scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach } from '../growth.ts';
import { once } from '../local-time.ts';
import { asNumber } from '../read-argument.ts';

const FLOAT = scalar('Float64');
const INT = scalar('Int64');

/** The parts of a tuple, each read as a number. */
function partsOf(tuple: Printed, call: CallContext, at: number): Printed[] {
  if (tuple.type.name !== 'Tuple') {
    return call.refuse(`Expected a tuple, found type ${tuple.type.name}.`, at);
  }
  return tuple.type.items.map((type, part) =>
    asNumber({ sql: tuplePartSql(tuple.sql, part + 1), type }, call, at),
  );
}

/** Two tuples of one length. */
function pairs(args: readonly Printed[], call: CallContext): [Printed, Printed][] {
  const [left, right] = args.map((one, at) => partsOf(one, call, at));
  if (left!.length !== right!.length) return call.refuse('Expected tuples of the same length.');
  return left!.map((part, at) => [part, right![at]!]);
}

function resultOf(values: readonly Printed[], isFloat: boolean): ValueType {
  const nullable = values.some(({ type }) => type.nullable);
  const isReal = isFloat || values.some(({ type }) => type.name === 'Float64');
  return scalar(isReal ? 'Float64' : 'Int64', nullable);
}

function tupleOfParts(parts: readonly Printed[]): Printed {
  return { sql: tupleSql(parts.map(({ sql }) => sql)), type: tupleOf(parts.map(({ type }) => type)) };
}

/** `tuplePlus(a, b)`: part by part. */
function partwise(name: string, sign: string): FunctionRow {
  return typed(name, 2, (args, call) =>
    tupleOfParts(
      pairs(args, call).map(([a, b]) => ({
        sql: `(${a.sql} ${sign} ${b.sql})`,
        type: resultOf([a, b], sign === '/'),
      })),
    ),
  );
}

/** `tupleMultiplyByNumber(tuple, number)` */
function byNumber(name: string, sign: string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const number = asNumber(args[1]!, call, 1);
    return tupleOfParts(
      partsOf(args[0]!, call, 0).map((part) => ({
        sql: `(${part.sql} ${sign} ${number.sql})`,
        type: resultOf([part, number], sign === '/'),
      })),
    );
  });
}

/** A tuple or an array as a list of doubles. */
function vector(value: Printed, call: CallContext, at: number): string {
  if (value.type.name === 'Tuple') {
    const parts = partsOf(value, call, at).map(({ sql }) => `CAST(${sql} AS DOUBLE)`);
    return `[${parts.join(', ')}]`;
  }
  if (value.type.name !== 'Array') {
    return call.refuse(`Expected a tuple or an array, found type ${value.type.name}.`, at);
  }
  const name = call.fresh();
  const item = asNumber({ sql: name, type: value.type.item }, call, at);
  return `list_transform(${value.sql}, lambda ${name}: CAST(${item.sql} AS DOUBLE))`;
}

/** Both one beside the other; those that are not of one length are an error, as in ClickHouse. */
function beside(args: readonly Printed[], call: CallContext, make: (a: string, b: string) => string): string {
  const [left, right] = args.map((value, at) => vector(value, call, at));
  return onceEach([left!, right!], call, (a, b) => {
    const at = call.fresh();
    const made = `list_transform(range(1, len(${a!}) + 1), lambda ${at}: ${make(`${a!}[${at}]`, `${b!}[${at}]`)})`;
    return `(CASE WHEN len(${a!}) <> len(${b!}) THEN error('Expected arrays of the same length') ELSE ${made} END)`;
  });
}

/** An empty vector has no sum in DuckDB; its length is 0. A part without a value makes the whole unknown. */
function summed(list: string, call: CallContext, folded: 'sum' | 'max' = 'sum'): string {
  return once(list, call, (all) => {
    const part = call.fresh();
    const isUnknown = `len(list_filter(${all}, lambda ${part}: ${part} IS NULL)) > 0`;
    return `(CASE WHEN len(${all}) = 0 THEN CAST(0 AS DOUBLE) WHEN ${isUnknown} THEN NULL ELSE list_${folded}(${all}) END)`;
  });
}

/** The length of a vector by a power, which is a number, or `inf` for its largest part. */
function norm(list: string, call: CallContext, power: string): string {
  const part = call.fresh();
  const of = (each: string): string => `list_transform(${list}, lambda ${part}: ${each})`;
  if (power === 'inf') return summed(of(`abs(${part})`), call, 'max');
  if (power === '1') return summed(of(`abs(${part})`), call);
  if (power === '2') return `sqrt(${summed(of(`${part} * ${part}`), call)})`;
  return `pow(${summed(of(`pow(abs(${part}), ${power})`), call)}, 1 / CAST(${power} AS DOUBLE))`;
}

const NORMS = [
  ['L1', '1'],
  ['L2', '2'],
  ['Linf', 'inf'],
  ['Lp', null],
] as const;

/** The power of Lp, which must be written out and 1 or more, as in ClickHouse. */
function powerOf(written: string | null, args: readonly Printed[], at: number, call: CallContext): string {
  if (written !== null) return written;
  const value = args[at]!.constant;
  return typeof value === 'number' && value >= 1
    ? String(value)
    : call.refuse('The power must be a constant number of 1 or more.', at);
}

/** Parts of which one may be missing, and arrays, which may be. */
function float(args: readonly Printed[]): ValueType {
  const isNull = ({ type }: Printed): boolean =>
    type.nullable || (type.name === 'Tuple' && type.items.some((item) => item.nullable));
  return withNull(FLOAT, args.some(isNull));
}

const distances = NORMS.flatMap(([name, written]) => {
  const more = written === null ? 1 : 0;
  return [
    typed(`${name}Norm`, 1 + more, (args, call) => ({
      sql: norm(vector(args[0]!, call, 0), call, powerOf(written, args, 1, call)),
      type: float(args),
    })),
    typed(`${name}Distance`, 2 + more, (args, call) => {
      const apart = beside(args.slice(0, 2), call, (a, b) => `${a} - ${b}`);
      return { sql: norm(apart, call, powerOf(written, args, 2, call)), type: float(args) };
    }),
    typed(`${name}Normalize`, 1 + more, (args, call) => {
      const parts = partsOf(args[0]!, call, 0);
      const length = norm(vector(args[0]!, call, 0), call, powerOf(written, args, 1, call));
      const sql = once(vector(args[0]!, call, 0), call, (list) =>
        once(length, call, (size) => tupleSql(parts.map((_, at) => `${list}[${at + 1}] / ${size}`))),
      );
      return { sql, type: tupleOf(parts.map(({ type }) => withNull(FLOAT, type.nullable))) };
    }),
  ];
});

function dot(args: readonly Printed[], call: CallContext): string {
  return summed(
    beside(args, call, (a, b) => `${a} * ${b}`),
    call,
  );
}

/** 1 - the cosine of the angle between two vectors. */
function cosineDistance(args: readonly Printed[], call: CallContext): Printed {
  const lengths = args.map((one, at) => norm(vector(one, call, at), call, '2'));
  return { sql: `(1 - ${dot(args, call)} / (${lengths.join(' * ')}))`, type: float(args) };
}

/** Tuples and arrays as vectors. */
export const vectors: readonly FunctionRow[] = [
  partwise('tuplePlus', '+'),
  partwise('tupleMinus', '-'),
  partwise('tupleMultiply', '*'),
  partwise('tupleDivide', '/'),
  byNumber('tupleMultiplyByNumber', '*'),
  byNumber('tupleDivideByNumber', '/'),
  typed('tupleNegate', 1, (args, call) =>
    tupleOfParts(partsOf(args[0]!, call, 0).map(({ sql, type }) => ({ sql: `(-${sql})`, type }))),
  ),
  typed('tupleHammingDistance', 2, (args, call) => {
    const [left, right] = args.map((one, at) =>
      one.type.name === 'Tuple' ? one.type.items : call.refuse('Expected a tuple.', at),
    );
    if (left!.length !== right!.length) return call.refuse('Expected tuples of the same length.');
    const part = (one: Printed, at: number): string => tuplePartSql(one.sql, at + 1);
    const differ = left!.map((_, at) => `CAST(${part(args[0]!, at)} <> ${part(args[1]!, at)} AS BIGINT)`);
    const nullable = [...left!, ...right!].some((item) => item.nullable);
    return { sql: `(${differ.join(' + ')})`, type: withNull(INT, nullable) };
  }),
  typed('dotProduct', 2, (args, call) => ({ sql: dot(args, call), type: float(args) })),
  typed('cosineDistance', 2, cosineDistance),
  ...distances,
];
