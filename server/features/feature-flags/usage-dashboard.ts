import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import { insightTileAt, readTemplate, type Template } from '../dashboard-templates/index.ts';
import { ApiError } from '../../errors.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { Insights } from '../insights/index.ts';
import type { Flag } from './flag-row.ts';

/** Makes a dashboard of a template, in the transaction of the flag; returns its id. */
export type MakeDashboard = (
  tx: Statements,
  actor: Actor,
  projectId: number,
  template: Template,
) => Promise<number>;

/** SDKs send this event when code evaluates a flag, with the result. */
const CALLED = '$feature_flag_called';
/** The property of such an event that names the flag. */
const CALLED_FLAG = '$feature_flag';
const RESPONSE = '$feature_flag_response';

/** What the dashboard of a flag is called. */
function usageName(key: string): string {
  return `Generated Dashboard: ${key} Usage`;
}

/** The dashboard of a flag: calls per day and unique users, both by value. */
export function usageTemplate(key: string): Template {
  const calls = {
    kind: 'EventsNode',
    event: CALLED,
    name: CALLED,
    properties: [{ key: CALLED_FLAG, type: 'event', operator: 'exact', value: [key] }],
  };
  const byAnswer = { breakdownFilter: { breakdown: RESPONSE, breakdown_type: 'event' } };
  const lastMonth = { dateRange: { date_from: '-30d' }, interval: 'day' };
  return readTemplate({
    template_name: usageName(key),
    dashboard_description: 'Calls and values of a feature flag.',
    dashboard_filters: {},
    tags: ['feature-flag'],
    tiles: [
      insightTileAt(0, {
        name: 'Feature flag calls',
        description: `Feature flag calls per day in the last 30 days, by value.`,
        source: {
          kind: 'TrendsQuery',
          series: [calls],
          ...byAnswer,
          ...lastMonth,
          trendsFilter: { display: 'ActionsLineGraph' },
        },
      }),
      insightTileAt(1, {
        name: 'Users by flag value',
        description: `Unique users per flag value in the last 30 days.`,
        source: {
          kind: 'TrendsQuery',
          series: [{ ...calls, math: 'dau' }],
          ...byAnswer,
          ...lastMonth,
          trendsFilter: { display: 'ActionsTable' },
        },
      }),
    ],
  });
}

export interface FollowKeyParts {
  dashboards: Pick<Dashboards, 'json' | 'update'>;
  insights: Pick<Insights, 'update'>;
}

/**
 * Has the usage dashboard of a flag follow the flag to another key: its name, where no user has changed it, and what its
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
