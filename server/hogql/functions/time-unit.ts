import type { IntervalUnit } from '../value-type.ts';
import type { CallContext, Printed } from './function-row.ts';

/** Units of time that functions accept by name, with ClickHouse's names for them. */
const NAMES: Readonly<Record<IntervalUnit, readonly string[]>> = {
  second: ['ss', 's', 'sql_tsi_second'],
  minute: ['mi', 'n', 'sql_tsi_minute'],
  hour: ['hh', 'h', 'sql_tsi_hour'],
  day: ['dd', 'd', 'sql_tsi_day'],
  week: ['wk', 'ww', 'sql_tsi_week'],
  month: ['mm', 'm', 'sql_tsi_month'],
  quarter: ['qq', 'q', 'sql_tsi_quarter'],
  year: ['yyyy', 'yy', 'sql_tsi_year'],
};

export const UNITS = Object.keys(NAMES) as IntervalUnit[];

/** `toIntervalDay`, `addDays`… from a unit. */
export function unitName(unit: IntervalUnit): string {
  return `${unit[0]!.toUpperCase()}${unit.slice(1)}`;
}

/** Whether the unit consists of days, whose length depends on the calendar of a zone. */
export function isCalendarUnit(unit: IntervalUnit): boolean {
  return !['second', 'minute', 'hour'].includes(unit);
}

/** The unit that an argument names, as in `'day'`, `'days'`, `'dd'`. */
export function namedUnit(args: readonly Printed[], at: number, call: CallContext): IntervalUnit {
  const name = args[at]?.constant;
  const word = typeof name === 'string' ? name.toLowerCase() : '';
  const unit = UNITS.find((one) => one === word || `${one}s` === word || NAMES[one].includes(word));
  return unit ?? call.refuse(`The unit must be one of these constants: ${UNITS.join(', ')}.`, at);
}
