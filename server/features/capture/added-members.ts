import type { AddedProperty } from '../../warehouse/duckdb/event-row.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import type { JsonObject } from './envelope.ts';
import { storedJson } from './stored-text.ts';

/** Properties that the server adds to those that an event has: its sender's address and where that lies. */
export interface AddedMembers {
  /** Members of a JSON object; empty: none. */
  readonly json: string;
  /** What takes the place of the closing brace of an object with members; null: the brace stays. */
  readonly ending: Buffer | null;
  readonly list: readonly AddedProperty[];
}

const NONE: AddedMembers = { json: '', ending: null, list: [] };

/** The address to note; events of PostHog's own making are counted as this machine's (ingestion contract 3.3). */
export function senderAddress({ capture_internal }: JsonObject, clientIp: string): string {
  const isInternal =
    capture_internal !== undefined && capture_internal !== null && capture_internal !== false;
  return isInternal && clientIp !== '' ? '127.0.0.1' : clientIp;
}

/** What is added for the last events that named neither: those of a request mostly come from one address. */
let last = { ip: '', location: null as GeoipProperties | null, members: NONE };

/** What to add to the properties, which keep what they name themselves; an empty `senderIp` is not noted. */
export function membersToAdd(
  properties: JsonObject,
  senderIp: string,
  location: GeoipProperties | null,
): AddedMembers {
  const ip = properties.$ip === undefined ? senderIp : '';
  const missing = location === null ? null : missingOf(location, properties);
  if (ip === last.ip && missing === last.location) return last.members;
  const members = membersOf(ip, missing);
  last = { ip, location: missing, members };
  return members;
}

/** The same object when the event names nothing of it. */
function missingOf(location: GeoipProperties, properties: JsonObject): GeoipProperties {
  let isNamed = false;
  for (const name in location) isNamed ||= properties[name] !== undefined;
  if (!isNamed) return location;
  return Object.fromEntries(Object.entries(location).filter(([name]) => properties[name] === undefined));
}

function membersOf(ip: string, location: GeoipProperties | null): AddedMembers {
  const added = ip === '' ? { ...location } : { $ip: ip, ...location };
  const json = storedJson(added).slice(1, -1);
  return json === '' ? NONE : { json, ending: Buffer.from(`,${json}}`), list: listOf(added) };
}

/** One list for all events with the same added names, so that readers can compare it by identity. */
const lists = new Map<string, readonly AddedProperty[]>();

function listOf(added: Readonly<Record<string, unknown>>): readonly AddedProperty[] {
  const key = Object.keys(added).join();
  let list = lists.get(key);
  if (list === undefined) {
    list = Object.entries(added).map(([name, value]) => ({ name, value }));
    lists.set(key, list);
  }
  return list;
}

/**
 * Properties as they are stored. The additions are written into the text: members added to an object that JSON.parse laid
 * out make both slower by a third.
 */
export function textWith(properties: JsonObject, { json: added }: AddedMembers): string {
  const json = storedJson(properties);
  if (added === '') return json;
  return json === '{}' ? `{${added}}` : `${json.slice(0, -1)},${added}}`;
}
