import type { DerivedUpdate } from '../../warehouse/duckdb/event-row.ts';
import { isSameJson, type PersonState, type Properties, type PropertyChange } from './person-state.ts';

/** Event properties that become properties of the person, as PostHog's ingestion has them. */
export const PERSON_PROPERTIES: readonly string[] = (
  '$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url $pathname ' +
  '$os $os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height ' +
  '$viewport_width $raw_user_agent utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source ' +
  'gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid'
).split(' ');

/** Change on every page: new values of them alone are no reason to write a person (A-2, as PostHog does). */
const FREQUENT: ReadonlySet<string> = new Set(
  (
    '$current_url $pathname $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width ' +
    '$browser $browser_version $device_type $raw_user_agent $os $os_name $os_version $geoip_postal_code ' +
    '$geoip_time_zone $geoip_latitude $geoip_longitude $geoip_accuracy_radius $geoip_subdivision_1_code ' +
    '$geoip_subdivision_1_name $geoip_subdivision_2_code $geoip_subdivision_2_name $geoip_subdivision_3_code ' +
    '$geoip_subdivision_3_name'
  ).split(' '),
);
const GEOIP_CONFIDENCE = /^\$geoip_.*_confidence$/;
/** Events by which an application says something about a person: what they say is always written. */
const ALWAYS_WRITTEN: ReadonlySet<string> = new Set([
  '$identify',
  '$set',
  '$create_alias',
  '$merge_dangerously',
]);

/** Whether an event of this name changes the person in more than new values of what changes on every page. */
export function isWorthWriting(
  event: string,
  current: Readonly<Properties>,
  change: PropertyChange,
): boolean {
  if (ALWAYS_WRITTEN.has(event)) return true;
  for (const name of change.unset ?? []) if (Object.hasOwn(current, name)) return true;
  const { set, setOnce } = change;
  if (setOnce !== null) {
    for (const name of Object.keys(setOnce)) {
      if (setOnce[name] !== null && (!Object.hasOwn(current, name) || current[name] === null)) return true;
    }
  }
  if (set === null) return false;
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(current, name)) return true;
    if (set[name] === current[name] || isFrequent(name)) continue;
    if (!isSameJson(current[name], set[name])) return true;
  }
  return false;
}

function isFrequent(name: string): boolean {
  return FREQUENT.has(name) || GEOIP_CONFIDENCE.test(name);
}

/** `$browser` -> `$initial_browser`, `utm_source` -> `$initial_utm_source`. */
export function initialName(name: string): string {
  return `$initial_${name.startsWith('$') ? name.slice(1) : name}`;
}

/** One bit for each name that is set, then one for each name that is set once. */
const SET_BITS: ReadonlyMap<string, number> = new Map(PERSON_PROPERTIES.map((name, bit) => [name, bit]));
const SET_ONCE_BITS: ReadonlyMap<string, number> = new Map(
  PERSON_PROPERTIES.map((name, bit) => [initialName(name), PERSON_PROPERTIES.length + bit]),
);
const IS_FREQUENT: readonly boolean[] = PERSON_PROPERTIES.map((name) => FREQUENT.has(name));
const WORDS = Math.ceil((2 * PERSON_PROPERTIES.length) / 32);
/** 24 MB at most; persons with greater numbers are read for each of their events. */
const MAX_PERSONS = 2_000_000;
const FIRST_PERSONS = 1_024;

/** Which of PERSON_PROPERTIES each person has, so that events that say nothing new need not read their person. */
export interface WrittenNames {
  /** Notes what a person has, as it is committed. */
  note(person: Pick<PersonState, 'id' | 'properties'>): void;
  forget(personId: number): void;
  /** Whether what is derived from an event is surely not worth writing. False when the person was never noted. */
  sayNothingNew(personId: number, event: string, { codes }: Pick<DerivedUpdate, 'codes'>): boolean;
}

export function createWrittenNames(): WrittenNames {
  let words = new Uint32Array(FIRST_PERSONS * WORDS);

  function has(personId: number, bit: number): boolean {
    return (words[personId * WORDS + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
  }

  return {
    note({ id, properties }) {
      if (id >= MAX_PERSONS) return;
      if ((id + 1) * WORDS > words.length) {
        const more = new Uint32Array(Math.min(2 * (id + 1), MAX_PERSONS) * WORDS);
        more.set(words);
        words = more;
      }
      words.fill(0, id * WORDS, (id + 1) * WORDS);
      const put = (bit: number): void => void (words[id * WORDS + (bit >>> 5)]! |= 1 << (bit & 31));
      for (const name of Object.keys(properties)) {
        const value = properties[name];
        const setBit = SET_BITS.get(name);
        // Of names that do not change on every page only a null is noted, with which another null can be compared.
        if (setBit !== undefined && (value === null || IS_FREQUENT[setBit]!)) put(setBit);
        const setOnceBit = setBit === undefined && value !== null ? SET_ONCE_BITS.get(name) : undefined;
        if (setOnceBit !== undefined) put(setOnceBit);
      }
    },
    forget(personId) {
      words.fill(0, personId * WORDS, (personId + 1) * WORDS);
    },
    sayNothingNew(personId, event, { codes }) {
      if (ALWAYS_WRITTEN.has(event) || (personId + 1) * WORDS > words.length) return false;
      for (const code of codes) {
        const place = code >>> 1;
        if (!has(personId, place)) return false;
        const isNull = (code & 1) === 1;
        if (!isNull && !(IS_FREQUENT[place]! && has(personId, PERSON_PROPERTIES.length + place)))
          return false;
      }
      return true;
    },
  };
}
