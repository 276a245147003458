import type { Constant } from '../ast.ts';
import { KEYWORDS, NEVER_NAMES } from './hogql-keywords.ts';

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A name as a query writes it: in backticks when it could be read as something else. */
export function printName(name: string): string {
  return isPlain(name, KEYWORDS) ? name : inBackticks(name);
}

/** A name with its dots: behind one fewer words have a meaning of their own, and a star is no name. */
export function printChain([first, ...rest]: readonly string[]): string {
  const parts = rest.map((name) => (name === '*' || isPlain(name, NEVER_NAMES) ? name : inBackticks(name)));
  return [first === '*' ? first : printName(first!), ...parts].join('.');
}

function isPlain(name: string, words: ReadonlySet<string>): boolean {
  return PLAIN_NAME.test(name) && !words.has(name.toLowerCase());
}

function inBackticks(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '``')}\``;
}

export function printNames(names: readonly string[]): string {
  return names.map(printName).join(', ');
}

/** A text in single quotes. */
export function printText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A constant as a literal; a moment as a call that makes it. */
export function printConstant(value: Constant['value']): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'object') return printMoment(value.moment);
  if (typeof value !== 'number' || Number.isFinite(value))
    return Object.is(value, -0) ? '-0.0' : String(value);
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

function printMoment(unixMs: number): string {
  const whole = Math.floor(unixMs);
  const micros = Math.round((unixMs - whole) * 1000);
  const iso = new Date(whole).toISOString().replace('T', ' ').slice(0, -1);
  return `toDateTime64('${iso}${String(micros).padStart(3, '0')}', 6, 'UTC')`;
}
