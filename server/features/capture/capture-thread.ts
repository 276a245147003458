import type { OwnerContext, OwnerService } from '../../db/owner.ts';
import { CAPTURE_RATE, createTokenBuckets } from '../../http/token-buckets.ts';
import type { OpenParticipant } from '../../warehouse/duckdb/commit-participant.ts';
import { openEventStore } from '../../warehouse/duckdb/event-store.ts';
import { openProjectIds } from '../../warehouse/duckdb/project-ids.ts';
import type { GeoipThread } from '../geoip/index.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { FromCapture, Knock, ToCapture } from './capture-messages.ts';
import { createIntake } from './intake.ts';
import { createLedger, type RequestNote } from './ledger.ts';
import { createLiveTap } from './live-tap.ts';
import { unpackRequests } from './request-parcel.ts';

/** What the server tells this part of capture when the store opens. */
export interface CaptureThreadOptions {
  /** A request body on the wire is smaller than this. */
  maxBodyBytes: number;
  /** Whether the requests of one key are limited. */
  rateLimits: boolean;
  /** The file that says in which country an address lies. */
  countryFile: string;
}

/** What works beside capture in the same thread. */
export interface CaptureParts {
  /** Those who write in the commit of the events, in their order. */
  participants: readonly OpenParticipant[];
  geoip: GeoipThread;
  warnings: IngestionWarnings;
}

/**
 * The part of capture that lives in the thread of the database: decodes bodies, decides keep or drop, and answers each
 * request after the commit that holds its events. Parsing here keeps the loop that answers requests free.
 */
export async function startCaptureThread(
  context: OwnerContext,
  { participants, geoip, warnings }: CaptureParts,
): Promise<OwnerService> {
  const { maxBodyBytes, rateLimits } = context.options as CaptureThreadOptions;
  const store = await openEventStore(context, participants);
  const projects = await openProjectIds(await context.connect());
  const ledger = createLedger(context.clock);
  const send = (message: FromCapture): void => context.post(message);
  const live = createLiveTap(send);
  const intake = createIntake({
    store,
    projects,
    ledger,
    live,
    warnings,
    lookup: geoip.lookup,
    log: context.log,
    maxBodyBytes,
    limiter: rateLimits ? createTokenBuckets({ ...CAPTURE_RATE, clock: context.clock }) : null,
    answer: (taken, results, bodies) =>
      context.post({ kind: 'results', taken, results, bodies } satisfies FromCapture, bodies),
  });

  const calls: Readonly<Record<string, (message: never) => Promise<unknown>>> = {
    ...geoip.calls,
    ...warnings.calls,
    'projects.refresh': () => projects.refresh(),
    'projects.wipe': async (order: { projectId: number }) => {
      // What was noted about events goes with them.
      await warnings.calls['ingestion_warnings.save']();
      const wiped = await store.call('projects.wipe', order);
      ledger.forget(order.projectId);
      return wiped;
    },
    'projects.remove': async (order: { projectId: number }) => {
      // First no event comes in any more, then what waits is written, then all of it goes.
      await projects.refresh();
      await warnings.calls['ingestion_warnings.save']();
      ledger.forget(order.projectId);
      await store.call('projects.remove', order);
    },
  };

  return {
    post(message: never) {
      const asked = message as ToCapture;
      if (asked.kind === 'requests') {
        const requests = unpackRequests(asked.parcel);
        intake.take(requests, { bodies: asked.parcel.bodies, open: requests.length });
      } else if (asked.kind === 'knock') ledger.note(null, noteOfKnock(asked.knock));
      else if (asked.kind === 'subscribe') live.subscribe(asked.id, asked.projectId, asked.filters);
      else live.unsubscribe(asked.id);
    },
    async call(message: never) {
      const question = message as { kind: string; projectId: number };
      const own = calls[question.kind];
      if (own !== undefined) return await own(message);
      if (question.kind !== 'report') return await store.call(question.kind, message);
      const { projectId } = question;
      return { ledger: ledger.report(projectId), store: await store.stats(), waitingRows: store.waitingRows };
    },
    // A question is answered from what is there when this fails; maintenance tries it again and says so.
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

function noteOfKnock(knock: Knock): RequestNote {
  return { ...knock, events: 0, lib: '', keyHint: null };
}
