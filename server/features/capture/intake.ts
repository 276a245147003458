import { ApiError, fail } from '../../errors.ts';
import { decodedLimit, decodedLimits, formLimits } from '../../http/body-limits.ts';
import { plainBytes } from '../../http/inflate.ts';
import { inflateLarge } from '../../http/inflate-large.ts';
import type { TokenBuckets } from '../../http/token-buckets.ts';
import { collectGarbage } from '../../lib/collect-garbage.ts';
import { newUuid } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { EventStore } from '../../warehouse/duckdb/event-store.ts';
import type { Appended, RowSource } from '../../warehouse/duckdb/event-writer.ts';
import type { ProjectIds } from '../../warehouse/duckdb/project-ids.ts';
import type { GeoipLookup } from '../geoip/index.ts';
import type { IngestionWarnings } from '../ingestion-warnings/index.ts';
import type { CaptureResult } from './capture-messages.ts';
import { addDrop, type DropRun } from './drop-runs.ts';
import type { Envelope } from './envelope.ts';
import { createIntakeAccount, type Warned } from './intake-account.ts';
import type { IngestionStats, SentBy } from './ingestion-stats.ts';
import type { LiveTap } from './live-tap.ts';
import { openRequest } from './open-request.ts';
import type { OpenedRequest, Reply } from './opened-request.ts';
import type { Incoming } from './fast/request-parcel.ts';

/** Bytes of decoded requests of a lane that may wait for a commit; what is behind them stays undecoded. */
const DECODED_LIMIT_BYTES = 67_108_864;
/** Bytes of plain text from which on a request is large: it takes another lane, so that small ones need not wait behind it. */
const LARGE_BYTES = 1_048_576;
/** After so many milliseconds of decoding in one turn, statements and finished commits get theirs. */
const TURN_MS = 10;

/** Events from which on a request is stored in pieces, and events of one piece: some ten milliseconds of work. */
const LARGE_EVENTS = 10_000;
const PIECE_EVENTS = 4_096;
/** Events of a large request that are shown to who watches. */
const SHOWN_EVENTS = 50;

/** What a row takes beside its properties, roughly. */
const ROW_BYTES = 256;

/** A request and its body, as they crossed to this thread. */
interface Raw extends Incoming {
  readonly lease: Lease;
  readonly lane: IntakeLane;
}

/** Requests that are taken in one after another. */
interface IntakeLane {
  readonly waiting: Raw[];
  /** Index of the first that waits. */
  next: number;
  /** Bytes of decoded requests that wait for their commit. */
  decodedBytes: number;
  isPumping: boolean;
}

/** The buffers of one message, and how many of its requests still read them. */
export interface Lease {
  bodies: ArrayBuffer[];
  open: number;
}

interface IntakeOptions {
  store: EventStore;
  projects: ProjectIds;
  stats: IngestionStats;
  live: LiveTap;
  warnings: IngestionWarnings;
  lookup: GeoipLookup;
  log: Log;
  /** A request body on the wire is smaller than this. */
  maxBodyBytes: number;
  /** `Config.fast`. */
  fast: boolean;
  /** Requests of one project; null: no limits. */
  limiter: TokenBuckets | null;
  /** Whether events are answered as stored and not stored. */
  isPaused: () => boolean;
  answer: (taken: readonly number[], results: readonly CaptureResult[], bodies: ArrayBuffer[]) => void;
}

/** A request that was let in, until it is answered. */
interface Arrival {
  raw: Raw;
  projectId: number;
  token: string;
  rows: readonly EventRow[];
  /** Reported after their rows are stored. */
  warned: readonly Warned[];
  dropped: number;
  reply: Reply | null;
}

/** Events one after another that one library has sent. */
type LibraryRun = Required<SentBy>;

/** Shared by the many requests of which nothing is to be said; stays empty. */
const NO_WARNINGS: Warned[] = [];

export interface Intake {
  /** `lease`: the buffers that the bytes of all of them lie in. */
  take(requests: readonly Incoming[], lease: Lease): void;
  /** Waits until every request taken in was answered. */
  finish(): Promise<void>;
}

/** Takes requests in order of arrival and decodes them as fast as commits make room. */
export function createIntake(options: IntakeOptions): Intake {
  const { store, projects, stats } = options;
  const account = createIntakeAccount(options);
  const lanes = { small: newLane(), large: newLane() };
  let open = 0;
  /** Whatever a plain body may hold, a compressed one may too. */
  const small = decodedLimits(options.maxBodyBytes, Infinity);
  const forms = formLimits(options.maxBodyBytes);
  const large = decodedLimits(decodedLimit(options.maxBodyBytes), Infinity);
  /** Ends with the large body that is being inflated. */
  let inflating: Promise<void> = Promise.resolve();
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

  async function pump(lane: IntakeLane): Promise<void> {
    if (lane.isPumping) return;
    lane.isPumping = true;
    const { waiting } = lane;
    let turnEnds = performance.now() + TURN_MS;
    while (lane.next < waiting.length && lane.decodedBytes < DECODED_LIMIT_BYTES) {
      const raw = waiting[lane.next]!;
      waiting[lane.next++] = undefined as never;
      admit(raw);
      if (performance.now() > turnEnds) {
        await new Promise(setImmediate);
        turnEnds = performance.now() + TURN_MS;
      }
    }
    if (lane.next === waiting.length) {
      waiting.length = 0;
      lane.next = 0;
    }
    lane.isPumping = false;
  }

  /** Takes the request in, or lets it wait where that takes longer; those behind it need not. */
  function admit(raw: Raw): void {
    let projectId: number | undefined;
    try {
      const opened = openRequest(
        raw.request,
        raw.bytes,
        raw.request.kind === 'ai' ? forms : small,
        options.fast,
      );
      projectId = projects.find(opened.envelope.token);
      // Its project may have been created a moment ago.
      if (projectId === undefined) void retryUnknownToken(raw, opened);
      else accept(raw, opened, projectId);
    } catch (error) {
      if (error instanceof ApiError && error.errorName === 'payload_too_large') inflating = admitLarge(raw);
      else refuse(raw, error, projectId ?? null, null);
    }
  }

  /** Opens a body that decompresses to more than a plain one may hold; one at a time, as each takes much memory. */
  async function admitLarge(raw: Raw): Promise<void> {
    await inflating;
    try {
      const { request } = raw;
      const plain = await inflateLarge(raw.bytes, request.contentEncoding, options.maxBodyBytes);
      if (plain === null) throw fail('payload_too_large');
      const opened = openRequest({ ...request, contentEncoding: '' }, plain, large, options.fast);
      await retryUnknownToken(raw, opened);
    } catch (error) {
      refuse(raw, error, null, null);
    }
  }

  async function retryUnknownToken(raw: Raw, opened: OpenedRequest): Promise<void> {
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
      stats.notKept(projectId, { ...opened.notKept, bytes: bytes.length });
      answer(raw, null, null);
      return;
    }
    if (options.isPaused()) {
      void acceptPaused(raw, opened, projectId);
      return;
    }
    if (envelope.items.length > LARGE_EVENTS && !projects.isInspectOnly(projectId)) {
      acceptLarge(raw, opened, projectId);
      return;
    }
    const drops: DropRun[] = [];
    const judged = judge(raw, opened, projectId, drops, 0, envelope.items.length);
    const { rows, dropped, warned } = judged;
    for (const run of drops) account.drop(projectId, request.path, run);
    stats.libraries(projectId, drops, 'received');
    stats.libraries(projectId, rows, 'received');
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
    raw.lane.decodedBytes += held;
    store.append(rows, (result) => {
      raw.lane.decodedBytes -= held;
      settle(arrival, result);
      void pump(raw.lane);
    });
  }

  /** Normalizes the events from one index to another; adds those that are dropped to `drops`. */
  function judge(
    { request }: Raw,
    opened: OpenedRequest,
    projectId: number,
    drops: DropRun[],
    from: number,
    to: number,
  ): { rows: EventRow[]; dropped: number; warned: Warned[] } {
    const { envelope } = opened;
    const rows: EventRow[] = [];
    let dropped = 0;
    let warned: Warned[] = NO_WARNINGS;
    const context = {
      projectId,
      now: request.receivedAt,
      clientIp: request.clientIp,
      anonymizesIps: projects.anonymizesIps(projectId),
      source: request.path,
      lookup: options.lookup,
      newId: newUuid,
    };
    for (let index = from; index < to; index++) {
      const normalized = opened.normalize(envelope.items[index]!, envelope, context);
      if (normalized.event === undefined) {
        addDrop(drops, normalized.dropped);
        dropped++;
      } else {
        rows.push(normalized.event);
        if (normalized.warnings !== null) {
          if (warned === NO_WARNINGS) warned = [];
          warned.push({ row: normalized.event, warnings: normalized.warnings });
        }
      }
    }
    return { rows, dropped, warned };
  }

  /** Stores a request of many events in one transaction, of which only a piece is normalized at a time. */
  function acceptLarge(raw: Raw, opened: OpenedRequest, projectId: number): void {
    const { items } = opened.envelope;
    const { path } = raw.request;
    let at = 0;
    let drops: DropRun[] = [];
    /** Warnings of rows that are not settled yet, and of those that are stored. */
    let judged: Warned[] = [];
    let warned: Warned[] = [];
    /** Libraries of the events, as runs that are alike. */
    let received: LibraryRun[] = [];
    let added: LibraryRun[] = [];
    let shown: EventRow[] = [];
    let counts = { stored: 0, dropped: 0 };
    const held = items.length * ROW_BYTES;
    const source: RowSource = {
      count: items.length,
      begin() {
        [at, drops, judged, warned, received, added, shown] = [0, [], [], [], [], [], []];
        counts = { stored: 0, dropped: 0 };
      },
      next() {
        if (at === items.length) return null;
        const to = Math.min(items.length, at + PIECE_EVENTS);
        const piece = judge(raw, opened, projectId, drops, at, to);
        at = to;
        counts.dropped += piece.dropped;
        judged = [...judged, ...piece.warned];
        for (const row of piece.rows) addLibrary(received, row);
        return piece.rows;
      },
      added(fresh) {
        counts.stored += fresh.length;
        for (const row of fresh) addLibrary(added, row);
        for (const one of onlyOf(fresh, judged)) warned.push(one);
        judged = [];
        shown = [...shown, ...fresh.slice(-SHOWN_EVENTS)].slice(-SHOWN_EVENTS);
      },
    };
    raw.lane.decodedBytes += held;
    store.appendSource(source, (result) => {
      raw.lane.decodedBytes -= held;
      for (const run of drops) account.drop(projectId, path, run);
      stats.libraries(projectId, drops, 'received');
      stats.libraries(projectId, received, 'received');
      const arrival: Arrival = {
        raw,
        projectId,
        token: opened.envelope.token,
        rows: shown,
        warned,
        dropped: counts.dropped,
        reply: opened.reply,
      };
      if (result.outcome === 'unavailable') refuse(raw, fail('store_unavailable'), projectId, arrival.token);
      else {
        refuseRows(arrival, result.notStorable);
        account.show(projectId, shown, warned, 'stored', added);
        finish(arrival, counts.stored, result.duplicates, 0);
      }
      // Its rows are many, and nothing else may need their room for long.
      collectGarbage();
      void pump(raw.lane);
    });
  }

  /** Judges the events as always, so that their faults are reported, and drops those that would be stored. */
  async function acceptPaused(raw: Raw, opened: OpenedRequest, projectId: number): Promise<void> {
    const { envelope, reply } = opened;
    const drops: DropRun[] = [];
    try {
      for (let from = 0; from < envelope.items.length; from += PIECE_EVENTS) {
        if (from > 0) await new Promise(setImmediate);
        const to = Math.min(envelope.items.length, from + PIECE_EVENTS);
        for (const { uuid, event, lib, libVersion } of judge(raw, opened, projectId, drops, from, to).rows) {
          addDrop(drops, { reason: 'paused', event, lib, libVersion });
          reply?.notStored(uuid, 'paused');
        }
      }
      for (const run of drops) account.drop(projectId, raw.request.path, run);
      stats.libraries(projectId, drops, 'received');
      const dropped = envelope.items.length;
      finish({ raw, projectId, token: envelope.token, rows: [], warned: [], dropped, reply }, 0, 0, 0);
    } catch (error) {
      refuse(raw, error, projectId, envelope.token);
    }
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
    // Other senders are answered as if they were stored.
    if (arrival.raw.request.imported !== undefined)
      for (const { uuid } of rows) arrival.reply?.notStored(uuid, 'inspected');
    finish(arrival, 0, 0, rows.length);
  }

  function settle(arrival: Arrival, result: Appended): void {
    const { raw, projectId } = arrival;
    if (result.outcome === 'unavailable') {
      refuse(raw, fail('store_unavailable'), projectId, arrival.token);
      return;
    }
    refuseRows(arrival, result.notStorable);
    // Events of the past are no news to those who watch.
    const shown = raw.request.imported === undefined ? result.stored : [];
    account.show(projectId, shown, onlyOf(result.stored, arrival.warned), 'stored', result.stored);
    finish(arrival, result.stored.length, result.duplicates, 0);
  }

  /** Accounts for rows that the store cannot take. */
  function refuseRows(arrival: Arrival, rows: readonly EventRow[]): void {
    for (const { uuid, event, lib, libVersion } of rows) {
      const run: DropRun = { reason: 'not_storable', event, lib, libVersion, count: 1 };
      account.drop(arrival.projectId, arrival.raw.request.path, run);
      arrival.reply?.notStored(uuid, 'not_storable');
      arrival.dropped++;
    }
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
      for (const { request, bytes } of requests) {
        const lane = request.isOwn || plainBytes(bytes) >= LARGE_BYTES ? lanes.large : lanes.small;
        lane.waiting.push({ request, bytes, lease, lane });
      }
      void pump(lanes.small);
      void pump(lanes.large);
    },
    async finish() {
      if (open > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
  };
}

function newLane(): IntakeLane {
  return { waiting: [], next: 0, decodedBytes: 0, isPumping: false };
}

/** The warned events among those that are new: about a repetition was warned when it was stored. */
function onlyOf(fresh: readonly EventRow[], warned: readonly Warned[]): readonly Warned[] {
  if (warned.length === 0) return warned;
  const rows = new Set(fresh);
  return warned.filter(({ row }) => rows.has(row));
}

/** Adds an event to the last run of the library, or begins the next. */
function addLibrary(runs: LibraryRun[], { lib, libVersion }: EventRow): void {
  const last = runs.at(-1);
  if (last?.lib === lib && last.libVersion === libVersion) last.count++;
  else runs.push({ lib, libVersion, count: 1 });
}

function sizeOf(rows: readonly EventRow[]): number {
  let size = 0;
  for (const { properties } of rows) {
    size +=
      ROW_BYTES + (typeof properties === 'string' ? properties.length : properties.end - properties.start);
  }
  return size;
}
