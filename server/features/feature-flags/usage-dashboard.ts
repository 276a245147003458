import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import { insightTileAt, readTemplate, type Template } from '../dashboard-templates/index.ts';

/** Makes a dashboard of a template, in the transaction of the flag; returns its id. */
export type MakeDashboard = (
  tx: Statements,
  actor: Actor,
  projectId: number,
  template: Template,
) => Promise<number>;

/** What SDKs send when code asked for a flag, and what it was answered. */
const CALLED = '$feature_flag_called';
/** The property of such an event that names the flag. */
export const CALLED_FLAG = '$feature_flag';
const RESPONSE = '$feature_flag_response';

/** What the dashboard of a flag is called. */
export function usageName(key: string): string {
  return `Generated Dashboard: ${key} Usage`;
}

/** The dashboard of a flag: how often, by how many people, and with which answer code asks for it. */
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
