import { parseExactly, stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { LiveEvent, LiveFilter } from './capture-messages.ts';

type Filtered = Pick<LiveEvent, 'event' | 'distinctId' | 'properties'>;

/** Whether an event passes all filters; the JSON text of its properties is parsed only when a filter needs it. */
export function passesLiveFilters(event: Filtered, filters: readonly LiveFilter[]): boolean {
  let properties: Record<string, unknown> | null = null;
  return filters.every((filter) => {
    if (filter.field === 'event') return passes(event.event, filter);
    if (filter.field === 'distinct_id') return passes(event.distinctId, filter);
    properties ??= parseExactly(event.properties) as Record<string, unknown>;
    const key = filter.key ?? '';
    return passes(Object.hasOwn(properties, key) ? textOf(properties[key]) : null, filter);
  });
}

/** Compares as the flags do: by text, without regard to case; an absent value passes the negative operators. */
function passes(got: string | null, filter: LiveFilter): boolean {
  const expected = (filter.value ?? '').toLowerCase();
  switch (filter.operator) {
    case 'exact':
      return got !== null && got.toLowerCase() === expected;
    case 'is_not':
      return got === null || got.toLowerCase() !== expected;
    case 'icontains':
      return got !== null && got.toLowerCase().includes(expected);
    case 'is_set':
      return got !== null;
    case 'is_not_set':
      return got === null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExactly(value);
}
