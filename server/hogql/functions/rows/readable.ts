import { scalar, withNull } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asNumber, asWhole, writtenText } from '../read-argument.ts';

const STRING = scalar('String');

/** Two digits behind the point, halves away from zero; what lies exactly between is a multiple of an eighth. */
function twoDigits(x: string): string {
  const isBetween = `${x} * 8 = floor(${x} * 8)`;
  return `format('{:.2f}', CASE WHEN ${isBetween} THEN round(${x} * 100) / 100 ELSE ${x} END)`;
}

/** A number by the largest unit that it fills; each is so many times the one before. */
function inUnits(name: string, base: number, units: readonly string[]): FunctionRow {
  return typed(name, 1, (args, call) => {
    const value = asNumber(args[0]!, call, 0);
    const sql = once(`CAST(${value.sql} AS DOUBLE)`, call, (x) => {
      const cases = units.slice(1).map((unit, at) => {
        const size = `CAST(${base} AS DOUBLE) ** ${at + 1}`;
        return { from: `abs(${x}) >= ${size}`, text: `${twoDigits(`(${x} / (${size}))`)} || '${unit}'` };
      });
      const whens = cases.toReversed().map(({ from, text }) => `WHEN ${from} THEN ${text}`);
      return `(CASE ${whens.join(' ')} ELSE ${twoDigits(x)} || '${units[0]!}' END)`;
    });
    return { sql, type: withNull(STRING, value.type.nullable) };
  });
}

const SECONDS: readonly (readonly [unit: string, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_635_200],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** `formatReadableTimeDelta(seconds, ['hours'])`: whole seconds in words; a year has 365 days, a month 30.5. */
function timeDelta(args: readonly Printed[], call: CallContext): Printed {
  const largest = args[1] === undefined ? 'years' : writtenText(args, 1, call, 'The largest unit');
  const from = SECONDS.findIndex(([unit]) => `${unit}s` === largest);
  if (from === -1) {
    return call.refuse(`The unit must be one of: ${SECONDS.map(([unit]) => `${unit}s`).join(', ')}.`, 1);
  }
  const units = SECONDS.slice(from);
  const seconds = asWhole(args[0]!, call, 0);
  const sql = once(seconds.sql, call, (x) => {
    const parts = units.map(([unit, size], at) => {
      // A year is no whole number of months, so that each unit takes of what all larger ones leave.
      const rest = units.slice(0, at).reduce((left, [, larger]) => `(${left} % ${larger})`, `abs(${x})`);
      return counted(`${rest} // ${size}`, unit);
    });
    return once(`list_filter([${parts.join(', ')}], lambda part: part IS NOT NULL)`, call, (all) => {
      const begin = `array_to_string(list_slice(${all}, 1, len(${all}) - 1), ', ')`;
      const words = `CASE len(${all}) WHEN 0 THEN '0 seconds' WHEN 1 THEN ${all}[1] ELSE ${begin} || ' and ' || ${all}[len(${all})] END`;
      return `(CASE WHEN ${x} IS NOT NULL THEN CASE WHEN ${x} < 0 THEN '-' ELSE '' END || ${words} END)`;
    });
  });
  return { sql, type: withNull(STRING, seconds.type.nullable) };
}

/** So many of a unit in words; NULL for none. */
function counted(count: string, unit: string): string {
  const ending = `CASE WHEN ${count} > 1 THEN 's' ELSE '' END`;
  return `CASE WHEN ${count} > 0 THEN CAST(${count} AS VARCHAR) || ' ${unit}' || ${ending} END`;
}

/** Numbers as people read them. */
export const readable: readonly FunctionRow[] = [
  inUnits('formatReadableSize', 1024, [' B', ' KiB', ' MiB', ' GiB', ' TiB', ' PiB', ' EiB', ' ZiB', ' YiB']),
  inUnits('formatReadableDecimalSize', 1000, [' B', ' KB', ' MB', ' GB', ' TB', ' PB', ' EB', ' ZB', ' YB']),
  inUnits('formatReadableQuantity', 1000, [
    '',
    ' thousand',
    ' million',
    ' billion',
    ' trillion',
    ' quadrillion',
    ' quintillion',
  ]),
  typed('formatReadableTimeDelta', [1, 2], timeDelta),
];
