import { isJsonObject, parseExactly, stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { WaitingEvent } from './forwarding.store.ts';

/** The body of `/batch/` with stored events, which the receiver takes as new ones of their own time. */
export function batchText(apiKey: string, events: readonly WaitingEvent[]): string {
  const items = events.map(itemText).join(',');
  return `{"api_key":${JSON.stringify(apiKey)},"historical_migration":false,"batch":[${items}]}`;
}

function itemText({ uuid, event, distinctId, timestamp, properties, elementsChain }: WaitingEvent): string {
  return stringifyExactly({
    uuid,
    event,
    distinct_id: distinctId,
    timestamp,
    properties: sentProperties(parseExactly(properties), elementsChain),
  });
}

/**
 * Properties as their sender has sent them: without places and group indexes, which the receiver derives itself. An event
 * without an address says so, because the receiver would take the address of this machine for it.
 */
export function sentProperties(stored: unknown, elementsChain: string | null): Record<string, unknown> {
  const properties = isJsonObject(stored) ? stored : {};
  const isDerived = (name: string): boolean =>
    (name.startsWith('$geoip_') && properties['$geoip_disable'] !== true && name !== '$geoip_disable') ||
    (isJsonObject(properties['$groups']) && /^\$group_[0-4]$/.test(name));
  const kept = Object.entries(properties).filter(([name]) => !isDerived(name));
  return {
    ...Object.fromEntries(kept),
    ...(properties['$ip'] === undefined && { $ip: null }),
    ...(elementsChain !== null && { $elements_chain: elementsChain }),
  };
}
