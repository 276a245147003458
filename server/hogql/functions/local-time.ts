import { isUtc, localSql, momentSql } from '../zone-sql.ts';
import type { CallContext, Printed } from './function-row.ts';

/** What is longer is computed once and named, where a function's text names its argument many times. */
export const SHORT = 30;

/** SQL that names an expression several times, without writing it several times. */
export function once(sql: string, call: Pick<CallContext, 'fresh'>, use: (name: string) => string): string {
  if (sql.length <= SHORT) return use(sql);
  const name = call.fresh();
  return `list_transform([${sql}], lambda ${name}: ${use(name)})[1]`;
}

/** A moment (TIMESTAMP in UTC) as the clocks of a zone show it. */
export function toLocal(moment: string, zone: string, call: CallContext): string {
  return isUtc(zone) ? moment : once(moment, call, (name) => `(${localSql(name, zone)})`);
}

/** What the clocks of a zone show, as a moment. */
export function fromLocal(local: string, zone: string, call: CallContext): string {
  return isUtc(zone) ? local : once(local, call, (name) => `(${momentSql(name, zone)})`);
}

/** The zone in which an argument is meant: its own, or the project's. */
export function zoneOf(argument: Printed, call: CallContext): string {
  return (argument.type.name === 'DateTime' ? argument.type.zone : undefined) ?? call.timezone;
}

/** The zone that an argument names, which must be written out; null when there is no such argument. */
export function namedZone(args: readonly Printed[], at: number, call: CallContext): string | null {
  const argument = args[at];
  if (argument === undefined) return null;
  const name = argument.constant;
  if (typeof name !== 'string') {
    return call.refuse("The time zone must be a constant, such as 'Europe/Berlin'.", at);
  }
  return isZone(name) ? name : call.refuse(`'${name.slice(0, 64)}' is not a time zone.`, at);
}

/** Whether it is a name of the IANA database; offsets such as +02:00, which Intl takes too, are none. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Applies a change of local time that keeps the offset from UTC, such as cutting to the hour: in an hour that the
 * clocks show twice, each stays itself.
 */
export function withinOffset(
  moment: string,
  zone: string,
  call: CallContext,
  change: (local: string) => string,
): string {
  if (isUtc(zone)) return change(moment);
  return once(moment, call, (name) =>
    once(toLocal(name, zone, call), call, (local) => `(${change(local)} - (${local} - ${name}))`),
  );
}
