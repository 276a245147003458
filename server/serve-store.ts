import type { Port } from './db/messages.ts';
import { serveDatabase } from './db/owner.ts';
import { startCaptureThread } from './features/capture/capture-thread.ts';
import { openGroups } from './features/groups/groups-thread.ts';
import { openPersons } from './features/persons/persons-thread.ts';
import { systemClock, type Clock } from './lib/clock.ts';

/** Serves the database and the services that live in its thread: capture, which appends what it decodes. */
export function serveStore(port: Port, clock: Clock = systemClock): void {
  serveDatabase(port, {
    clock,
    services: {
      capture: (context) =>
        startCaptureThread(context, [
          (shared) => openPersons(shared, () => undefined),
          (shared) => openGroups(shared, () => undefined),
        ]),
    },
  });
}
