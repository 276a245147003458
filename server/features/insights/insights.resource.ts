import { defineResource } from '../../http/define-resource.ts';

export const insightResource = defineResource({
  noun: 'insight',
  activity: 'Insight',
  table: { name: 'insights', isLive: 'NOT deleted' },
  history: { path: 'insights' },
  search: {
    name: `coalesce(nullif(name, ''), derived_name)`,
    details: `json_object('short_id', short_id, 'name', name, 'derived_name', derived_name, 'query', query)`,
    resultOf({ description, details }) {
      const insight = JSON.parse(details!) as InsightDetails;
      const query = insight.query === null ? null : (JSON.parse(insight.query) as Record<string, unknown>);
      const { name, derived_name } = insight;
      return {
        result_id: insight.short_id,
        extra_fields: { name, description: description ?? '', derived_name, query },
      };
    },
  },
  tags: true,
});

interface InsightDetails {
  short_id: string;
  name: string | null;
  derived_name: string | null;
  /** JSON text. */
  query: string | null;
}
