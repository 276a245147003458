import type { IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import type { GeoipLookup, GeoipProperties } from '../geoip/index.ts';
import type { JsonObject } from './envelope.ts';
import { updatesPersons } from './identity-update.ts';

/**
 * What is known of the place that an event was sent from (ingestion contract 6.7b): the address that the event names,
 * else its sender's. Null when nothing is known, or the event does not want it.
 */
export function locateEvent(
  properties: JsonObject,
  senderIp: string,
  lookup: GeoipLookup,
): GeoipProperties | null {
  const { $ip, $geoip_disable } = properties;
  if ($geoip_disable === true) return null;
  // What is no text is no address, and says that none is to be known.
  return lookup($ip === undefined ? senderIp : typeof $ip === 'string' ? $ip : '');
}

/** Lookups give the same object for the same address, so what it says about a person is made once. */
const updates = new WeakMap<GeoipProperties, IdentityUpdate>();

/** What the event says about its person, and where it was sent from; what it says itself wins. */
export function withLocation(
  identity: IdentityUpdate | null,
  location: GeoipProperties | null,
  { event, isAnonymous }: { event: string; isAnonymous: boolean },
): IdentityUpdate | null {
  if (location === null || isAnonymous || !updatesPersons(event)) return identity;
  let update = updates.get(location);
  if (update === undefined) updates.set(location, (update = updateOf(location)));
  if (identity === null) return update;
  return {
    ...identity,
    set: { ...update.set, ...identity.set },
    setOnce: { ...update.setOnce, ...identity.setOnce },
  };
}

function updateOf(location: GeoipProperties): IdentityUpdate {
  const initial = Object.entries(location).map(([name, value]) => [initialName(name), value] as const);
  const setOnce = Object.fromEntries(initial);
  return { set: location, setOnce, unset: null, merge: null, groupIdentify: null, groups: null };
}

/** `$geoip_city_name` -> `$initial_geoip_city_name`. */
function initialName(name: string): string {
  return `$initial_${name.slice(1)}`;
}
