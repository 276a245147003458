import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPropertyLists,
  kindOf,
  nameIdOf,
  type PropertyList,
  type PropertyLists,
} from './property-lists.ts';
import { kindOfValue } from './value-kind.ts';

type Members = readonly (readonly [name: string, value: unknown])[];

/** Lists members as a reader of bytes finds them, one after another. */
function listBytes(lists: PropertyLists, members: Members): PropertyList {
  const texts = members.map(
    ([name, value]) => [Buffer.from(name), Buffer.from(JSON.stringify(value))] as const,
  );
  const bytes = Buffer.concat(texts.flat());
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  lists.begin();
  let at = 0;
  for (const [name, value] of texts) {
    const valueAt = at + name.length;
    lists.add(bytes, view, at, valueAt, valueAt, valueAt + value.length);
    at = valueAt + value.length;
  }
  return lists.end();
}

function listObject(lists: PropertyLists, members: Members): PropertyList {
  return lists.ofObject(Object.fromEntries(members))!;
}

/** Names and kinds behind a list, in a fixed order. */
function contentOf(list: PropertyList): [string, number][] {
  return entriesOf(list)
    .map((entry): [string, number] => [list.names.nameOf(nameIdOf(entry)), kindOf(entry)])
    .sort();
}

function entriesOf({ entries, from, to }: PropertyList): number[] {
  return [...entries.subarray(from, to)].sort();
}

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, 5, 1_790_000_000, 'Paris', 'true', '2026-11-20', [], {}),
  fc.jsonValue(),
);
/** Few and similar names of every length, so that a hash that left something out would confuse them. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'ab',
    'ba',
    'abc',
    'abd',
    'item_121',
    'item_202',
    '$browser',
    '$browser_version',
    'ä',
    '日本',
  ),
  fc.stringMatching(/^[a-c]{1,9}$/),
);
const members = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 12 });

describe('a list of properties', () => {
  test('has each name with the type of its value, read from the bytes or parsed', () => {
    const lists = createPropertyLists(['$set']);
    fc.assert(
      fc.property(fc.array(members, { maxLength: 5 }), (objects) => {
        const fromBytes = objects.map((object) => listBytes(lists, object));
        const parsed = objects.map((object) => listObject(lists, object));
        objects.forEach((object, i) => {
          const wanted = object.map(([key, of]): [string, number] => [key, kindOfValue(of)]).sort();
          expect(contentOf(fromBytes[i]!)).toEqual(wanted);
          expect(contentOf(parsed[i]!)).toEqual(wanted);
          expect(entriesOf(fromBytes[i]!)).toEqual(entriesOf(parsed[i]!));
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test('is unchanged while others are written, and when names run out', () => {
    const lists = createPropertyLists(['$set']);
    const kept = Array.from({ length: 2_000 }, (_, n) =>
      listBytes(
        lists,
        Array.from({ length: 50 }, (__, i): [string, unknown] => [`property_${n}_${i}`, 'x']),
      ),
    );
    kept.forEach((list, n) => {
      expect(contentOf(list).map(([key]) => key)).toEqual(
        Array.from({ length: 50 }, (_, i) => `property_${n}_${i}`).sort(),
      );
    });
    expect(new Set(kept.map(({ names }) => names)).size).toBeGreaterThan(1);
  });

  test('leaves out names of more than 200 characters, and members that are undefined', () => {
    const lists = createPropertyLists(['$set']);
    const object = { ['x'.repeat(201)]: 1, ['ä'.repeat(200)]: 1, gone: undefined };
    expect(contentOf(lists.ofObject(object)!)).toEqual([['ä'.repeat(200), kindOfValue(1)]]);
  });

  test('replaces characters that no database stores', () => {
    const lists = createPropertyLists(['$set']);
    expect(contentOf(lists.ofObject({ 'a\0b': 1, '\ud800': 2 })!).map(([key]) => key)).toEqual(['a�b', '�']);
  });

  test('returns the name of each member, reserved ones by index, and rejects unusual ones', () => {
    const lists = createPropertyLists(['$ip', '$set']);
    const key = Buffer.from('"$set":1,"$ip":1,"$set":1,"x":1');
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    const add = (name: string, from: number) => {
      const at = key.indexOf(`"${name}"`, from) + 1;
      return lists.add(key, view, at, at + name.length, key.length - 1, key.length);
    };
    lists.begin();
    expect([add('$set', 0), add('$ip', 0), add('$set', 12), add('x', 0)]).toEqual([2, 1, 0, 3]);
    lists.begin();
    expect(add('$set', 0)).toBe(2);
    const long = Buffer.from('x'.repeat(201));
    expect(lists.add(long, new DataView(long.buffer, long.byteOffset, 201), 0, 201, 0, 1)).toBe(0);
  });

  test('is not created beyond 512 members', () => {
    const lists = createPropertyLists([]);
    const bytes = Buffer.from(Array.from({ length: 513 }, (_, n) => String(n).padStart(4, '0')).join(''));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    lists.begin();
    const ids = Array.from({ length: 513 }, (_, n) => lists.add(bytes, view, n * 4, n * 4 + 4, 0, 1));
    expect(ids.indexOf(0)).toBe(512);
  });

  test('is not created for an object with very many members', () => {
    const many = Object.fromEntries(Array.from({ length: 513 }, (_, n) => [`p${n}`, 1]));
    expect(createPropertyLists(['$set']).ofObject(many)).toBeNull();
  });
});
