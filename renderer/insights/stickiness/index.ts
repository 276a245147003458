import { Repeat } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type InsightQuery } from '../insight-query.ts';
import { drawnAsLines, TREND_OPTIONS, type LineOptions } from '../trends/lines.ts';

/** Its places are numbers of intervals. */
const OPTIONS: LineOptions = {
  ...TREND_OPTIONS,
  places: (lines, { interval, stickinessFilter }) => {
    const isCumulative = (stickinessFilter as { computedAs?: unknown } | null)?.computedAs === 'cumulative';
    return (lines[0]?.days ?? []).map((_, at) => ({
      long: `${at + 1} ${interval ?? 'day'}${at === 0 ? '' : 's'}${isCumulative ? ' or more' : ''}`,
      short: `${at + 1}${isCumulative ? '+' : ''}`,
    }));
  },
  dayOf: (_, place) => place + 1,
  pointKind: 'StickinessActorsQuery',
  isOverTime: false,
  noun: 'persons',
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
