import { boolean, scalar } from '../../value-type.ts';
import { BOTS, trafficType, type Bot } from '../bots.ts';
import { alsoNamed, rowsOf, typed } from '../define-row.ts';
import type { FunctionRow } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asText } from '../read-argument.ts';

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
export const traffic: readonly FunctionRow[] = (
  [
    [botField('getTrafficType', trafficType, 'Regular'), '__preview_getTrafficType'],
    [botField('getTrafficCategory', ({ category }) => category, 'regular'), '__preview_getTrafficCategory'],
    [botField('getBotType', ({ category }) => category, ''), '__preview_getBotType'],
    [botField('getBotName', ({ name }) => name, ''), '__preview_getBotName'],
    [botField('getBotOperator', ({ operator }) => operator, ''), '__preview_getBotOperator'],
    [
      rowsOf(asText)('isLikelyBot', 1, boolean(), (x) => {
        return `coalesce(regexp_matches(lower(${x}), ${ANY_SIGN}), false)`;
      }),
      '__preview_isBot',
    ],
  ] as const
).flatMap(([row, olderName]) => alsoNamed(row, olderName));
