import { describe, expect, test } from 'vitest';
import { createGenerator, EVENT_BYTES, EVENT_NAMES } from './generator.mjs';
import { createRandom } from './random.mjs';
import { makeUuid, writeUuid } from './uuids.mjs';

const NOW = Date.UTC(2026, 10, 20);

function events(uuids: 'v7' | 'v4' | 'none', count = 5000): string[] {
  const generator = createGenerator({ seed: 7, now: NOW, uuids });
  return Array.from({ length: count }, () => generator.json());
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('the events of the benchmark', () => {
  test.each(['v7', 'v4', 'none'] as const)('are 846 bytes long on average (uuids: %s)', (uuids) => {
    const mean = average(events(uuids).map((json) => Buffer.byteLength(json)));
    expect(mean).toBeGreaterThan(EVENT_BYTES * 0.99);
    expect(mean).toBeLessThan(EVENT_BYTES * 1.01);
  });

  test('have 29 properties on average, at least 10 and at most 49', () => {
    const counts = events('v7').map((json) => Object.keys(JSON.parse(json).properties).length);
    expect(Math.round(average(counts))).toBe(29);
    expect(Math.min(...counts)).toBe(10);
    expect(Math.max(...counts)).toBe(49);
  });

  test('use all 20 names, the first about as often as in a Zipf distribution', () => {
    const names = events('v7').map((json) => JSON.parse(json).event as string);
    expect(new Set(names)).toEqual(new Set(EVENT_NAMES));
    const share = names.filter((name) => name === EVENT_NAMES[0]).length / names.length;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.31);
  });

  test('are the same for the same seed, with unique uuids', () => {
    expect(events('v7', 50)).toEqual(events('v7', 50));
    const uuids = events('v4').map((json) => JSON.parse(json).uuid as string);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  test('have no uuid when the server is to create them', () => {
    expect(JSON.parse(events('none', 1)[0]!)).not.toHaveProperty('uuid');
  });
});

describe('a uuid', () => {
  const random = createRandom(1);

  test('of version 7 begins with the time and has the bits of RFC 9562', () => {
    const uuid = makeUuid({ version: 7, now: NOW, random });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
  });

  test('is written in place without changes around it', () => {
    const body = Buffer.from('<00000000-0000-0000-0000-000000000000>');
    writeUuid(body, 1, { version: 4, now: NOW, random });
    expect(body.toString()).toMatch(
      /^<[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/,
    );
  });
});
