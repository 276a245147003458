import { boolean, scalar } from '../../value-type.ts';
import { BOT_FIELDS, BOTS } from '../bots.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { quoteText } from '../../../lib/quote-sql.ts';
import { once } from '../local-time.ts';
import { asText } from '../read-argument.ts';

/** One pattern for all signs, so that the user agent of a browser is matched once. */
const ANY_SIGN = BOTS.map(({ sign }) => sign.replaceAll(/[.()/]/g, '[$&]')).join('|');

/** A user agent in small letters; empty where there is none. */
function agentOf(argument: Printed, call: CallContext): string {
  return `lower(coalesce(${asText(argument, call, 0).sql}, ''))`;
}

/** Functions take the address of the client too, and do not look at it: no list of the addresses of crawlers is shipped. */
const ARGUMENTS = [1, 2] as const;

/** Who visits, by the user agent: people, or programs that say so or hide theirs. */
export const traffic: readonly FunctionRow[] = [
  ...Object.entries(BOT_FIELDS).flatMap(([name, { of, nameless, people }]) => {
    const cases = BOTS.map((bot) => [quoteText(bot.sign), quoteText(of(bot))] as const);
    const row = typed(name, ARGUMENTS, ([agent], call) => ({
      sql: once(agentOf(agent!, call), call, (x) => {
        const program = cases.map(([sign, text]) => `WHEN contains(${x}, ${sign}) THEN ${text}`).join(' ');
        return `(CASE WHEN ${x} = '' THEN ${quoteText(nameless)} WHEN NOT regexp_matches(${x}, ${quoteText(ANY_SIGN)}) THEN ${quoteText(people)} ${program} END)`;
      }),
      type: scalar('String'),
    }));
    return alsoNamed(row, `__preview_${name}`);
  }),
  ...alsoNamed(
    typed('isLikelyBot', ARGUMENTS, ([agent], call) => ({
      sql: `regexp_matches(${agentOf(agent!, call)}, ${quoteText(`^$|${ANY_SIGN}`)})`,
      type: boolean(),
    })),
    '__preview_isBot',
  ),
];
