import { ApiError, fail } from '../../errors.ts';
import type { TokenBuckets } from '../../http/token-buckets.ts';
import { newUuid } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { EventStore } from '../../warehouse/duckdb/event-store.ts';
import type { Appended } from '../../warehouse/duckdb/event-writer.ts';
import type { ProjectIds } from '../../warehouse/duckdb/project-ids.ts';
import type { GeoipLookup } from '../geoip/index.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { CaptureResult } from './capture-messages.ts';
import { addDrop, type DropRun } from './drop-runs.ts';
import type { Envelope } from './envelope.ts';
import { createIntakeAccount, type Warned } from './intake-account.ts';
import type { Ledger } from './ledger.ts';
import type { LiveTap } from './live-tap.ts';
import { openRequest } from './open-request.ts';
import type { OpenedRequest, Reply } from './opened-request.ts';
import type { Incoming } from './request-parcel.ts';

/** Bytes of decoded requests that may wait for a commit; what is behind them stays undecoded. */
const DECODED_LIMIT_BYTES = 67_108_864;
/** After so many milliseconds of decoding in one turn, statements and finished commits get theirs. */
const TURN_MS = 10;

/** What a row takes beside its properties, roughly. */
const ROW_BYTES = 256;

/** A request and its body, as they crossed to this thread. */
interface Raw extends Incoming {
  readonly lease: Lease;
}

/** The buffers of one message, and how many of its requests still read them. */
export interface Lease {
  bodies: ArrayBuffer[];
  open: number;
}

interface IntakeOptions {
  store: EventStore;
  projects: ProjectIds;
  ledger: Ledger;
  live: LiveTap;
  warnings: IngestionWarnings;
  lookup: GeoipLookup;
  log: Log;
  maxDecodedBytes: number;
  /** Requests of one project; null: no limits. */
  limiter: TokenBuckets | null;
  answer: (taken: readonly number[], results: readonly CaptureResult[], bodies: ArrayBuffer[]) => void;
}

/** A request that was let in, until it is answered. */
interface Arrival {
  raw: Raw;
  projectId: number;
  token: string;
  rows: readonly EventRow[];
  /** Told of once their rows are stored. */
  warned: readonly Warned[];
  dropped: number;
  reply: Reply | null;
}

/** Shared by the many requests of which nothing is to be said; stays empty. */
const NOBODY: Warned[] = [];

export interface Intake {
  /** `lease`: the buffers that the bytes of all of them lie in. */
  take(requests: readonly Incoming[], lease: Lease): void;
  /** Waits until every request taken in was answered. */
  finish(): Promise<void>;
}

/** Takes requests in order of arrival and decodes them as fast as commits make room. */
export function createIntake(options: IntakeOptions): Intake {
  const { store, projects, ledger } = options;
  const account = createIntakeAccount(options);
  const waiting: Raw[] = [];
  let next = 0;
  let decodedBytes = 0;
  let open = 0;
  let pumping = false;
  let taken: number[] = [];
  let results: CaptureResult[] = [];
  let bodies: ArrayBuffer[] = [];
  let whenIdle: (() => void) | null = null;

  function answer({ request, lease }: Raw, refusal: CaptureResult['refusal'], body: string | null): void {
    if (taken.length === 0 && results.length === 0) setImmediate(flush);
    if (refusal === null && body === null) taken.push(request.id);
    else results.push({ id: request.id, refusal, body });
    open--;
    if (--lease.open === 0) bodies.push(...lease.bodies);
  }

  function flush(): void {
    options.answer(taken, results, bodies);
    taken = [];
    results = [];
    bodies = [];
    if (open === 0) whenIdle?.();
  }

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    let turnEnds = performance.now() + TURN_MS;
    while (next < waiting.length && decodedBytes < DECODED_LIMIT_BYTES) {
      const raw = waiting[next]!;
      waiting[next++] = undefined as never;
      const stranger = admit(raw);
      // Its project may have been made a moment ago; those behind it need not wait for the look.
      if (stranger !== null) void admitStranger(raw, stranger);
      if (performance.now() > turnEnds) {
        await new Promise(setImmediate);
        turnEnds = performance.now() + TURN_MS;
      }
    }
    if (next === waiting.length) {
      waiting.length = 0;
      next = 0;
    }
    pumping = false;
  }

  /** Takes the request in, or returns it opened when its token is not known yet. */
  function admit(raw: Raw): OpenedRequest | null {
    let projectId: number | undefined;
    try {
      const opened = openRequest(raw.request, raw.bytes, options.maxDecodedBytes);
      projectId = projects.find(opened.envelope.token);
      if (projectId === undefined) return opened;
      accept(raw, opened, projectId);
    } catch (error) {
      refuse(raw, error, projectId ?? null, null);
    }
    return null;
  }

  async function admitStranger(raw: Raw, opened: OpenedRequest): Promise<void> {
    const { token } = opened.envelope;
    let projectId: number | undefined;
    try {
      await projects.refresh();
      projectId = projects.find(token);
      if (projectId === undefined) throw fail('invalid_api_key');
      accept(raw, opened, projectId);
    } catch (error) {
      refuse(raw, error, projectId ?? null, token);
    }
  }

  /** The only place that decides keep or drop: normalizes every event, then stores the kept ones in one transaction. */
  function accept(raw: Raw, opened: OpenedRequest, projectId: number): void {
    const { request, bytes } = raw;
    const { envelope, reply } = opened;
    if (envelope.malformed !== undefined) throw envelope.malformed;
    checkRate(envelope, projectId);
    if (opened.notKept !== null) {
      ledger.notKept(projectId, { ...opened.notKept, bytes: bytes.length });
      answer(raw, null, null);
      return;
    }
    const rows: EventRow[] = [];
    const drops: DropRun[] = [];
    let dropped = 0;
    let warned: Warned[] = NOBODY;
    const context = {
      projectId,
      now: request.receivedAt,
      clientIp: request.clientIp,
      anonymizesIps: projects.anonymizesIps(projectId),
      source: request.path,
      lookup: options.lookup,
      newId: newUuid,
    };
    for (const item of envelope.items) {
      const normalized = opened.normalize(item, envelope, context);
      if (normalized.event === undefined) {
        addDrop(drops, normalized.dropped);
        dropped++;
      } else {
        rows.push(normalized.event);
        if (normalized.warnings !== null) {
          if (warned === NOBODY) warned = [];
          warned.push({ row: normalized.event, warnings: normalized.warnings });
        }
      }
    }
    for (const run of drops) account.drop(projectId, request.path, run);
    ledger.libraries(projectId, drops, 'received');
    ledger.libraries(projectId, rows, 'received');
    const arrival: Arrival = {
      raw,
      projectId,
      token: envelope.token,
      rows,
      warned,
      dropped,
      reply,
    };
    if (rows.length === 0) {
      finish(arrival, 0, 0, 0);
      return;
    }
    if (projects.isInspectOnly(projectId)) {
      inspect(arrival);
      return;
    }
    // What waits in memory is the decoded rows, a little more than the text they were parsed from.
    const held = Math.max(bytes.length, sizeOf(rows));
    decodedBytes += held;
    store.append(rows, (result) => {
      decodedBytes -= held;
      settle(arrival, result);
      if (next < waiting.length) void pump();
    });
  }

  /** Throws rate_limit_exceeded for one request too many; past events are taken in as fast as they come (3.5, 13). */
  function checkRate({ historicalMigration }: Envelope, projectId: number): void {
    if (options.limiter === null || historicalMigration) return;
    const seconds = options.limiter.take(String(projectId));
    if (seconds !== null) throw fail('rate_limit_exceeded', { headers: { 'Retry-After': String(seconds) } });
  }

  /** Shows the events to those who watch, and keeps nothing of them. */
  function inspect(arrival: Arrival): void {
    const { projectId, rows } = arrival;
    account.show(projectId, rows, arrival.warned, 'inspected');
    finish(arrival, 0, 0, rows.length);
  }

  function settle(arrival: Arrival, result: Appended): void {
    const { raw, projectId } = arrival;
    if (result.outcome === 'unavailable') {
      refuse(raw, fail('store_unavailable'), projectId, arrival.token);
      return;
    }
    for (const { uuid, event, lib, libVersion } of result.notStorable) {
      account.drop(projectId, raw.request.path, {
        reason: 'not_storable',
        event,
        lib,
        libVersion,
        count: 1,
      });
      arrival.reply?.notStorable(uuid);
      arrival.dropped++;
    }
    account.show(projectId, result.stored, arrival.warned, 'stored');
    finish(arrival, result.stored.length, result.duplicates, 0);
  }

  function finish(arrival: Arrival, stored: number, duplicates: number, inspected: number): void {
    const { raw, projectId, rows, dropped } = arrival;
    account.finish(raw.request, projectId, { stored, duplicates, inspected, dropped }, rows[0]?.lib ?? '');
    answer(raw, null, arrival.reply?.text() ?? null);
  }

  function refuse(raw: Raw, error: unknown, projectId: number | null, token: string | null): void {
    const known = error instanceof ApiError ? error : fail('server_error');
    if (known !== error) {
      options.log.error({ error: String(error), path: raw.request.path }, 'A capture request failed');
    }
    account.refuse(raw.request, projectId, known, token);
    const retryAfter = known.headers['Retry-After'] ?? null;
    answer(raw, { name: known.errorName, detail: known.message, retryAfter }, null);
  }

  return {
    take(requests, lease) {
      open += requests.length;
      for (const { request, bytes } of requests) waiting.push({ request, bytes, lease });
      void pump();
    },
    async finish() {
      if (open > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
  };
}

function sizeOf(rows: readonly EventRow[]): number {
  let size = 0;
  for (const { properties } of rows) {
    size +=
      ROW_BYTES + (typeof properties === 'string' ? properties.length : properties.end - properties.start);
  }
  return size;
}
