import { Repeat } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type InsightQuery } from '../insight-query.ts';
import { drawnAsLines, TREND_OPTIONS, type LineOptions } from '../trends/lines.ts';

/** Its places are numbers of intervals. */
const OPTIONS: LineOptions = {
  ...TREND_OPTIONS,
  places: (lines, insightQuery) => {
    const [unit, isOrMore] = [insightQuery.interval ?? 'day', isCumulative(insightQuery)];
    return (lines[0]?.days ?? []).map((_, at) => ({
      long: `${at + 1} ${unit}${at === 0 ? '' : 's'}${isOrMore ? ' or more' : ''}`,
      short: `${at + 1}${isOrMore ? '+' : ''}`,
    }));
  },
  dayOf: (_, place) => place + 1,
  pointKind: 'StickinessActorsQuery',
  isOverTime: false,
  noun: 'persons',
  // Who came on three days or more came on two or more as well.
  hasTotals: (insightQuery) => !isCumulative(insightQuery),
};

export const stickiness: InsightKind = {
  id: 'StickinessQuery',
  name: 'stickiness',
  label: 'Stickiness',
  noun: 'Stickiness',
  icon: Repeat,
  series: 'several',
  canCompare: () => true,
  hasInterval: () => true,
  turn: ({ shared, group, bare, interval }): InsightQuery => ({
    kind: 'StickinessQuery',
    ...shared,
    ...group,
    series: bare,
    interval,
  }),
  ...drawnAsLines((insightQuery) => nameOfSeries(insightQuery, { noun: 'Stickiness' }), OPTIONS),
};

function isCumulative({ stickinessFilter }: InsightQuery): boolean {
  return (stickinessFilter as { computedAs?: unknown } | null)?.computedAs === 'cumulative';
}
