import type { Value } from '../../db/db.ts';

/** A type of ClickHouse, taken apart: `Nullable(Array(String))` is an Array with a String in it. */
interface TypeTree {
  readonly name: string;
  readonly parts: readonly TypeTree[];
}

type Read = (value: unknown) => Value;

/**
 * How values of a type are read from ClickHouse's JSON (`JSONCompact…`, 64-bit integers quoted, ISO dates), so that they are
 * as DuckDB's are (`Value`): whole numbers as numbers, or as text beyond 2^53, moments with microseconds, maps as lists of pairs.
 */
export function valueReader(type: string): Read {
  return readerOf(readType(type));
}

function readerOf({ name, parts }: TypeTree): Read {
  const inner = parts.map(readerOf);
  const orNull =
    (read: Read): Read =>
    (value) =>
      value === null || value === undefined ? null : read(value);
  if (name === 'Array') return orNull((value) => (value as unknown[]).map(inner[0]!));
  if (name === 'Tuple') return orNull((value) => (value as unknown[]).map((one, at) => inner[at]!(one)));
  if (name === 'Map')
    return orNull((value) =>
      Object.entries(value as object).map(([key, one]) => [inner[0]!(key), inner[1]!(one)]),
    );
  if (/^U?Int\d+$/.test(name)) return orNull(wholeNumber);
  if (/^(Float\d+|Decimal\d*|BFloat16)$/.test(name)) return orNull(Number);
  if (name.startsWith('DateTime')) return orNull((value) => moment(String(value)));
  return orNull((value) => value as Value);
}

function wholeNumber(value: unknown): Value {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** `2026-11-20T09:10:11Z` with six digits behind the seconds. */
function moment(text: string): string {
  const [, seconds, fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(text) ?? [];
  return seconds === undefined ? text : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

/** Reads the text of a type; names of the parts of a tuple are left out, and what says nothing of the values. */
function readType(text: string): TypeTree {
  let at = 0;
  function one(): TypeTree {
    const words = /^[^(),]*/.exec(text.slice(at))![0];
    at += words.length;
    const name = words.trim().split(' ').at(-1)!;
    const parts: TypeTree[] = [];
    if (text[at] === '(') {
      at += 1;
      while (at < text.length && text[at] !== ')') {
        if (text[at] === "'") at = text.indexOf("'", at + 1) + 1;
        else parts.push(one());
        while (text[at] === ',' || text[at] === ' ') at += 1;
      }
      at += 1;
    }
    const [only] = parts;
    return only !== undefined && (name === 'Nullable' || name === 'LowCardinality') ? only : { name, parts };
  }
  return one();
}
