import type { Port } from './db/messages.ts';
import { serveDatabase, type OwnerContext, type OwnerService } from './db/owner.ts';
import { startCaptureThread, type CaptureThreadOptions } from './features/capture/capture-thread.ts';
import { openDefinitions } from './features/definitions/definitions-thread.ts';
import { createGeoipThread } from './features/geoip/geoip-thread.ts';
import { openGroups } from './features/groups/groups-thread.ts';
import { openIngestionWarnings } from './features/ingestion-warnings/ingestion-warnings-thread.ts';
import { openPersons } from './features/persons/persons-thread.ts';
import { systemClock, type Clock } from './lib/clock.ts';

/** Serves the database and the services that live in its thread: capture, which appends what it decodes. */
export function serveStore(port: Port, clock: Clock = systemClock): void {
  serveDatabase(port, { clock, services: { capture: startCapture } });
}

async function startCapture(context: OwnerContext): Promise<OwnerService> {
  const { countryFile } = context.options as CaptureThreadOptions;
  const warnings = await openIngestionWarnings(context);
  return await startCaptureThread(context, {
    participants: [
      (shared) =>
        openPersons(shared, {
          onRefusal: (row, refusal) =>
            warnings.warnAbout(row, refusal, { other_distinct_id: row.identity?.merge?.otherId ?? null }),
          forget: (projectId, texts) => warnings.forget(projectId, texts),
        }),
      (shared) =>
        openGroups(shared, (row, refusal, type) => warnings.warnAbout(row, refusal, { group_type: type })),
      // After those who add properties to events.
      openDefinitions,
    ],
    geoip: createGeoipThread({ countryFile, log: context.log }),
    warnings,
  });
}
