import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentUuids } from './recent-uuids.ts';
import { createUuidFilter } from './uuid-filter.ts';
import { newUuidWords, readStoredUuid, readUuid, storeUuid } from './uuid-words.ts';

const uuids = fc.uuid();

test('a canonical UUID is read into its four words', () => {
  const words = newUuidWords();
  readUuid('0190f0c1-2222-7abc-8def-0123456789ab', words);
  expect([...words]).toEqual([0x0190f0c1, 0x22227abc, 0x8def0123, 0x456789ab]);
});

test('a stored UUID is read back from its place in a column, with any neighbors', () => {
  fc.assert(
    fc.property(fc.array(uuids, { minLength: 1, maxLength: 20 }), (list) => {
      const stored = new Uint32Array(list.length * 4);
      const [written, read] = [newUuidWords(), newUuidWords()];
      list.forEach((uuid, place) => {
        readUuid(uuid, written);
        storeUuid(written, stored, place);
      });
      list.forEach((uuid, place) => {
        readUuid(uuid, written);
        readStoredUuid(stored, place, read);
        expect(read).toEqual(written);
      });
    }),
  );
});

test('the exact memory equals a list of the last `limit` UUIDs, over any sequence', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.nat(25)), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (sequence, limit) => {
      const forgotten: string[] = [];
      const recent = createRecentUuids(limit, (projectId, words) =>
        forgotten.push(`${projectId} ${words[3]}`),
      );
      const model: string[] = [];
      const modelForgotten: string[] = [];
      for (const [projectId, n] of sequence) {
        const key = `${projectId} ${n}`;
        const isNew = !model.includes(key);
        expect(recent.add(projectId, `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`)).toBe(
          isNew,
        );
        if (isNew) model.push(key);
        if (model.length > limit) modelForgotten.push(model.shift()!);
      }
      expect(recent.size).toBe(model.length);
      expect(forgotten).toEqual(modelForgotten);
    }),
  );
});

test('a UUID that is too old for the memory is reported once, oldest first', () => {
  const forgotten: number[] = [];
  const recent = createRecentUuids(3, (_, words) => forgotten.push(words[3]!));
  for (let n = 0; n < 6; n++) recent.add(1, `00000000-0000-4000-8000-00000000000${n}`);
  expect(forgotten).toEqual([0, 1, 2]);
  expect(recent.add(1, '00000000-0000-4000-8000-000000000005')).toBe(false);
  expect(recent.add(1, '00000000-0000-4000-8000-000000000000')).toBe(true);
});

test('UUIDs of a failed commit can be removed and added again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(uuids, { minLength: 1, maxLength: 50 }), fc.nat(50), (list, cut) => {
      const recent = createRecentUuids(1_000, () => {});
      for (const uuid of list) expect(recent.add(1, uuid)).toBe(true);
      const back = Math.min(cut, list.length);
      recent.forgetLast(back);
      const kept = list.slice(0, list.length - back);
      for (const uuid of kept) expect(recent.add(1, uuid)).toBe(false);
      for (const uuid of list.slice(list.length - back)) expect(recent.add(1, uuid)).toBe(true);
    }),
  );
});

test('the UUIDs of a removed project are new again, and those of others are unchanged', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(40)), {
    maxLength: 200,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, steps, fc.integer({ min: 1, max: 60 }), (before, after, limit) => {
      const forgetting = createRecentUuids(limit, () => {});
      const model: string[] = [];
      const add = ([projectId, n]: [number, number]) => {
        const key = `${projectId} ${n}`;
        const isNew = !model.includes(key);
        if (isNew && model.length === limit) model.shift();
        if (isNew) model.push(key);
        expect(forgetting.add(projectId, `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`)).toBe(
          isNew,
        );
      };
      before.forEach(add);
      forgetting.forgetProject(2);
      model.splice(0, model.length, ...model.filter((key) => !key.startsWith('2 ')));
      expect(forgetting.size).toBe(model.length);
      after.forEach(add);
    }),
  );
});

test('the memory grows beyond its initial size without losing any', () => {
  const recent = createRecentUuids(20_000, () => {});
  const name = (n: number): string => `0190f0c1-2222-7000-8000-${n.toString(16).padStart(12, '0')}`;
  for (let n = 0; n < 15_000; n++) expect(recent.add(1, name(n))).toBe(true);
  for (let n = 0; n < 15_000; n++) expect(recent.add(1, name(n))).toBe(false);
  expect(recent.add(2, name(7))).toBe(true);
});

test('the filter never misses a UUID that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), uuids), { maxLength: 300 }), (entries) => {
      const filter = createUuidFilter();
      const words = newUuidWords();
      for (const [projectId, uuid] of entries) {
        readUuid(uuid, words);
        filter.addWords(projectId, words);
      }
      for (const [projectId, uuid] of entries) expect(filter.mayHave(projectId, uuid)).toBe(true);
    }),
  );
});

test('the filter has few false positives, also after it has grown', () => {
  const filter = createUuidFilter();
  const words = newUuidWords();
  const name = (n: number): string =>
    `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${Math.imul(n, 2654435761).toString(16).replace('-', '').padStart(12, '0')}`;
  for (let n = 0; n < 600_000; n++) {
    readUuid(name(n), words);
    filter.addWords(1, words);
  }
  let wrong = 0;
  for (let n = 600_000; n < 650_000; n++) if (filter.mayHave(1, name(n))) wrong++;
  expect(wrong).toBeLessThan(1_500);
});
