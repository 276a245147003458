import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeenEntries, FOREVER, isSeen, markSeen } from './seen-entries.ts';

test('an entry is seen in the minute of its last mark, and in those before', () => {
  const id = fc.integer({ min: 1, max: 65_535 });
  const minute = fc.oneof(fc.integer({ min: 1, max: 40_000_000 }), fc.constant(FOREVER));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, minute), { maxLength: 500 }), fc.array(id), (marks, others) => {
      const seen = createSeenEntries();
      const model = new Map(marks);
      for (const [number, at] of marks) markSeen(seen, number, at);
      for (const number of [...model.keys(), ...others]) {
        const at = model.get(number);
        expect(isSeen(seen, number, at ?? 1)).toBe(at !== undefined);
        if (at !== undefined && at !== FOREVER) expect(isSeen(seen, number, at + 1)).toBe(false);
        expect(isSeen(seen, number, 1)).toBe(at !== undefined);
      }
      expect(seen.count).toBe(model.size);
    }),
  );
});
