import type { IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import type { JsonObject } from './envelope.ts';
import { updatesPersons } from './identity-update.ts';

/** Event properties that become properties of the person, as PostHog's ingestion has them. */
export const PERSON_PROPERTIES: readonly string[] = (
  '$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url $pathname ' +
  '$os $os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height ' +
  '$viewport_width $raw_user_agent utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source ' +
  'gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid'
).split(' ');
/** Beside them the one that says which of them are those of a server. */
export const READ_FOR_PERSONS: readonly string[] = [...PERSON_PROPERTIES, '$is_server'];

const INITIAL_NAMES: readonly string[] = PERSON_PROPERTIES.map(initialName);
/** Of the machine that sends an event, so not of the person when that is a server. */
const OF_SENDER: ReadonlySet<string> = new Set(['$os', '$os_name', '$os_version']);

/** An event, as far as it decides what is derived from it. */
export interface DerivedFrom {
  event: string;
  isAnonymous: boolean;
  location: GeoipProperties | null;
  /** At least those of READ_FOR_PERSONS; asked for only when something may be derived. */
  properties: () => JsonObject;
}

/** What the event says about its person, with what is derived from its properties and its place (A-2, 6.7b). */
export function withDerived(identity: IdentityUpdate | null, from: DerivedFrom): IdentityUpdate | null {
  const { event, isAnonymous, location } = from;
  if (isAnonymous || !updatesPersons(event)) return identity;
  const update = location === null ? null : updateOfLocation(location);
  const properties = from.properties();
  if (!hasAny(properties))
    return update === null || identity === null ? (identity ?? update) : merge(update, identity);
  const set: JsonObject = { ...update?.set };
  const setOnce: JsonObject = { ...update?.setOnce };
  lift(properties, set, setOnce);
  const derived = { set, setOnce, unset: null, merge: null, groupIdentify: null, groups: null };
  return identity === null ? derived : merge(derived, identity);
}

function hasAny(properties: JsonObject): boolean {
  for (const name of PERSON_PROPERTIES) if (properties[name] !== undefined) return true;
  return false;
}

function lift(properties: JsonObject, set: JsonObject, setOnce: JsonObject): void {
  const isServer = properties['$is_server'] === true;
  for (let i = 0; i < PERSON_PROPERTIES.length; i++) {
    const name = PERSON_PROPERTIES[i]!;
    const value = properties[name];
    if (value === undefined || name === '$os_name' || (isServer && OF_SENDER.has(name))) continue;
    set[name] = value;
    if (value !== null) setOnce[INITIAL_NAMES[i]!] = value;
  }
  // What some SDKs call the same.
  const alias = properties['$os_name'] ?? null;
  if (isServer || alias === null || (properties['$os'] ?? null) !== null) return;
  set['$os'] = alias;
  setOnce['$initial_os'] = alias;
}

/** What the event says itself wins, but its own null in `$set_once` blocks nothing. */
function merge(derived: IdentityUpdate, identity: IdentityUpdate): IdentityUpdate {
  const setOnce: JsonObject = { ...derived.setOnce };
  for (const [name, value] of Object.entries(identity.setOnce ?? {})) {
    if (value !== null || !Object.hasOwn(setOnce, name)) setOwn(setOnce, name, value);
  }
  return { ...identity, set: { ...derived.set, ...identity.set }, setOnce };
}

/** `__proto__` is a name like any other. */
function setOwn(object: JsonObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Lookups give the same object for the same address, so what it says about a person is made once. */
const updates = new WeakMap<GeoipProperties, IdentityUpdate>();

function updateOfLocation(location: GeoipProperties): IdentityUpdate {
  let update = updates.get(location);
  if (update === undefined) {
    const initial = Object.entries(location).map(([name, value]) => [initialName(name), value] as const);
    const setOnce = Object.fromEntries(initial);
    update = { set: location, setOnce, unset: null, merge: null, groupIdentify: null, groups: null };
    updates.set(location, update);
  }
  return update;
}

/** `$geoip_city_name` -> `$initial_geoip_city_name`, `utm_source` -> `$initial_utm_source`. */
function initialName(name: string): string {
  return `$initial_${name.startsWith('$') ? name.slice(1) : name}`;
}
