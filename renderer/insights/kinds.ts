import { ChartLine, Filter, Grid3x3, Repeat, Route, Table, Terminal, Waves } from '@lucide/vue';
import type { Component } from 'vue';

const KINDS: Readonly<Record<string, { label: string; icon: Component }>> = {
  TrendsQuery: { label: 'Trend', icon: ChartLine },
  FunnelsQuery: { label: 'Funnel', icon: Filter },
  RetentionQuery: { label: 'Retention', icon: Grid3x3 },
  StickinessQuery: { label: 'Stickiness', icon: Repeat },
  LifecycleQuery: { label: 'Lifecycle', icon: Waves },
  PathsQuery: { label: 'Paths', icon: Route },
  HogQLQuery: { label: 'SQL', icon: Terminal },
};

/** What kind of question a stored query is. */
export function kindOfQuery(query: unknown): { label: string; icon: Component } {
  if (typeof query !== 'object' || query === null) return { label: 'No query', icon: Table };
  const { kind, source } = query as { kind?: unknown; source?: unknown };
  if (source !== undefined && source !== null) return kindOfQuery(source);
  return KINDS[String(kind)] ?? { label: 'Table', icon: Table };
}
