import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveEvent } from '../../api/live.api.ts';
import { addStored, emptyBuffer, receive, release, ROW_LIMIT, type LiveBuffer } from './live-buffer.ts';

const anEvent = (number: number, isStored = false): LiveEvent => ({
  id: `event-${number}`,
  event: 'test',
  distinct_id: 'user',
  timestamp: new Date(number * 1000).toISOString(),
  received_at: isStored ? null : new Date(number * 1000 + 5).toISOString(),
  properties: {},
  elements_chain: '',
  lib: '',
  lib_version: '',
});
const message = (...numbers: number[]) => ({ events: numbers.map((number) => anEvent(number)), skipped: 0 });
const many = (count: number, from = 0) =>
  message(...Array.from({ length: count }, (_, index) => from + index));
const ids = (events: readonly LiveEvent[]) => events.map(({ id }) => Number(id.slice(6)));

describe('the rows of the live table', () => {
  test('new events are at the top, the newest first', () => {
    const buffer = receive(receive(emptyBuffer(), message(1, 2), false), message(4, 3), false);
    expect(ids(buffer.rows)).toEqual([4, 3, 2, 1]);
  });

  test('while paused, new events are counted and the rows stay identical', () => {
    const before = receive(emptyBuffer(), message(1), false);
    const held = receive(receive(before, message(2), true), message(3, 4), true);
    expect(held.rows).toBe(before.rows);
    expect(held.waitingCount).toBe(3);
    expect(ids(release(held).rows)).toEqual([4, 3, 2, 1]);
    expect(release(held).waitingCount).toBe(0);
  });

  test('an event received twice is shown once, also across rows and waiting events', () => {
    const first = receive(emptyBuffer(), message(1, 1, 2), false);
    const held = receive(receive(first, message(2, 3), true), message(3), true);
    expect(held.waitingCount).toBe(1);
    expect(ids(release(held).rows)).toEqual([3, 2, 1]);
  });

  test('stored events are placed below live ones, and fill the gap of a broken stream', () => {
    const live = receive(emptyBuffer(), message(10), false);
    expect(ids(addStored(live, [anEvent(9, true), anEvent(8, true)]).rows)).toEqual([10, 9, 8]);
    const later = receive(live, message(14), false);
    const healed = addStored(later, [anEvent(14, true), anEvent(12, true), anEvent(10, true)]);
    expect(ids(healed.rows)).toEqual([14, 12, 10]);
  });

  test('rows and waiting events are limited; waiting events beyond the limit count as skipped', () => {
    const full = receive(emptyBuffer(), many(ROW_LIMIT + 10), false);
    expect(full.rows).toHaveLength(ROW_LIMIT);
    expect(ids(full.rows)[0]).toBe(ROW_LIMIT + 9);
    const held = receive(emptyBuffer(), many(ROW_LIMIT + 10), true);
    expect(held).toMatchObject({ waitingCount: ROW_LIMIT + 10, skipped: 10 });
    expect(held.waiting).toHaveLength(ROW_LIMIT);
  });

  test('skipped counts of the stream are summed', () => {
    const step = (buffer: LiveBuffer) => receive(buffer, { events: [], skipped: 7 }, false);
    expect(step(step(emptyBuffer())).skipped).toBe(14);
  });

  test('after any sequence of steps, no event is duplicated and none of the newest is missing', () => {
    const step = fc.record({
      numbers: fc.array(fc.nat(40), { maxLength: 6 }),
      isHeld: fc.boolean(),
      isStored: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let buffer = emptyBuffer();
        for (const { numbers, isHeld, isStored } of steps) {
          buffer = isStored
            ? addStored(
                buffer,
                numbers.map((number) => anEvent(number, true)),
              )
            : receive(buffer, message(...numbers), isHeld);
        }
        const shown = ids(release(buffer).rows);
        expect(shown).toHaveLength(new Set(shown).size);
        expect(new Set(shown)).toEqual(new Set(steps.flatMap(({ numbers }) => numbers)));
      }),
    );
  });
});
