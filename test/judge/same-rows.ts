import type { ClickhouseRows } from './clickhouse.ts';

/** A type of ClickHouse, taken apart. */
interface TypeTree {
  readonly name: string;
  readonly parts: readonly TypeTree[];
}

/** What engines answer, brought to one form: numbers to nine digits, booleans as 1 and 0, moments as microseconds. */
export function plainRows({ types, rows }: ClickhouseRows): unknown[][] {
  const trees = types.map(readType);
  return rows.map((row) => row.map((value, at) => plain(value, trees[at]!)));
}

/** Rows in one order, for queries that leave it open. */
export function sortedRows(rows: readonly unknown[][]): unknown[][] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** `Nullable(Array(String))`, without the words that say nothing of values. */
function readType(text: string): TypeTree {
  let at = 0;
  function one(): TypeTree {
    const name = /^[^(),]*/.exec(text.slice(at))![0];
    at += name.length;
    const parts: TypeTree[] = [];
    if (text[at] === '(') {
      at += 1;
      while (text[at] !== ')') {
        parts.push(one());
        if (text[at] === ',') at += 1;
        if (at >= text.length) throw new Error(`no type: ${text}`);
      }
      at += 1;
    }
    const trimmed = name.trim();
    if ((trimmed === 'Nullable' || trimmed === 'LowCardinality') && parts[0] !== undefined) return parts[0];
    return { name: trimmed, parts };
  }
  return one();
}

function plain(value: unknown, type: TypeTree): unknown {
  if (value === null || value === undefined) return null;
  const { name, parts } = type;
  if (name === 'Array') return Array.isArray(value) ? value.map((one) => plain(one, parts[0]!)) : value;
  if (name === 'Tuple')
    return Array.isArray(value) ? value.map((one, at) => plain(one, unnamed(parts[at]!))) : value;
  if (name === 'Map')
    return Object.entries(value as object)
      .map(([key, one]) => [plain(key, parts[0]!), plain(one, parts[1]!)])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  // Some seven digits are all that it holds.
  if (name === 'Float32') return plainNumber(value, 6);
  if (/^(U?Int\d+|Float\d+|Decimal\d*|Bool|Interval\w+)$/.test(name)) return plainNumber(value);
  if (name.startsWith('DateTime')) return moment(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `name Type` of a named tuple. */
function unnamed(type: TypeTree): TypeTree {
  return { ...type, name: type.name.split(' ').at(-1)! };
}

function plainNumber(value: unknown, digits = 9): unknown {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = String(value);
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  const number = Number(text.replace(/^(-?)inf$/, '$1Infinity'));
  // No JSON has them: both engines answer null.
  if (!Number.isFinite(number)) return null;
  const rounded = Number(number.toPrecision(digits));
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

function moment(value: unknown): unknown {
  const ms = Date.parse(String(value));
  if (Number.isNaN(ms)) return value;
  const micros = /\.\d{3}(\d{1,3})/.exec(String(value))?.[1] ?? '';
  return `${ms}${micros.replace(/0+$/, '') === '' ? '' : `.${micros.replace(/0+$/, '')}`}`;
}

/** A result with its numbers to nine digits. */
export function roundedNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map(roundedNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, roundedNumbers(one)]));
}
