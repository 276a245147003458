import { hashUuid, newUuidWords, readUuid, type UuidWords } from './uuid-words.ts';

const HASHES = 6;
const BITS_PER_UUID = 12;

/**
 * A Bloom filter over UUIDs too old for the exact memory: "surely new" or "perhaps known", with about 1 wrong
 * "perhaps" in 200 when full. It grows by adding filters of double size; a lookup checks each.
 */
export interface UuidFilter {
  addWords(projectId: number, words: UuidWords): void;
  /** False: this UUID was never added. */
  mayHave(projectId: number, uuid: string): boolean;
  readonly bytes: number;
}

interface Layer {
  bits: Uint32Array;
  capacity: number;
  size: number;
}

const FIRST_CAPACITY = 262_144;

/** Makes an empty filter. */
export function createUuidFilter(): UuidFilter {
  const layers: Layer[] = [newLayer(FIRST_CAPACITY)];
  const words = newUuidWords();

  return {
    get bytes() {
      return layers.reduce((sum, layer) => sum + layer.bits.byteLength, 0);
    },
    addWords(projectId, added) {
      let layer = layers.at(-1)!;
      if (layer.size >= layer.capacity) layers.push((layer = newLayer(layer.capacity * 2)));
      layer.size++;
      const a = hashUuid(added, projectId, 1);
      const b = hashUuid(added, projectId, 2) | 1;
      for (let i = 0; i < HASHES; i++) setBit(layer.bits, (a + Math.imul(i, b)) >>> 0);
    },
    mayHave(projectId, uuid) {
      readUuid(uuid, words);
      const a = hashUuid(words, projectId, 1);
      const b = hashUuid(words, projectId, 2) | 1;
      return layers.some((layer) => hasAll(layer.bits, a, b));
    },
  };
}

function newLayer(capacity: number): Layer {
  const bits = 2 ** Math.min(32, Math.ceil(Math.log2(capacity * BITS_PER_UUID)));
  return { bits: new Uint32Array(bits / 32), capacity: Math.floor(bits / BITS_PER_UUID), size: 0 };
}

function hasAll(bits: Uint32Array, a: number, b: number): boolean {
  for (let i = 0; i < HASHES; i++) {
    const bit = ((a + Math.imul(i, b)) >>> 0) & (bits.length * 32 - 1);
    if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function setBit(bits: Uint32Array, hash: number): void {
  const bit = (hash & (bits.length * 32 - 1)) >>> 0;
  bits[bit >>> 5]! |= 1 << (bit & 31);
}
