import type { GeoipFile } from './geoip-file.ts';
import type { GeoipProperties } from './geoip-properties.ts';
import { isExampleAddress, publicAddress } from './special-addresses.ts';

/** The `$geoip_…` properties of an address as text; null for one that is not public, malformed or unknown. */
export type GeoipLookup = (ip: string) => GeoipProperties | null;

/** Addresses remembered: those of the senders that are at work just now. */
const REMEMBERED = 2_048;
/** The longest address, with a little room; what is longer is none, and not worth remembering. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * Looks addresses up through a small cache of the last results; a repeated address returns the same object. `file` is
 * called only for a public address: those of one's own machine and network need none.
 */
export function createGeoipLookup(file: () => GeoipFile | null, isBuiltIn: boolean): GeoipLookup {
  const remembered = new Map<string, GeoipProperties | null>();
  let lastIp = '';
  let last: GeoipProperties | null = null;

  function find(ip: string): GeoipProperties | null {
    const address = publicAddress(ip);
    // The built-in file is put together from registries, which count examples to the country of their keeper.
    if (address === null || (isBuiltIn && isExampleAddress(address))) return null;
    return file()?.find(address) ?? null;
  }

  function recall(ip: string): GeoipProperties | null {
    let found = remembered.get(ip);
    if (found === undefined) {
      found = find(ip);
      if (remembered.size === REMEMBERED) remembered.delete(remembered.keys().next().value!);
    } else remembered.delete(ip);
    remembered.set(ip, found);
    return found;
  }

  return (ip) => {
    // The events of a request come from one address.
    if (ip === lastIp) return last;
    if (ip === '' || ip.length > MAX_ADDRESS_LENGTH) return null;
    last = recall(ip);
    lastIp = ip;
    return last;
  };
}
