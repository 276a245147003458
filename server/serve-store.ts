import type { Port } from './db/messages.ts';
import { serveDatabase, type OwnerContext, type OwnerService } from './db/owner.ts';
import { startCaptureThread, type CaptureThreadOptions } from './features/capture/capture-thread.ts';
import { openCohorts } from './features/cohorts/cohorts-thread.ts';
import { openDefinitions } from './features/definitions/definitions-thread.ts';
import {
  createFlagSubjectsThread,
  openFlagCalls,
  type FlagSubjectsThread,
  type SubjectSources,
} from './features/feature-flags/feature-flags-thread.ts';
import { createGeoipThread } from './features/geoip/geoip-thread.ts';
import { openGroups } from './features/groups/groups-thread.ts';
import { openIngestionWarnings } from './features/ingestion-warnings/ingestion-warnings-thread.ts';
import { openPersons } from './features/persons/persons-thread.ts';
import { openWarehouseStream } from './warehouse/duckdb/warehouse-stream.ts';
import { systemClock, type Clock } from './lib/clock.ts';

/** Serves the database and the services that live in its thread: capture, which appends what it decodes. */
export function serveStore(port: Port, clock: Clock = systemClock): void {
  const subjects = createFlagSubjectsThread();
  serveDatabase(port, {
    clock,
    services: {
      capture: (context) => startCapture(context, subjects),
      'flag-subjects': subjects.serve,
    },
  });
}

async function startCapture(context: OwnerContext, subjects: FlagSubjectsThread): Promise<OwnerService> {
  const { countryFile, fast, hasWarehouse } = context.options as CaptureThreadOptions;
  const warnings = await openIngestionWarnings(context);
  const geoip = createGeoipThread({ countryFile, log: context.log, onUse: subjects.addressesChanged });
  const known = { geoip: geoip.lookup } as SubjectSources;
  return await startCaptureThread(context, {
    participants: [
      async (shared) => {
        const persons = await openPersons(shared, {
          onRefusal: (row, refusal) =>
            warnings.warnAbout(row, refusal, { other_distinct_id: row.identity?.merge?.otherId ?? null }),
          onCommitted: subjects.personsCommitted,
          forget: (projectId, texts) => warnings.forget(projectId, texts),
        });
        known.persons = persons.lookup;
        return persons;
      },
      async (shared) => {
        const groups = await openGroups(shared, {
          onRefusal: (row, refusal, type) => warnings.warnAbout(row, refusal, { group_type: type }),
          onCommitted: subjects.groupsCommitted,
        });
        known.groups = groups.lookup;
        return groups;
      },
      // Participants open in their order, so both are known by then.
      (shared) => subjects.open(shared, known, { prefetches: fast }),
      // After those who add properties to events.
      openDefinitions,
      openFlagCalls,
      openCohorts,
      (shared) => openWarehouseStream(shared, hasWarehouse),
    ],
    geoip,
    warnings,
  });
}
