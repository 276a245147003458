import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDistinctIdMap } from './distinct-id-map.ts';

const SEEDS = new Uint32Array([1, 2, 3, 4]);

test('an id belongs to the person it was last assigned to, in each project separately', () => {
  const map = createDistinctIdMap(SEEDS);
  expect(map.find(1, 'ada')).toBeNull();
  map.set(1, 'ada', 7, false);
  map.set(2, 'ada', 8, true);
  expect(map.find(1, 'ada')).toEqual({ personId: 7, hasPerson: false });
  map.set(1, 'ada', 9, true);
  expect(map.find(1, 'ada')).toEqual({ personId: 9, hasPerson: true });
  expect(map.find(2, 'ada')).toEqual({ personId: 8, hasPerson: true });
  map.delete(1, 'ada');
  expect(map.find(1, 'ada')).toBeNull();
  expect(map.size).toBe(1);
});

test('the largest person id is stored exactly', () => {
  const map = createDistinctIdMap(SEEDS);
  map.set(1, 'last', 2_147_483_647, true);
  expect(map.find(1, 'last')).toEqual({ personId: 2_147_483_647, hasPerson: true });
});

test('100,000 ids are distinct, in less than 60 bytes each', () => {
  const map = createDistinctIdMap(SEEDS);
  for (let i = 1; i <= 100_000; i++) map.set(1, `user-${i}`, i, i % 2 === 0);
  for (let i = 1; i <= 100_000; i++) {
    const owner = map.find(1, `user-${i}`)!;
    if (owner.personId !== i || owner.hasPerson !== (i % 2 === 0)) expect.fail(`user-${i} was lost`);
  }
  expect(map.find(1, 'user-0')).toBeNull();
  expect(map.bytes / map.size).toBeLessThan(60);
});

test('any sequence of changes equals an ordinary map', () => {
  const change = fc.record({
    projectId: fc.integer({ min: 1, max: 3 }),
    distinctId: fc.oneof(fc.integer({ max: 2_000, min: 0 }).map(String), fc.string({ unit: 'binary' })),
    personId: fc.integer({ min: 0, max: 2_147_483_647 }),
    hasPerson: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3_000 }), (changes) => {
      const map = createDistinctIdMap(SEEDS);
      const model = new Map<string, { personId: number; hasPerson: boolean }>();
      for (const { projectId, distinctId, personId, hasPerson } of changes) {
        const key = `${projectId} ${distinctId}`;
        if (personId === 0 || personId % 3 === 0) {
          map.delete(projectId, distinctId);
          model.delete(key);
        } else {
          map.set(projectId, distinctId, personId, hasPerson);
          model.set(key, { personId, hasPerson });
        }
      }
      expect(map.size).toBe(model.size);
      for (const { projectId, distinctId } of changes) {
        expect(map.find(projectId, distinctId)).toEqual(model.get(`${projectId} ${distinctId}`) ?? null);
      }
    }),
    { numRuns: 60 },
  );
});
