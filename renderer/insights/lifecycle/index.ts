import { Waves } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type Question } from '../question.ts';
import { drawnAsLines, TREND_OPTIONS } from '../trends/lines.ts';

export const lifecycle: InsightKind = {
  id: 'LifecycleQuery',
  name: 'lifecycle',
  label: 'Lifecycle',
  noun: 'Lifecycle',
  icon: Waves,
  series: 'one',
  hasInterval: () => true,
  turn: ({ shared, group, bare, interval }): Question => ({
    kind: 'LifecycleQuery',
    ...shared,
    ...group,
    series: bare.slice(0, 1),
    interval,
  }),
  ...drawnAsLines((question) => nameOfSeries(question, { noun: 'Lifecycle' }), {
    ...TREND_OPTIONS,
    shape: () => 'bar',
  }),
};
