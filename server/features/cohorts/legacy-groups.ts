import { fail } from '../../errors.ts';

type Group = Readonly<Record<string, unknown>>;

/**
 * Converts the old form of filters: a person needs to pass one of the groups, each of which is about properties of
 * the person or about an event or action in some days. What the parts say is checked with the rule.
 */
export function filtersOfGroups(groups: readonly Group[]): Readonly<Record<string, unknown>> {
  return { properties: { type: 'OR', values: groups.map(partOf) } };
}

function partOf(group: Group, at: number): Readonly<Record<string, unknown>> {
  const { properties } = group;
  if (group['event_id'] !== undefined || group['action_id'] !== undefined) {
    return { type: 'AND', values: [behaviourOf(group)] };
  }
  if (Array.isArray(properties)) {
    return {
      type: 'AND',
      values: properties.map((leaf: unknown) => ({ type: 'person', ...(leaf as object) })),
    };
  }
  if (typeof properties === 'object' && properties !== null) {
    return { type: 'AND', values: Object.entries(properties).map(([name, value]) => leafOf(name, value)) };
  }
  throw fail('invalid_input', {
    attr: `groups__${at}`,
    detail: 'A group must have properties, an event_id or an action_id.',
  });
}

/** The oldest form of a property: `{"email__icontains": "@example.com"}`. */
function leafOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const [, key, operator] = /^(.+)__([a-z_]+)$/.exec(name) ?? [];
  return { type: 'person', key: key ?? name, ...(operator === undefined ? {} : { operator }), value };
}

function behaviourOf(group: Group): Readonly<Record<string, unknown>> {
  const isAction = group['action_id'] !== undefined && group['action_id'] !== null;
  const isCounted = group['count'] !== undefined && group['count'] !== null;
  return {
    type: 'behavioral',
    key: isAction ? group['action_id'] : group['event_id'],
    event_type: isAction ? 'actions' : 'events',
    value: isCounted ? 'performed_event_multiple' : 'performed_event',
    ...(isCounted ? { operator: group['count_operator'] ?? 'gte', operator_value: group['count'] } : {}),
    time_value: group['days'] ?? null,
    time_interval: 'day',
    explicit_datetime: group['start_date'] ?? null,
    explicit_datetime_to: group['end_date'] ?? null,
    ...(group['properties'] === undefined ? {} : { event_filters: group['properties'] }),
  };
}
