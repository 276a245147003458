import type { DerivedUpdate, IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import { FIRST_OF_NULL, FIRST_OF_TRUE } from '../../lib/json-grammar.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import { initialName, PERSON_PROPERTIES } from '../persons/index.ts';
import type { JsonObject } from './envelope.ts';
import { updatesPersons } from './identity-update.ts';

/** Beside them the one that says which of them are those of a server. */
export const READ_FOR_PERSONS: readonly string[] = [...PERSON_PROPERTIES, '$is_server'];

const INITIAL_NAMES: readonly string[] = PERSON_PROPERTIES.map(initialName);
const PLACES: ReadonlyMap<string, number> = new Map(READ_FOR_PERSONS.map((name, place) => [name, place]));
const OS = PLACES.get('$os')!;
const OS_VERSION = PLACES.get('$os_version')!;
const OS_NAME = PLACES.get('$os_name')!;
const IS_SERVER = PLACES.get('$is_server')!;

/** Takes the place of a name in READ_FOR_PERSONS, and its value. */
export type TakePersonValue = (place: number, value: unknown) => void;

/** An event, as far as it decides what is derived from it. */
export interface DerivedFrom {
  event: string;
  isAnonymous: boolean;
  location: GeoipProperties | null;
  /** Gives the properties of READ_FOR_PERSONS that the event has; called only when something may be derived. */
  forEachValue: (take: TakePersonValue) => void;
}

/** What the event says about its person, with what is derived from its properties and its place (A-2, 6.7b). */
export function withDerived(identity: IdentityUpdate | null, from: DerivedFrom): IdentityUpdate | null {
  const { event, isAnonymous, location } = from;
  if (isAnonymous || !updatesPersons(event)) return identity;
  const update = location === null ? null : updateOfLocation(location);
  const derived = lift(from.forEachValue, update);
  if (derived === null || identity === null) return identity ?? derived;
  return merge(derived, identity);
}

/** The same for properties that are still bytes, and are read only when they are needed; null when there are none. */
export function derivedLater(
  { bytes, forPersons }: { bytes: Buffer; forPersons: readonly number[] },
  { event, isAnonymous, forEachValue }: Omit<DerivedFrom, 'location'>,
): DerivedUpdate | null {
  if (forPersons.length === 0 || isAnonymous || !updatesPersons(event)) return null;
  let hasOs = false;
  let isServer = false;
  for (let i = 0; i < forPersons.length; i += 3) {
    const place = forPersons[i]!;
    const first = bytes[forPersons[i + 1]!];
    if (place === IS_SERVER) isServer = first === FIRST_OF_TRUE;
    else if (place === OS && first !== FIRST_OF_NULL) hasOs = true;
  }
  const codes: number[] = [];
  for (let i = 0; i < forPersons.length; i += 3) {
    const place = forPersons[i]!;
    const isNull = bytes[forPersons[i + 1]!] === FIRST_OF_NULL ? 1 : 0;
    if (place === IS_SERVER || (isServer && (place === OS || place === OS_VERSION))) continue;
    if (place !== OS_NAME) codes.push(2 * place + isNull);
    else if (!isServer && !hasOs && isNull === 0) codes.push(2 * OS);
  }
  return {
    codes,
    joinedWith(identity) {
      const derived = lift(forEachValue, null);
      return derived === null || identity === null ? (identity ?? derived) : merge(derived, identity);
    },
  };
}

/** Gives those of an object. */
export function forEachPersonValue(properties: JsonObject, take: TakePersonValue): void {
  for (const name in properties) {
    const place = PLACES.get(name);
    if (place !== undefined) take(place, properties[name]);
  }
}

/** Adds to what is derived from the place; returns that alone when the properties say nothing about a person. */
function lift(
  forEachValue: DerivedFrom['forEachValue'],
  ofPlace: IdentityUpdate | null,
): IdentityUpdate | null {
  const set: JsonObject = ofPlace === null ? {} : { ...ofPlace.set };
  const setOnce: JsonObject = ofPlace === null ? {} : { ...ofPlace.setOnce };
  let hasAny = false;
  let hasOs = false;
  let isServer = false;
  let alias: unknown = null;
  forEachValue((place, value) => {
    if (place === IS_SERVER) {
      isServer = value === true;
      return;
    }
    hasAny = true;
    if (place === OS_NAME) {
      alias = value;
      return;
    }
    if (place === OS && value !== null) hasOs = true;
    set[PERSON_PROPERTIES[place]!] = value;
    if (value !== null) setOnce[INITIAL_NAMES[place]!] = value;
  });
  if (!hasAny) return ofPlace;
  if (isServer) {
    // They are those of the machine that sends the event.
    for (const name of ['$os', '$os_version']) {
      delete set[name];
      delete setOnce[initialName(name)];
    }
  } else if (alias !== null && !hasOs) {
    // What some SDKs call the same.
    set['$os'] = alias;
    setOnce['$initial_os'] = alias;
  }
  return { set, setOnce, unset: null, merge: null, groupIdentify: null, groups: null };
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

/** Lookups return the same object for the same address, so its update is built one time. */
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
