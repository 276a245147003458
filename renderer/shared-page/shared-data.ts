import type { ViewerFilters } from '../../server/features/sharing/sharing.contract.ts';
import type { AnswerJson } from '../insights/answer.ts';
import { insightName } from '../ui/insight-name.ts';

/** An insight with its result when the page was loaded. */
export interface SharedInsight extends AnswerJson {
  id: number;
  name: string | null;
  derived_name: string | null;
  description: string;
  query: Record<string, unknown> | null;
  /** When its answer was computed: ISO 8601. */
  last_refresh?: string | null;
}

export interface SharedTile {
  id: number;
  layouts: { sm?: unknown };
  color: string | null;
  insight: SharedInsight | null;
  text: { body: string } | null;
  show_description?: boolean | null;
  /** Its own dates and filters. */
  filters_overrides?: Record<string, unknown> | null;
  /** Of a text: a heading over the tiles below it, without a card. */
  transparent_background?: boolean | null;
}

export interface SharedDashboard {
  name: string;
  description: string;
  filters?: { date_from?: unknown; date_to?: unknown };
  tiles: SharedTile[];
}

interface PageFlags {
  whitelabel?: boolean;
  noHeader?: boolean;
  hideExtraDetails?: boolean;
  detailed?: boolean;
  theme?: string;
}

/** What the server has put into the page: a dashboard, an insight, or nothing that this link opens. */
export type SharedData = PageFlags &
  (
    | { type: 'missing' }
    | {
        type: 'scene' | 'embed';
        dashboard: SharedDashboard;
        /** The filters that viewers may change; absent: none. */
        viewer?: ViewerFilters;
      }
    | { type: 'scene' | 'embed'; insight: SharedInsight }
  );

/** Reads what the page was given; a page that was opened as a bare file was given nothing. */
export function readSharedData(page: Pick<Document, 'getElementById'>): SharedData {
  const text = page.getElementById('shared')?.textContent?.trim() ?? '';
  return text === '' ? { type: 'missing' } : (JSON.parse(text) as SharedData);
}

/** What is shown: a dashboard, or an insight as one with a single tile; null for nothing. */
export function shownOf(data: SharedData): SharedDashboard | null {
  if (data.type === 'missing') return null;
  if ('dashboard' in data) return data.dashboard;
  const { insight } = data;
  return {
    name: insightName(insight),
    description: insight.description,
    tiles: [{ id: 0, layouts: {}, color: null, insight, text: null }],
  };
}

/** When the oldest of the answers was computed; null when none is known. */
export function computedAt({ tiles }: SharedDashboard): string | null {
  return tiles.flatMap(({ insight }) => insight?.last_refresh ?? []).toSorted()[0] ?? null;
}
