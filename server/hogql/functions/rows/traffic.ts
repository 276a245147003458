import { scalar } from '../../value-type.ts';
import { BOTS, trafficType, type Bot } from '../bots.ts';
import { rowsOf, typed } from '../define-row.ts';
import type { FunctionRow } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText } from '../read-argument.ts';

const BOOL = scalar('Bool');
const STRING = scalar('String');

/** A text of ours as SQL. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** One pattern for all signs, so that the user agent of a browser is matched once. */
const ANY_SIGN = quoted(BOTS.map(({ sign }) => sign.replaceAll(/[.()/]/g, '[$&]')).join('|'));

/** What is known of the program that a user agent names, or what is said of people's browsers. */
function botField(name: string, of: (bot: Bot) => string, otherwise: string): FunctionRow {
  return typed(name, 1, ([argument], call) => {
    const agent = asText(argument!, call, 0);
    const sql = once(`lower(${agent.sql})`, call, (x) => {
      const cases = BOTS.map((bot) => `WHEN contains(${x}, ${quoted(bot.sign)}) THEN ${quoted(of(bot))}`);
      return `(CASE WHEN NOT coalesce(regexp_matches(${x}, ${ANY_SIGN}), false) THEN ${quoted(otherwise)} ${cases.join(' ')} END)`;
    });
    return { sql, type: STRING };
  });
}

/** Who visits, by the user agent: people, or programs that say so. */
export const traffic: readonly FunctionRow[] = [
  botField('getTrafficType', trafficType, 'Regular'),
  botField('getTrafficCategory', ({ category }) => category, 'regular'),
  botField('getBotType', ({ category }) => category, ''),
  botField('getBotName', ({ name }) => name, ''),
  botField('getBotOperator', ({ operator }) => operator, ''),
  rowsOf(asText)('isLikelyBot', 1, BOOL, (x) => {
    return `coalesce(regexp_matches(lower(${x}), ${ANY_SIGN}), false)`;
  }),
];
