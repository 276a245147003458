import { ApiError } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { Insights } from '../insights/index.ts';
import type { Flag } from './flag-row.ts';
import { CALLED_FLAG, usageName } from './usage-dashboard.ts';

export interface FollowKeyParts {
  dashboards: Pick<Dashboards, 'json' | 'update'>;
  insights: Pick<Insights, 'update'>;
}

/**
 * Has the usage dashboard of a flag follow the flag to another key: its name, where nobody has changed it, and what its
 * insights filter by. What the actor may not change stays as it is.
 */
export async function followKey(
  { dashboards, insights }: FollowKeyParts,
  actor: Actor,
  { projectId, usageDashboard, key }: Pick<Flag, 'projectId' | 'usageDashboard' | 'key'>,
  oldKey: string,
): Promise<void> {
  if (usageDashboard === null || key === oldKey) return;
  try {
    const board = await dashboards.json(actor, projectId, usageDashboard);
    if (board.deleted) return;
    if (board.name === usageName(oldKey))
      await dashboards.update(actor, projectId, usageDashboard, { name: usageName(key), filters: undefined });
    for (const { insight } of board.tiles) {
      const query = withKey(insight?.query ?? null, oldKey, key);
      if (insight === null || JSON.stringify(query) === JSON.stringify(insight.query)) continue;
      await insights.update(actor, projectId, String(insight.id), { query });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The same query, where it filters by the flag that was called, by the other key. */
function withKey(node: unknown, oldKey: string, key: string): unknown {
  if (Array.isArray(node)) return node.map((part) => withKey(part, oldKey, key));
  if (typeof node !== 'object' || node === null) return node;
  const filter = node as { key?: unknown; value?: unknown };
  if (filter.key === CALLED_FLAG) {
    const renamed = (value: unknown) => (value === oldKey ? key : value);
    return {
      ...node,
      value: Array.isArray(filter.value) ? filter.value.map(renamed) : renamed(filter.value),
    };
  }
  return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, withKey(part, oldKey, key)]));
}
