import { Waves } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type InsightQuery } from '../insight-query.ts';
import { drawnAsLines, TREND_OPTIONS } from '../trends/lines.ts';

export const lifecycle: InsightKind = {
  id: 'LifecycleQuery',
  name: 'lifecycle',
  label: 'Lifecycle',
  noun: 'Lifecycle',
  icon: Waves,
  series: 'one',
  hasInterval: () => true,
  turn: ({ shared, group, bare, interval }): InsightQuery => ({
    kind: 'LifecycleQuery',
    ...shared,
    ...group,
    series: bare.slice(0, 1),
    interval,
  }),
  ...drawnAsLines((insightQuery) => nameOfSeries(insightQuery, { noun: 'Lifecycle' }), {
    ...TREND_OPTIONS,
    shape: () => 'bar',
  }),
};
