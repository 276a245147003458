import { shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import type { InsightFormat } from '../../components/insights/use-insight-editor.ts';
import {
  ALL_EVENTS,
  changesFromText,
  changesToText,
  eventsQueryOf,
  sentQuery,
  type EventsQuery,
} from '../../insights/events-query.ts';

export interface SavedView {
  /** The short ID of its insight. */
  id: string;
  name: string;
  author: string;
}

/** Views that are listed. */
const MOST = 100;

/** The saved views of a project: its insights that list events, as in PostHog's API. */
export function useViews(projectId: number) {
  const views = shallowRef<readonly SavedView[]>([]);

  /** Without an answer the list stays: the events do not depend on it. */
  async function load(): Promise<void> {
    const query = { insight: 'JSON', saved: true, basic: true, limit: MOST, order: 'name' };
    const page = await api.get('P/insights/', { projectId, query }).catch(() => null);
    if (page === null) return;
    views.value = page.results
      .filter((insight) => eventsQueryOf(insight.query) !== null)
      .map(({ short_id: id, name, derived_name: derived, created_by: author }) => ({
        id,
        name: name || derived || 'Events',
        author: author ? author.first_name || author.email : '',
      }));
  }

  return { views, load };
}

/** A view as an insight: a DataTableNode around the query. */
export const viewFormat: InsightFormat<EventsQuery> = {
  read: eventsQueryOf,
  write: (query, stored) => ({
    ...(stored && 'source' in stored ? stored : { kind: 'DataTableNode' }),
    source: sentQuery(query),
  }),
  empty: () => ALL_EVENTS,
  nameOf: ({ events }) => (events.length === 0 ? 'Events' : events.join(', ').slice(0, 400)),
  fromText: changesFromText,
  toText: changesToText,
};
