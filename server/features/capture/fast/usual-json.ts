import { ExactNumber, parseExactly } from '../../../lib/exact-number.contract.ts';
import { isUtf8 } from 'node:buffer';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  FIRST_OF_TRUE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  skipKey,
  skipSpace,
  skipValue,
  UNUSUAL,
} from '../../../lib/json-grammar.ts';
import { createPropertyLists, type PropertyList } from '../../../lib/property-lists.ts';
import type { JsonObject } from '../envelope.ts';
import { READ_FOR_PERSONS, type TakePersonValue } from '../person-properties.ts';

/**
 * A JSON object kept as the bytes it was sent as: event properties are stored as text, and parsing them only to write
 * them again would cost more than all else on the way to the disk.
 */
export interface RawJson {
  bytes: Buffer;
  start: number;
  end: number;
  /** Names and kinds of its members. */
  list: PropertyList;
  /** Where the values of READ_FOR_PERSONS lie: place in that list, start and end of each. */
  forPersons: readonly number[];
}

/** Where an event keeps its properties' bytes; its `properties` then hold only the reserved ones that decide something. */
export const RAW_PROPERTIES = Symbol('raw properties');

/** Longer texts take the general way too: names and ids are short. */
const MAX_TEXT_BYTES = 400;

/** What a request and an event say beside the properties; other members are ignored, as they are by the general way. */
interface Item extends JsonObject {
  [RAW_PROPERTIES]: RawJson | undefined;
}

type Name = { name: string; bytes: Buffer };

/** Members of a request or an event that are read. */
const MEMBERS = namesByLength(['api_key', 'token', '$token', 'event', 'distinct_id', '$distinct_id', 'uuid', 'timestamp', 'offset', 'sent_at', 'historical_migration', 'batch', 'properties', '$set', '$set_once', '$unset', '__proto__']); // prettier-ignore
/** Properties that say what becomes of an event, and those for which the properties are rewritten. */
const PROPERTIES = ['distinct_id', 'token', '$lib', '$lib_version', '$ip', '$geoip_disable', '$elements', '$elements_chain', '$process_person_profile', '$ignore_sent_at', 'capture_internal', '$set', '$set_once', '$unset', '$anon_distinct_id', 'alias', '$groups', '$group_type', '$group_key', '$group_set', '$group_0', '$group_1', '$group_2', '$group_3', '$group_4', '$geoip_country_code', '$geoip_country_name', '$geoip_continent_code', '$geoip_continent_name', '$geoip_city_name', '$geoip_postal_code', '$geoip_latitude', '$geoip_longitude', '$geoip_accuracy_radius', '$geoip_time_zone', '$geoip_subdivision_1_code', '$geoip_subdivision_1_name', '$geoip_subdivision_2_code', '$geoip_subdivision_2_name', '$geoip_subdivision_3_code', '$geoip_subdivision_3_name']; // prettier-ignore
/** They have the first numbers of names, in this order. */
const RESERVED: readonly string[] = [...PROPERTIES, ...READ_FOR_PERSONS];

/**
 * Reads the usual shape of a capture request, an event or a batch of events in strict JSON, without parsing the
 * events' properties. What it returns reads as JSON.parse's result would, but for the properties: those of an event
 * are under the key RAW_PROPERTIES. Returns null for anything unusual, valid or not; the general decoder then says
 * what it is.
 */
export function readUsualJson(bytes: Buffer): JsonObject | null {
  if (bytes[0] !== OPEN_OBJECT || !isUtf8(bytes)) return null;
  const reader = createReader(bytes);
  const body = reader.object(0, true);
  return body !== null && reader.end() ? body : null;
}

/** When true it says what is so anyway, and is not stored; posthog-js sends it with every event of an identified person. */
const WITH_PROFILE = '$process_person_profile';

/** Texts remembered; a power of two. */
const TEXT_SLOTS = 256;
const DIGIT_0 = 0x30;

interface Reader {
  /** Reads the object that opens at `at`; `isBody` where a `batch` of events is allowed. Null when it is unusual. */
  object(at: number, isBody: boolean): JsonObject | null;
  /** Whether only white space is left. */
  end(): boolean;
}

function createReader(bytes: Buffer): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** After the last thing read. */
  let position = 0;
  /** Of the current event; see RawJson. */
  let personValues: number[] = [];
  let propertiesStart = 0;

  function object(at: number, isBody: boolean): JsonObject | null {
    const item = newItem();
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_OBJECT) return null;
    for (;;) {
      if (bytes[next] !== QUOTE) return null;
      const key = next + 1;
      const keyEnd = skipKey(bytes, next);
      if (keyEnd === UNUSUAL) return null;
      next = skipSpace(bytes, keyEnd);
      if (bytes[next] !== COLON) return null;
      next = member(item, nameAt(bytes, key, keyEnd - 1 - key, MEMBERS), skipSpace(bytes, next + 1), isBody);
      if (next === UNUSUAL) return null;
      next = skipSpace(bytes, next);
      if (bytes[next] === COMMA) {
        next = skipSpace(bytes, next + 1);
        continue;
      }
      if (bytes[next] !== CLOSE_OBJECT) return null;
      position = next + 1;
      return item;
    }
  }

  /** Reads the value of one member into the item; returns the position after it. */
  function member(item: Item, name: string | null, at: number, isBody: boolean): number {
    if (name === 'properties' && bytes[at] === OPEN_OBJECT) {
      if (item.properties !== undefined) return UNUSUAL;
      const properties = newProperties();
      const end = skipProperties(at, properties);
      item.properties = properties;
      // Without a member there is no text worth keeping, and none that another could be put behind.
      if (end !== UNUSUAL && bytes[skipSpace(bytes, propertiesStart + 1)] !== CLOSE_OBJECT) {
        item[RAW_PROPERTIES] = {
          bytes,
          start: propertiesStart,
          end,
          list: propertyLists.end(),
          forPersons: personValues,
        };
      }
      return end;
    }
    if (name === 'batch' && isBody && bytes[at] === OPEN_ARRAY) {
      if (item.batch !== undefined) return UNUSUAL;
      const events: JsonObject[] = [];
      const end = readEvents(at, events);
      item.batch = events;
      return end;
    }
    const end = skipValue(bytes, at, 0);
    if (name === null || end === UNUSUAL) return end;
    const value = scalar(bytes, at, end);
    return value !== undefined && setMember(item, name, value, isBody) ? end : UNUSUAL;
  }

  function readEvents(at: number, events: JsonObject[]): number {
    let next = skipSpace(bytes, at + 1);
    for (;;) {
      if (bytes[next] !== OPEN_OBJECT) return UNUSUAL;
      const event = object(next, false);
      if (event === null) return UNUSUAL;
      events.push(event);
      next = skipSpace(bytes, position);
      if (bytes[next] === CLOSE_ARRAY) return next + 1;
      if (bytes[next] !== COMMA) return UNUSUAL;
      next = skipSpace(bytes, next + 1);
    }
  }

  /** Checks the properties that open at `at`, and reads those that decide something. */
  function skipProperties(at: number, properties: JsonObject): number {
    let next = skipSpace(bytes, at + 1);
    propertiesStart = at;
    if (bytes[next] === CLOSE_OBJECT) return next + 1;
    personValues = [];
    propertyLists.begin();
    for (;;) {
      if (bytes[next] !== QUOTE) return UNUSUAL;
      const member = next;
      const key = next + 1;
      const keyEnd = skipKey(bytes, next);
      if (keyEnd === UNUSUAL) return UNUSUAL;
      next = skipSpace(bytes, keyEnd);
      if (bytes[next] !== COLON) return UNUSUAL;
      const value = skipSpace(bytes, next + 1);
      next = skipValue(bytes, value, 1);
      if (next === UNUSUAL) return UNUSUAL;
      if (bytes[value] === FIRST_OF_TRUE && isText(bytes, key, keyEnd - 1 - key, WITH_PROFILE)) {
        const after = skipSpace(bytes, next);
        // Behind the last one no comma goes with it.
        if (bytes[after] !== COMMA || properties.$process_person_profile !== undefined) return UNUSUAL;
        next = skipSpace(bytes, after + 1);
        cut(member, next);
        continue;
      }
      // A key that comes twice is unusual: readers of the text would disagree which of its values counts.
      const id = propertyLists.add(bytes, view, key, keyEnd - 1, value, next);
      if (id === 0) return UNUSUAL;
      if (id <= PROPERTIES.length) {
        if (!setProperty(properties, PROPERTIES[id - 1]!, valueAt(bytes, value, next))) return UNUSUAL;
      } else if (id <= RESERVED.length) personValues.push(id - 1 - PROPERTIES.length, value, next);
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) return next + 1;
      if (bytes[next] !== COMMA) return UNUSUAL;
      next = skipSpace(bytes, next + 1);
    }
  }

  /**
   * Cuts a member out of the current properties: the bytes before it are moved to its end and leave spaces behind, so
   * that the whole text can still be parsed.
   */
  function cut(from: number, to: number): void {
    const length = to - from;
    bytes.copyWithin(propertiesStart + length, propertiesStart, from);
    bytes.fill(SPACE, propertiesStart, propertiesStart + length);
    propertiesStart += length;
    for (let i = 0; i < personValues.length; i++) if (i % 3 !== 0) personValues[i]! += length;
  }

  return { object, end: () => skipSpace(bytes, position) === bytes.length };
}

/** The scalar between the positions, checked already; undefined for an object, a list or a text that is not plain. */
function scalar(bytes: Buffer, at: number, end: number): unknown {
  const first = bytes[at]!;
  if (first === QUOTE) return texts.read(bytes, at + 1, end - 1) ?? undefined;
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return undefined;
  return integer(bytes, at, end) ?? parseExactly(bytes.toString('latin1', at, end));
}

/**
 * Returns the digits between the positions as a number; null for anything but an integer, or for one that is not
 * exact.
 */
function integer(bytes: Buffer, at: number, end: number): number | null {
  if (end - at > 15) return null;
  let number = 0;
  for (let i = at; i < end; i++) {
    const digit = bytes[i]! - DIGIT_0;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}

/** The value between the positions, checked already, of whatever kind. */
function valueAt(bytes: Buffer, at: number, end: number): unknown {
  return scalar(bytes, at, end) ?? parseExactly(bytes.toString('utf8', at, end));
}

/** The properties that say something about a person; read when they are needed, because most events are anonymous. */
export function forEachRawValue({ bytes, forPersons: values }: RawJson, take: TakePersonValue): void {
  for (let i = 0; i < values.length; i += 3) {
    take(values[i]!, valueAt(bytes, values[i + 1]!, values[i + 2]!));
  }
}

/** Texts cached across requests, because keys, event names and library versions repeat. */
const texts = createTextCache();
/** Shared with the general way, so that both give a property one number. */
export const propertyLists = createPropertyLists(RESERVED);

function createTextCache(): { read(bytes: Buffer, start: number, end: number): string | null } {
  const slots: string[] = Array<string>(TEXT_SLOTS).fill('');

  return {
    read(bytes, start, end) {
      const length = end - start;
      if (length === 0) return '';
      if (length > MAX_TEXT_BYTES) return null;
      const slot = ((bytes[start]! * 7) ^ (bytes[end - 1]! * 31) ^ length) & (TEXT_SLOTS - 1);
      if (isText(bytes, start, length, slots[slot]!)) return slots[slot]!;
      for (let at = start; at < end; at++) {
        // Escapes and letters beyond ASCII are read by the general way.
        if (bytes[at] === BACKSLASH || bytes[at]! >= 0x80) return null;
      }
      return (slots[slot] = bytes.toString('latin1', start, end));
    },
  };
}

function isText(bytes: Buffer, start: number, length: number, text: string): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

// Objects of one shape, filled member by member: stores under computed keys are several times slower.

function newItem(): Item {
  return {
    api_key: undefined,
    token: undefined,
    $token: undefined,
    event: undefined,
    distinct_id: undefined,
    $distinct_id: undefined,
    uuid: undefined,
    timestamp: undefined,
    offset: undefined,
    sent_at: undefined,
    historical_migration: undefined,
    batch: undefined,
    properties: undefined,
    [RAW_PROPERTIES]: undefined,
  };
}

/** Sets a member once; false for one that comes twice, or that the general way has to read. */
function setMember(item: Item, name: string, value: unknown, isBody: boolean): boolean {
  switch (name) {
    case 'api_key':
      return item.api_key === undefined && ((item.api_key = value), true);
    case 'token':
      return item.token === undefined && ((item.token = value), true);
    case '$token':
      return item.$token === undefined && ((item.$token = value), true);
    case 'event':
      return item.event === undefined && ((item.event = value), true);
    case 'distinct_id':
      return item.distinct_id === undefined && ((item.distinct_id = value), true);
    case '$distinct_id':
      return item.$distinct_id === undefined && ((item.$distinct_id = value), true);
    case 'uuid':
      return item.uuid === undefined && ((item.uuid = value), true);
    case 'timestamp':
      return item.timestamp === undefined && ((item.timestamp = value), true);
    case 'offset':
      return item.offset === undefined && ((item.offset = value), true);
    case 'sent_at':
      return item.sent_at === undefined && ((item.sent_at = value), true);
    case 'historical_migration':
      return item.historical_migration === undefined && ((item.historical_migration = value), true);
    case 'properties':
      return item.properties === undefined && value === null && ((item.properties = value), true);
    case 'batch':
      // Inside a batch it is a member like any other; a request whose batch is no list is malformed.
      return !isBody;
    default:
      // Person updates beside the properties are merged into them, so both have to be parsed.
      return false;
  }
}

function newProperties(): JsonObject {
  return {
    distinct_id: undefined,
    token: undefined,
    $lib: undefined,
    $lib_version: undefined,
    $ip: undefined,
    $geoip_disable: undefined,
    $process_person_profile: undefined,
    $set: undefined,
    $set_once: undefined,
    $unset: undefined,
    $groups: undefined,
  };
}

/** Sets a property; false for one whose properties must be rewritten. The keys are known to be distinct. */
function setProperty(properties: JsonObject, name: string, value: unknown): boolean {
  switch (name) {
    case 'distinct_id':
      // Its text is what a value of another kind counts as.
      return !isContainer(value) && ((properties.distinct_id = value), true);
    case 'token':
      properties.token = value;
      return true;
    case '$lib':
      properties.$lib = value;
      return true;
    case '$lib_version':
      properties.$lib_version = value;
      return true;
    case '$ip':
      properties.$ip = value;
      return true;
    case '$geoip_disable':
      properties.$geoip_disable = value;
      return true;
    case '$process_person_profile':
      properties.$process_person_profile = value;
      return value !== true;
    case '$set':
      properties.$set = value;
      return true;
    case '$set_once':
      properties.$set_once = value;
      return true;
    case '$unset':
      properties.$unset = value;
      return true;
    case '$groups':
      properties.$groups = value;
      return true;
    // Rare ones, of events that say who is who.
    case '$anon_distinct_id':
    case 'alias':
    case '$group_type':
    case '$group_key':
    case '$group_set':
      properties[name] = value;
      return true;
    default:
      // A location that the event names itself is kept, and only what it lacks is added.
      if (!name.startsWith('$geoip_')) return false;
      properties[name] = value;
      return true;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function namesByLength(names: readonly string[]): readonly (readonly Name[])[] {
  const byLength: Name[][] = Array.from({ length: 32 }, () => []);
  for (const name of names) byLength[name.length]!.push({ name, bytes: Buffer.from(name) });
  return byLength;
}

/** Finds the name at `at`, or null. */
function nameAt(
  bytes: Buffer,
  at: number,
  length: number,
  names: readonly (readonly Name[])[],
): string | null {
  if (length >= names.length) return null;
  for (const candidate of names[length]!) {
    let same = 0;
    while (same < length && bytes[at + same] === candidate.bytes[same]) same++;
    if (same === length) return candidate.name;
  }
  return null;
}
