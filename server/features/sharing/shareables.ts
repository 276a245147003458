import { readPathId } from '../../http/fields.contract.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { Insights } from '../insights/index.ts';
import type { FindShareable } from './sharing.routes.ts';

/** Finds what can be shared, each by its own feature's rules of who may look at it and who may change it. */
export function shareables({ dashboards, insights }: { dashboards: Dashboards; insights: Insights }): {
  dashboard: FindShareable;
  insight: FindShareable;
} {
  return {
    async dashboard(actor, { id: projectId }, key, needed) {
      const options = { needed, notFound: 'dashboard_not_found' } as const;
      const { id, name } = await dashboards.find(actor, projectId, readPathId(key), options);
      return { kind: 'dashboard', id, projectId, name };
    },
    async insight(actor, { id: projectId }, key, needed) {
      const { id, shortId, name, derivedName } = await insights.find(actor, projectId, key, { needed });
      return { kind: 'insight', id, projectId, name: name ?? derivedName, shortId };
    },
  };
}
