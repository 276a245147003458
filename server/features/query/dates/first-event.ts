import { field, from, order, select } from '../../../hogql/build.ts';
import type { KindContext } from '../query-kind.ts';
import type { DateRange } from './date-span.ts';

/**
 * When the project's first event happened, in Unix milliseconds, for queries of all time; null when there is none, or when
 * the query does not ask for all time.
 */
export async function firstEventOf(
  range: DateRange | null | undefined,
  context: Pick<KindContext, 'runQuery'>,
): Promise<number | null> {
  if (range?.date_from !== 'all') return null;
  const first = select({
    select: [field('timestamp')],
    from: from('events'),
    orderBy: [order(field('timestamp'))],
    limit: 1,
  });
  const { rows } = await context.runQuery(first, { inHogql: false });
  const moment = rows[0]?.[0];
  return typeof moment === 'string' ? Date.parse(moment) : null;
}
