import fc from 'fast-check';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { inflateLarge } from './inflate-large.ts';
import { createPartCounter } from './json-parts.ts';

const MAX_BODY = 10_000;

async function outcome(body: Uint8Array, encoding = ''): Promise<string> {
  try {
    const plain = await inflateLarge(body, encoding, MAX_BODY);
    return plain === null ? 'not compressed' : Buffer.from(plain).toString();
  } catch (error) {
    if (error instanceof ApiError) return error.errorName;
    throw error;
  }
}

/** JSON of one long text. */
const text = (bytes: number): string => `["${'x'.repeat(bytes)}"]`;
const list = (items: number): string => `[${Array<string>(items).fill('{}').join(',')}]`;

describe('a body that decompresses to more than the limit of a plain one (amendment A-11)', () => {
  test.each([
    ['gzip', gzipSync(text(50_000)), ''],
    ['gzip in gzip', gzipSync(gzipSync(text(50_000))), ''],
    ['br', brotliCompressSync(text(50_000)), 'br'],
    ['deflate', deflateSync(text(50_000)), 'deflate'],
    ['raw deflate', deflateRawSync(text(50_000)), 'Deflate'],
    ['gzip in br', brotliCompressSync(gzipSync(text(50_000))), 'br'],
  ])('%s is decompressed', async (_, body, encoding) => {
    expect(await outcome(body, encoding)).toBe(text(50_000));
  });

  test('is refused above eight times the limit of a plain one', async () => {
    expect(await outcome(gzipSync(text(79_000)))).toBe(text(79_000));
    expect(await outcome(gzipSync(text(80_001)))).toBe('payload_too_large');
    expect(await outcome(gzipSync(gzipSync(text(80_001))))).toBe('payload_too_large');
  });

  test('may contain fewer objects the larger it is, and any number up to the limit of a plain one', async () => {
    expect(await outcome(gzipSync(list(3_333)))).toBe(list(3_333));
    expect(await outcome(gzipSync(list(3_334)))).toBe('payload_too_large');
    const few = list(200) + text(20_000);
    expect(await outcome(gzipSync(few))).toBe(few);
    expect(await outcome(gzipSync(list(300) + text(20_000)))).toBe('payload_too_large');
  });

  test('that is broken is invalid, and an uncompressed one is reported as such', async () => {
    expect(await outcome(gzipSync(text(50_000)).subarray(0, 60))).toBe('invalid_payload');
    expect(await outcome(Buffer.from('no stream at all'), 'br')).toBe('invalid_payload');
    expect(await outcome(Buffer.from(text(50_000)), 'identity')).toBe('not compressed');
  });
});

test('objects and lists are counted the same for any chunks', () => {
  fc.assert(
    fc.property(fc.json(), fc.array(fc.nat(200), { maxLength: 5 }), (json, cuts) => {
      const bytes = Buffer.from(json);
      const counter = createPartCounter();
      let count = 0;
      let from = 0;
      for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        count = counter.add(bytes.subarray(from, Math.max(from, to)));
        from = Math.max(from, to);
      }
      expect(count).toBe(partsOf(JSON.parse(json)));
    }),
  );
});

function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((sum: number, inner) => sum + partsOf(inner), 0);
}
