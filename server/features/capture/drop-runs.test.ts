import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDrop, type DropRun } from './drop-runs.ts';
import type { DroppedEvent } from './normalize.ts';

const dropped: fc.Arbitrary<DroppedEvent> = fc.record({
  reason: fc.constantFrom('missing_event_name', 'missing_distinct_id'),
  event: fc.constantFrom('', 'seen'),
  lib: fc.constantFrom('web', 'posthog-node'),
  libVersion: fc.constantFrom('1', '2'),
});

test('runs, expanded again, are the events in order, and adjacent runs differ', () => {
  fc.assert(
    fc.property(fc.array(dropped), (events) => {
      const runs: DropRun[] = [];
      for (const event of events) addDrop(runs, event);
      expect(runs.flatMap(({ count, ...event }) => Array<DroppedEvent>(count).fill(event))).toEqual(events);
      runs.slice(1).forEach((run, before) => {
        expect({ ...run, count: 0 }).not.toEqual({ ...runs[before]!, count: 0 });
      });
    }),
  );
});
