import { isUtf8 } from 'node:buffer';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipKey,
  skipSpace,
  skipValue,
  UNUSUAL,
} from '../../lib/json-grammar.ts';
import type { JsonObject } from './envelope.ts';

/**
 * A JSON object kept as the bytes it was sent as: event properties are stored as text, and parsing them only to write
 * them again would cost more than all else on the way to the disk.
 */
export interface RawJson {
  bytes: Buffer;
  start: number;
  end: number;
}

/** Where an event keeps its properties' bytes; its `properties` then hold only the reserved ones that decide something. */
export const RAW_PROPERTIES = Symbol('raw properties');

/** Longer texts take the general way too: names and ids are short. */
const MAX_TEXT_BYTES = 400;

/** Reserved properties that say what becomes of an event. */
const READ = ['distinct_id', 'token', '$lib', '$lib_version', '$ip'];
/** Reserved properties for which the properties are written anew, so that they have to be parsed. */
const REWRITING: ReadonlySet<string> = new Set([
  '$elements',
  '$elements_chain',
  '$process_person_profile',
  '$ignore_sent_at',
  'capture_internal',
]);
/** The names of both kinds by their length. */
const NAMES: { name: string; bytes: Buffer }[][] = Array.from({ length: 32 }, () => []);
for (const name of [...READ, ...REWRITING]) NAMES[name.length]!.push({ name, bytes: Buffer.from(name) });

/**
 * Reads the usual shape of a capture request, an event or a batch of events in strict JSON, without parsing the events'
 * properties. What it returns reads as JSON.parse's result would, but for the properties: those of an event stand behind
 * RAW_PROPERTIES. Returns null for anything unusual, valid or not; the general decoder then says what it is.
 */
export function readUsualJson(bytes: Buffer): JsonObject | null {
  if (bytes[0] !== OPEN_OBJECT || !isUtf8(bytes)) return null;
  const reader = createReader(bytes);
  const body = reader.object(0, true);
  return body !== null && reader.end() ? body : null;
}

/** Slots for the keys of one object, of which half may be taken; a power of two. */
const KEY_SLOTS = 1_024;
/** Texts remembered; a power of two. */
const TEXT_SLOTS = 256;

interface Reader {
  /** Reads the object that opens at `at`; `isBody` where a `batch` of events may stand. Null when it is unusual. */
  object(at: number, isBody: boolean): JsonObject | null;
  /** Whether only white space is left. */
  end(): boolean;
}

function createReader(bytes: Buffer): Reader {
  /** After the last thing read. */
  let position = 0;

  function object(at: number, isBody: boolean): JsonObject | null {
    const read: JsonObject = {};
    let next = skipSpace(bytes, at + 1);
    if (bytes[next] === CLOSE_OBJECT) return null;
    for (;;) {
      if (bytes[next] !== QUOTE) return null;
      const keyEnd = skipKey(bytes, next);
      if (keyEnd === UNUSUAL) return null;
      const key = texts.read(bytes, next + 1, keyEnd - 1);
      if (key === null || key === '__proto__' || key in read) return null;
      next = skipSpace(bytes, keyEnd);
      if (bytes[next] !== COLON) return null;
      next = member(read, key, skipSpace(bytes, next + 1), isBody);
      if (next === UNUSUAL) return null;
      next = skipSpace(bytes, next);
      if (bytes[next] === COMMA) {
        next = skipSpace(bytes, next + 1);
        continue;
      }
      if (bytes[next] !== CLOSE_OBJECT) return null;
      position = next + 1;
      return read;
    }
  }

  /** Reads the value of one member into `read`; returns the position after it. */
  function member(read: JsonObject, key: string, at: number, isBody: boolean): number {
    if (key === 'properties' && bytes[at] === OPEN_OBJECT) {
      const properties: JsonObject = {};
      const end = skipProperties(at, properties);
      if (end === UNUSUAL) return UNUSUAL;
      read.properties = properties;
      // Without a member there is no text worth keeping, and none that another could be put behind.
      if (bytes[skipSpace(bytes, at + 1)] === CLOSE_OBJECT) return end;
      (read as { [RAW_PROPERTIES]?: RawJson })[RAW_PROPERTIES] = { bytes, start: at, end };
      return end;
    }
    if (isBody && key === 'batch' && bytes[at] === OPEN_ARRAY) {
      const events: JsonObject[] = [];
      const end = readEvents(at, events);
      read.batch = events;
      return end;
    }
    // Person updates beside the properties are merged into them, so the general way has to read both.
    if (key === '$set' || key === '$set_once' || key === '$unset') return UNUSUAL;
    const end = skipValue(bytes, at, 0);
    if (end === UNUSUAL) return UNUSUAL;
    const value = scalar(at, end);
    if (value === undefined) return UNUSUAL;
    read[key] = value;
    return end;
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
    if (bytes[next] === CLOSE_OBJECT) return next + 1;
    keys.clear();
    for (;;) {
      if (bytes[next] !== QUOTE) return UNUSUAL;
      const key = next + 1;
      const keyEnd = skipKey(bytes, next);
      if (keyEnd === UNUSUAL || !keys.add(bytes, key, keyEnd - 1)) return UNUSUAL;
      next = skipSpace(bytes, keyEnd);
      if (bytes[next] !== COLON) return UNUSUAL;
      const value = skipSpace(bytes, next + 1);
      next = skipValue(bytes, value, 1);
      if (next === UNUSUAL) return UNUSUAL;
      const name = nameAt(bytes, key, keyEnd - 1 - key);
      if (name !== null) {
        const read = REWRITING.has(name) ? undefined : scalar(value, next);
        if (read === undefined) return UNUSUAL;
        properties[name] = read;
      }
      next = skipSpace(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) return next + 1;
      if (bytes[next] !== COMMA) return UNUSUAL;
      next = skipSpace(bytes, next + 1);
    }
  }

  /** The scalar between the positions, checked already; undefined for an object, a list or a text that is not plain. */
  function scalar(at: number, end: number): unknown {
    const first = bytes[at]!;
    if (first === QUOTE) return texts.read(bytes, at + 1, end - 1) ?? undefined;
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) return undefined;
    return JSON.parse(bytes.toString('latin1', at, end));
  }

  return { object, end: () => skipSpace(bytes, position) === bytes.length };
}

/** Texts made once while they repeat: keys, event names and library versions are the same request after request. */
const texts = createTextCache();
const keys = createKeySet();

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

/**
 * The keys of one object. A key that comes twice makes the object unusual: readers of the text would disagree which of
 * its values counts, and the general way keeps the last.
 */
function createKeySet(): { clear(): void; add(bytes: Buffer, start: number, end: number): boolean } {
  const starts = new Int32Array(KEY_SLOTS);
  const ends = new Int32Array(KEY_SLOTS);
  const rounds = new Int32Array(KEY_SLOTS);
  let round = 0;
  let size = 0;

  return {
    clear() {
      round++;
      size = 0;
    },
    add(bytes, start, end) {
      if (++size > KEY_SLOTS / 2) return false;
      let slot = (bytes[end - 1]! * 31 + bytes[(start + end) >>> 1]! * 7 + end - start) & (KEY_SLOTS - 1);
      while (rounds[slot] === round) {
        if (sameBytes(bytes, starts[slot]!, ends[slot]!, start, end)) return false;
        slot = (slot + 1) & (KEY_SLOTS - 1);
      }
      rounds[slot] = round;
      starts[slot] = start;
      ends[slot] = end;
      return true;
    },
  };
}

function sameBytes(bytes: Buffer, a: number, aEnd: number, b: number, bEnd: number): boolean {
  if (aEnd - a !== bEnd - b) return false;
  for (let i = b; i < bEnd; i++) if (bytes[i] !== bytes[a + i - b]) return false;
  return true;
}

/** The reserved name that stands at `at`, or null. */
function nameAt(bytes: Buffer, at: number, length: number): string | null {
  if (length >= NAMES.length) return null;
  for (const candidate of NAMES[length]!) {
    let same = 0;
    while (same < length && bytes[at + same] === candidate.bytes[same]) same++;
    if (same === length) return candidate.name;
  }
  return null;
}
