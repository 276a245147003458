import { ApiError, fail, type ErrorName } from '../../errors.ts';
import type { OwnerContext, OwnerService } from '../../db/owner.ts';
import { decodedLimit } from '../../http/body-limits.ts';
import { decodeBody } from '../../http/decode.ts';
import { newUuid } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { openEventStore, type EventStore } from '../../warehouse/duckdb/event-store.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { Appended } from '../../warehouse/duckdb/event-writer.ts';
import { openProjectIds, type ProjectIds } from '../../warehouse/duckdb/project-ids.ts';
import type { CaptureResult, FromCapture, Knock, RawCapture, ToCapture } from './capture-messages.ts';
import { openEnvelope, type Envelope } from './envelope.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createLiveTap, type LiveTap } from './live-tap.ts';
import { normalizeEvent } from './normalize.ts';
import { readUsualJson } from './usual-json.ts';

/** Bytes of decoded requests that may wait for a commit; what is behind them stays undecoded. */
const DECODED_LIMIT_BYTES = 67_108_864;
/** After so many milliseconds of decoding in one turn, statements and finished commits get theirs. */
const TURN_MS = 10;

/** An event on its way into the store, with what the ledger and the live view want of it. */
interface CapturedRow extends EventRow {
  lib: string;
  libVersion: string;
}

interface Raw {
  request: RawCapture;
  bytes: Uint8Array;
}

/** What the server tells this part of capture when the store opens. */
export interface CaptureThreadOptions {
  /** A request body on the wire is smaller than this. */
  maxBodyBytes: number;
}

/**
 * The part of capture that lives in the thread of the database: decodes bodies, decides keep or drop, and answers each
 * request after the commit that holds its events. Parsing here keeps the loop that answers requests free.
 */
export async function startCaptureThread(context: OwnerContext): Promise<OwnerService> {
  const { maxBodyBytes } = context.options as CaptureThreadOptions;
  const store = await openEventStore(context);
  const projects = await openProjectIds(await context.connect());
  const ledger = createLedger(context.clock);
  const send = (message: FromCapture): void => context.post(message);
  const live = createLiveTap(send);
  const intake = createIntake({
    store,
    projects,
    ledger,
    live,
    log: context.log,
    maxDecodedBytes: decodedLimit(maxBodyBytes),
    answer: (results) => send({ kind: 'results', results }),
  });

  return {
    post(message: never) {
      const asked = message as ToCapture;
      if (asked.kind === 'requests') {
        intake.take(asked.requests.map((request) => ({ request, bytes: bytesOf(request, asked.bodies) })));
      } else if (asked.kind === 'knock') ledger.note(null, noteOfKnock(asked.knock));
      else if (asked.kind === 'subscribe') live.subscribe(asked.id, asked.projectId, asked.filters);
      else live.unsubscribe(asked.id);
    },
    async call(message: never) {
      const { projectId } = message as { projectId: number };
      return { ledger: ledger.report(projectId), store: await store.stats(), waitingRows: store.waitingRows };
    },
    async close() {
      await intake.finish();
      live.close();
      await store.close();
      projects.close();
    },
  };
}

function bytesOf(request: RawCapture, bodies: readonly ArrayBuffer[]): Uint8Array {
  return request.length === 0
    ? new Uint8Array(0)
    : new Uint8Array(bodies[request.body]!, request.offset, request.length);
}

function noteOfKnock(knock: Knock) {
  return { ...knock, events: 0, lib: '', keyHint: null };
}

interface IntakeOptions {
  store: EventStore;
  projects: ProjectIds;
  ledger: Ledger;
  live: LiveTap;
  log: Log;
  maxDecodedBytes: number;
  answer: (results: CaptureResult[]) => void;
}

/** Requests in order of arrival, decoded as fast as commits make room. */
function createIntake(options: IntakeOptions): { take(raw: readonly Raw[]): void; finish(): Promise<void> } {
  const { store, projects, ledger, live } = options;
  const waiting: Raw[] = [];
  let next = 0;
  let decodedBytes = 0;
  let open = 0;
  let pumping = false;
  let results: CaptureResult[] = [];
  let whenIdle: (() => void) | null = null;

  function answer(id: number, refusal: CaptureResult['refusal']): void {
    if (results.length === 0) setImmediate(flush);
    results.push({ id, refusal });
    open--;
  }

  function flush(): void {
    const finished = results;
    results = [];
    options.answer(finished);
    if (open === 0) whenIdle?.();
  }

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    let turnEnds = performance.now() + TURN_MS;
    while (next < waiting.length && decodedBytes < DECODED_LIMIT_BYTES) {
      const raw = waiting[next]!;
      waiting[next++] = undefined as never;
      const unknownToken = admit(raw);
      if (unknownToken !== null) await admitStranger(raw, unknownToken);
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

  /** Takes the request in, or returns its envelope when the token is not known yet. */
  function admit({ request, bytes }: Raw): Envelope | null {
    try {
      const envelope = openEnvelope(
        decodeBody({
          bytes,
          search: request.search,
          contentType: request.contentType,
          contentEncoding: request.contentEncoding,
          maxDecodedBytes: options.maxDecodedBytes,
          readUsual: readUsualJson,
        }),
        { kind: request.kind, search: request.search },
      );
      const projectId = projects.find(envelope.token);
      if (projectId === undefined) return envelope;
      accept(request, bytes.length, envelope, projectId);
    } catch (error) {
      refuse(request, error, null, null);
    }
    return null;
  }

  async function admitStranger({ request, bytes }: Raw, envelope: Envelope): Promise<void> {
    let projectId: number | undefined;
    try {
      await projects.refresh();
      projectId = projects.find(envelope.token);
      if (projectId === undefined) throw fail('invalid_api_key');
      accept(request, bytes.length, envelope, projectId);
    } catch (error) {
      refuse(request, error, projectId ?? null, envelope.token);
    }
  }

  /** The only place that decides keep or drop: normalizes every event, then stores the kept ones in one transaction. */
  function accept(request: RawCapture, bytes: number, envelope: Envelope, projectId: number): void {
    const rows: CapturedRow[] = [];
    const drops: Parameters<Ledger['drop']>[1][] = [];
    const context = { now: request.receivedAt, clientIp: request.clientIp, newId: newUuid };
    for (const item of envelope.items) {
      const { event, dropped } = normalizeEvent(item, envelope, context);
      if (event === undefined) drops.push(dropped);
      else rows.push({ ...event, projectId, receivedAt: request.receivedAt * 1_000 });
    }
    for (const dropped of drops) ledger.drop(projectId, dropped);
    if (rows.length === 0) {
      finish(request, projectId, envelope.items.length, rows, { stored: 0, duplicates: 0 }, drops.length);
      return;
    }
    // What waits in memory is the decoded rows, a little more than the text they were parsed from.
    const held = Math.max(bytes, sizeOf(rows));
    decodedBytes += held;
    store.append(rows, (result) => {
      decodedBytes -= held;
      settle(request, projectId, envelope, rows, drops.length, result);
      if (next < waiting.length) void pump();
    });
  }

  function settle(
    request: RawCapture,
    projectId: number,
    envelope: Envelope,
    rows: readonly CapturedRow[],
    dropped: number,
    result: Appended,
  ): void {
    if (result.outcome === 'unavailable') {
      refuse(request, fail('store_unavailable'), projectId, envelope.token);
      return;
    }
    for (const row of result.notStorable as readonly CapturedRow[]) {
      ledger.drop(projectId, {
        reason: 'not_storable',
        event: row.event,
        lib: row.lib,
        libVersion: row.libVersion,
      });
    }
    const stored = result.stored as readonly CapturedRow[];
    if (live.isWatched) for (const row of stored) live.offer(liveEvent(row));
    const counts = { stored: stored.length, duplicates: result.duplicates };
    finish(request, projectId, envelope.items.length, rows, counts, dropped + result.notStorable.length);
  }

  function finish(
    request: RawCapture,
    projectId: number,
    received: number,
    rows: readonly CapturedRow[],
    counts: { stored: number; duplicates: number },
    dropped: number,
  ): void {
    ledger.count({ projectId, received, ...counts });
    // The events of one request come from one library, so its first one names it.
    const { lib, libVersion } = rows[0] ?? { lib: '', libVersion: '' };
    if (rows.length > 0) ledger.library(projectId, lib, libVersion, rows.length, counts.stored);
    ledger.note(projectId, {
      ...noteOf(request),
      status: 200,
      outcome: dropped > 0 ? 'dropped' : 'stored',
      events: received,
      code: null,
      detail: null,
      lib,
      keyHint: null,
    });
    answer(request.id, null);
  }

  function refuse(request: RawCapture, error: unknown, projectId: number | null, token: string | null): void {
    const known = error instanceof ApiError ? error : fail('server_error');
    if (known !== error)
      options.log.error({ error: String(error), path: request.path }, 'A capture request failed');
    ledger.note(projectId, {
      ...noteOf(request),
      status: known.status,
      outcome: 'refused',
      events: 0,
      code: known.body.code,
      detail: known.message,
      lib: '',
      keyHint: token === null ? null : keyHint(token),
    });
    answer(request.id, { name: known.errorName satisfies ErrorName, detail: known.message });
  }

  return {
    take(raw) {
      open += raw.length;
      waiting.push(...raw);
      void pump();
    },
    async finish() {
      if (open > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
  };
}

function noteOf(request: RawCapture): { at: number; method: string; path: string; origin: string | null } {
  return { at: request.receivedAt, method: request.method, path: request.path, origin: request.origin };
}

function sizeOf(rows: readonly CapturedRow[]): number {
  let size = 0;
  for (const row of rows) size += row.properties.length + 128;
  return size;
}

function liveEvent(row: CapturedRow) {
  return {
    projectId: row.projectId,
    id: row.uuid,
    event: row.event,
    distinctId: row.distinctId,
    timestamp: row.timestamp,
    receivedAt: row.receivedAt,
    properties: typeof row.properties === 'string' ? row.properties : Buffer.from(row.properties).toString(),
    elementsChain: row.elementsChain ?? '',
    lib: row.lib,
    libVersion: row.libVersion,
  };
}

/** Enough of a wrong key to recognise it, too little to use it: `phc_old…9Qd`. */
function keyHint(token: string): string {
  return token.length <= 12 ? `${token.slice(0, 4)}…` : `${token.slice(0, 7)}…${token.slice(-3)}`;
}
