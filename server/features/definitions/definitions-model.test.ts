// @module-tag deep
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { row, useDefinitionStore } from '../../../test/support/definition-store.ts';

const { append, close, open, pairs, properties, restart } = useDefinitionStore();

test('after any sequence of commits, failures and restarts, the list equals that of a small model', async () => {
  await open();
  const value = fc.constantFrom<unknown>(null, 1, 1_790_000_000, 'x', 'true', '2026-11-20', false, [], {});
  const name = fc.constantFrom('x', 'created_at', 'utm_source', '$set');
  const event = fc.constantFrom('a', 'b', 'fails');
  const one = fc.tuple(event, fc.dictionary(name, value), fc.boolean());
  const step = fc.oneof(
    { arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }), weight: 5 },
    fc.constant('restart'),
  );
  const TYPES: Record<string, (of: unknown) => string | null> = {
    x: (of) => typeName(of, 'Numeric'),
    created_at: (of) => typeName(of, 'DateTime'),
    utm_source: (of) => (typeName(of, 'Numeric') === null ? null : 'String'),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await close();
      await open();
      const told = new Map<string, Set<string>>();
      const carried = new Set<string>();
      for (const done of steps) {
        if (done === 'restart') {
          await restart();
          continue;
        }
        const group = done as [string, Record<string, unknown>, boolean][];
        await append(...group.map(([of, carries, isListed]) => row(of, carries, { isListed })));
        if (group.some(([of]) => of === 'fails')) continue;
        for (const [of, carries] of group) {
          for (const [key, is] of Object.entries(carries)) {
            if (key === '$set') continue;
            carried.add(`${of} ${key}`);
            const type = TYPES[key]!(is);
            const types = told.get(key) ?? new Set();
            if (type !== null) types.add(type);
            told.set(key, types);
          }
        }
      }
      const wanted = [...told]
        .map(([key, types]) => ['event', key, types.size > 1 ? 'String' : ([...types][0] ?? null)])
        .sort();
      expect(await properties()).toEqual(wanted);
      expect((await pairs()).map((pair) => pair.join(' ')).sort()).toEqual([...carried].sort());
    }),
    { numRuns: 15 },
  );
}, 180_000);

function typeName(value: unknown, instant: string): string | null {
  if (value === 1) return 'Numeric';
  if (value === 1_790_000_000) return instant;
  if (value === 'x') return 'String';
  if (value === '2026-11-20') return 'DateTime';
  return value === 'true' || value === false ? 'Boolean' : null;
}
