import type { OwnerContext, OwnerService } from '../../db/owner.ts';
import { CAPTURE_RATE, createTokenBuckets } from '../../http/token-buckets.ts';
import type { OpenParticipant } from '../../warehouse/duckdb/commit-participant.ts';
import { openEventStore } from '../../warehouse/duckdb/event-store.ts';
import { openProjectIds } from '../../warehouse/duckdb/project-ids.ts';
import type { GeoipThread } from '../geoip/index.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { FromCapture, RejectedRequest, ToCapture } from './capture-messages.ts';
import type { CaptureReport } from './capture.service.ts';
import { createIntake } from './intake.ts';
import { createIngestionStats, type RequestNote } from './ingestion-stats.ts';
import { createLiveTap } from './live-tap.ts';
import { unpackRequests } from './fast/request-parcel.ts';

export interface CaptureThreadOptions {
  /** A request body on the wire is smaller than this. */
  maxBodyBytes: number;
  /** Whether the requests of one key are limited. */
  rateLimits: boolean;
  /** The GeoIP country database. */
  countryFile: string;
  /** `Config.fast`. */
  fast: boolean;
  /** The server was started with a warehouse. */
  hasWarehouse: boolean;
}

/** Other parts in the same thread. */
export interface CaptureParts {
  /** Features that write in the commit of the events, in order. */
  participants: readonly OpenParticipant[];
  geoip: GeoipThread;
  warnings: IngestionWarnings;
}

/**
 * The part of capture in the store thread: decodes bodies, decides which events are stored, and responds to each
 * request after the commit of its events. Parsing here keeps the HTTP event loop free.
 */
export async function startCaptureThread(
  context: OwnerContext,
  { participants, geoip, warnings }: CaptureParts,
): Promise<OwnerService> {
  const { maxBodyBytes, rateLimits, fast } = context.options as CaptureThreadOptions;
  const store = await openEventStore(context, participants);
  const projects = await openProjectIds(await context.connect());
  const stats = createIngestionStats(context.clock);
  const send = (message: FromCapture): void => context.post(message);
  const live = createLiveTap(send);
  let isPaused = false;
  const intake = createIntake({
    store,
    projects,
    stats: stats,
    live,
    warnings,
    lookup: geoip.lookup,
    log: context.log,
    maxBodyBytes,
    fast,
    limiter: rateLimits ? createTokenBuckets({ ...CAPTURE_RATE, clock: context.clock }) : null,
    isPaused: () => isPaused,
    answer: (taken, results, bodies) =>
      context.post({ kind: 'results', taken, results, bodies } satisfies FromCapture, bodies),
  });

  const calls: Readonly<Record<string, (message: never) => Promise<unknown>>> = {
    ...geoip.calls,
    ...warnings.calls,
    'capture.pause': async (order: { isPaused: boolean }) => {
      isPaused = order.isPaused;
    },
    'capture.rate': async () => stats.perMinute(),
    'projects.refresh': () => projects.refresh(),
    'projects.wipe': async (order: { projectId: number }) => {
      // Pending warnings are deleted with the events.
      await warnings.calls['ingestion_warnings.save']();
      const wiped = await store.call('projects.wipe', order);
      stats.forget(order.projectId);
      return wiped;
    },
    'projects.remove': async (order: { projectId: number }) => {
      // First stop accepting events, then write pending data, then delete everything.
      await projects.refresh();
      await warnings.calls['ingestion_warnings.save']();
      stats.forget(order.projectId);
      await store.call('projects.remove', order);
    },
  };

  return {
    post(message: never) {
      const incoming = message as ToCapture;
      if (incoming.kind === 'requests') {
        const requests = unpackRequests(incoming.parcel);
        intake.take(requests, { bodies: incoming.parcel.bodies, open: requests.length });
      } else if (incoming.kind === 'rejected') stats.note(null, requestNoteOf(incoming.request));
      else if (incoming.kind === 'subscribe')
        live.subscribe(incoming.id, incoming.projectId, incoming.filters);
      else live.unsubscribe(incoming.id);
    },
    async call(message: never) {
      const request = message as { kind: string; projectId: number };
      const own = calls[request.kind];
      if (own !== undefined) return await own(message);
      if (request.kind !== 'report') return await store.call(request.kind, message);
      const { projectId } = request;
      return {
        ingestion: stats.report(projectId),
        store: await store.stats(),
        waitingRows: store.waitingRows,
      } satisfies Omit<CaptureReport, 'queue'>;
    },
    // On failure the query reads what is stored; maintenance retries and logs the error.
    beforeStatement: (sql) => store.flush(sql)?.catch(() => undefined) ?? null,
    async close() {
      await intake.finish();
      live.close();
      await store.close();
      await warnings.close();
      projects.close();
    },
  };
}

function requestNoteOf(request: RejectedRequest): RequestNote {
  return { ...request, events: 0, lib: '', keyHint: null };
}
