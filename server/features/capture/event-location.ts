import type { GeoipLookup, GeoipProperties } from '../geoip/index.ts';
import type { JsonObject } from './envelope.ts';

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
