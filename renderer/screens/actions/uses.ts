import type { BasicInsightJson as Insight } from '../../../server/features/insights/insights.contract.ts';

/** The insights whose query counts an action. */
export function insightsUsing(actionId: number, insights: readonly Insight[]): Insight[] {
  return insights.filter(({ query }) => names(query, actionId));
}

/** Whether a part of a query is this action, as a series or as retention writes it. */
function names(part: unknown, actionId: number): boolean {
  if (Array.isArray(part)) return part.some((one) => names(one, actionId));
  if (typeof part !== 'object' || part === null) return false;
  const { kind, type, id } = part as { kind?: unknown; type?: unknown; id?: unknown };
  if ((kind === 'ActionsNode' || type === 'actions') && Number(id) === actionId) return true;
  return Object.values(part).some((one) => names(one, actionId));
}
