import { fail } from '../../errors.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { FindShareable } from './sharing.routes.ts';

/** Finds what can be shared, each by its own feature's rules of who may look at it and who may change it. */
export function shareables({ dashboards }: { dashboards: Dashboards }): {
  dashboard: FindShareable;
  insight: FindShareable;
} {
  return {
    async dashboard(actor, { id: projectId }, text, needed) {
      const options = { needed, notFound: 'dashboard_not_found' } as const;
      const { id, name } = await dashboards.find(actor, projectId, readPathId(text), options);
      return { kind: 'dashboard', id, projectId, name };
    },
    insight: () => Promise.reject(fail('not_found')),
  };
}
