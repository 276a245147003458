import { createPropertyNames, MAX_IDS, MAX_MEMBERS, type PropertyNames } from './property-names.ts';
import { kindOfJson, kindOfValue, type ValueKind } from './value-kind.ts';

/**
 * The properties of an event, without their values: entries from `from` to before `to`, each the number that `names`
 * gave to a name and the kind of its value, in one number (`nameIdOf`, `kindOf`).
 */
export interface PropertyList {
  readonly names: PropertyNames;
  readonly entries: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** Writes lists one after another, while the properties are read. */
export interface PropertyLists {
  /** Begins the list of one object. */
  begin(): void;
  /**
   * Adds a member of it, whose key lies from `key` to before `keyEnd` and whose value from `value` to before `end`, and
   * returns the number of its name, by which a reserved name is known. 0 for what is left to others: a name that comes
   * again or is too long, or very many of them.
   */
  add(bytes: Buffer, view: DataView, key: number, keyEnd: number, value: number, end: number): number;
  /** The list since `begin`. */
  end(): PropertyList;
  /** The list of an object that came out of JSON.parse, without members that are undefined; null for very many. */
  ofObject(object: Readonly<Record<string, unknown>>): PropertyList | null;
}

export function nameIdOf(entry: number): number {
  return entry >>> 3;
}

export function kindOf(entry: number): ValueKind {
  return (entry & 7) as ValueKind;
}

/** Lists lie in pieces of memory that many events share, because a small one for each event costs more than its content. */
const PIECE = 16_384;

/** `reserved` names have the numbers from 1 on, in their order. */
export function createPropertyLists(reserved: readonly string[]): PropertyLists {
  let names = createPropertyNames(reserved);
  let entries = new Uint32Array(PIECE);
  let from = 0;
  let to = 0;
  /** In which object a name came last. */
  const lastIn = new Int32Array(MAX_IDS);
  let object = 0;

  function begin(): void {
    if (names.isFull) names = createPropertyNames(reserved);
    if (to + MAX_MEMBERS > PIECE) {
      entries = new Uint32Array(PIECE);
      to = 0;
    }
    from = to;
    object = (object + 1) | 0;
  }

  return {
    begin,
    add(bytes, view, key, keyEnd, value, end) {
      const id = names.idOfBytes(bytes, view, key, keyEnd);
      if (id === 0 || lastIn[id] === object || to - from === MAX_MEMBERS) return 0;
      lastIn[id] = object;
      entries[to++] = (id << 3) | kindOfJson(bytes, value, end);
      return id;
    },
    end: () => ({ names, entries, from, to }),
    ofObject(parsed) {
      const members = Object.keys(parsed);
      if (members.length > MAX_MEMBERS) return null;
      begin();
      for (const name of members) {
        const value = parsed[name];
        const id = value === undefined ? 0 : names.idOf(name);
        if (id !== 0) entries[to++] = (id << 3) | kindOfValue(value);
      }
      return { names, entries, from, to };
    },
  };
}
