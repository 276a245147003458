import type { IncomingMessage } from 'node:http';
import type { ServiceChannel } from '../../db/client.ts';
import { fail, type ApiError } from '../../errors.ts';
import { createByteGate, type ByteGate } from '../../http/byte-gate.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RawBody } from '../../http/read-body.ts';
import type { PublicRequest } from '../../http/public-route.ts';
import { createBodyPool, type BodyPool } from './body-pool.ts';
import type {
  CaptureResult,
  DoorKind,
  FromCapture,
  HeaderClaims,
  Knock,
  LiveEvent,
  LiveFilter,
  RawCapture,
  ToCapture,
} from './capture-messages.ts';
import type { LedgerReport } from './ledger.ts';
import type { StoreStats } from '../../warehouse/duckdb/event-store.ts';

/** Bytes of requests that are being received or wait for their commit, at most; beyond that: 503 with Retry-After. */
const QUEUE_LIMIT_BYTES = 100_663_296;
/** Bodies from this size on cross to the thread in a buffer of their own, smaller ones share one. */
const OWN_BUFFER_BYTES = 65_536;

export interface LiveSubscriber {
  projectId: number;
  filters: readonly LiveFilter[];
  onEvents: (events: readonly LiveEvent[], skipped: number) => void;
}

export interface Capture {
  readonly now: Clock;
  /** Where the bytes of bodies are counted. */
  readonly gate: ByteGate;
  /** Hands a body, already taken from the gate, to the store; `done` is called after its events are durable. */
  submit(arrival: Arriving, body: RawBody, done: Done): void;
  /** Notes a request that never reached the store, for the Ingestion screen. */
  knock(knock: Knock): void;
  /** Streams stored events until the returned function is called. */
  watch(subscriber: LiveSubscriber): () => void;
  report(projectId: number): Promise<CaptureReport>;
}

/** A request at a door of capture. */
export interface Arriving {
  request: PublicRequest;
  kind: DoorKind;
  /** What its headers say; null at doors whose bodies name the key. */
  claims: HeaderClaims | null;
}

/** Gets the refusal, or null and the body of the answer where the door has none of its own. */
export type Done = (refusal: ApiError | null, body: string | null) => void;

export interface CaptureReport {
  ledger: LedgerReport;
  store: StoreStats;
  waitingRows: number;
  queue: { bytes: number; limitBytes: number };
}

/** The HTTP side of capture: gathers the requests of one turn of the loop into one message to the store's thread. */
export function createCapture(channel: ServiceChannel, clock: Clock): Capture {
  const gate = createByteGate(QUEUE_LIMIT_BYTES);
  const pool = createBodyPool();
  const waiting = new Map<number, { bytes: number; done: Done }>();
  const subscribers = new Map<number, LiveSubscriber>();
  let outbox: { request: RawCapture; body: RawBody }[] = [];
  let nextId = 1;
  let nextSubscriber = 1;

  const send = (message: ToCapture, transfer?: readonly ArrayBuffer[]): void =>
    channel.post(message, transfer);

  function flush(): void {
    const { bodies, requests } = pack(outbox, pool);
    outbox = [];
    send({ kind: 'requests', bodies, requests }, bodies);
  }

  function settle(result: CaptureResult): void {
    const waiter = waiting.get(result.id);
    if (waiter === undefined) return;
    waiting.delete(result.id);
    gate.release(waiter.bytes);
    waiter.done(result.refusal === null ? null : refusalOf(result.refusal), result.body);
  }

  channel.onPost(((message: FromCapture) => {
    if (message.kind === 'results') {
      message.results.forEach(settle);
      pool.giveBack(message.bodies);
    } else subscribers.get(message.id)?.onEvents(message.events, message.skipped);
  }) as (message: never) => void);

  return {
    now: clock,
    gate,
    submit(arrival, body, done) {
      const id = nextId++;
      waiting.set(id, { bytes: body.bytes, done });
      if (outbox.length === 0) setImmediate(flush);
      outbox.push({ request: rawCapture(id, arrival), body });
    },
    knock: (knock) => send({ kind: 'knock', knock }),
    watch(subscriber) {
      const id = nextSubscriber++;
      subscribers.set(id, subscriber);
      send({ kind: 'subscribe', id, projectId: subscriber.projectId, filters: subscriber.filters });
      return () => {
        subscribers.delete(id);
        send({ kind: 'unsubscribe', id });
      };
    },
    async report(projectId) {
      const report = await channel.call<Omit<CaptureReport, 'queue'>>({ kind: 'report', projectId });
      return { ...report, queue: { bytes: gate.held, limitBytes: gate.limit } };
    },
  };
}

function rawCapture(id: number, { request, kind, claims }: Arriving): RawCapture {
  const { headers } = request.req;
  return {
    id,
    body: 0,
    offset: 0,
    length: 0,
    kind,
    claims,
    method: request.method,
    path: request.path,
    search: request.search,
    contentType: headers['content-type'] ?? '',
    contentEncoding: headers['content-encoding'] ?? '',
    clientIp: request.clientIp,
    origin: originOf(request.req),
    receivedAt: request.receivedAt,
  };
}

/** Copies bodies out of the sockets' pooled memory: small ones together, large ones each into a buffer of its own. */
function pack(
  entries: readonly { request: RawCapture; body: RawBody }[],
  pool: BodyPool,
): {
  bodies: ArrayBuffer[];
  requests: RawCapture[];
} {
  const small = entries.reduce((sum, { body }) => sum + (body.bytes < OWN_BUFFER_BYTES ? body.bytes : 0), 0);
  const shared = new Uint8Array(pool.take(small));
  const bodies: ArrayBuffer[] = [shared.buffer];
  let used = 0;
  for (const { request, body } of entries) {
    let target = shared;
    let offset = used;
    if (body.bytes >= OWN_BUFFER_BYTES) {
      target = new Uint8Array(pool.take(body.bytes));
      offset = 0;
      request.body = bodies.push(target.buffer as ArrayBuffer) - 1;
    } else used += body.bytes;
    request.offset = offset;
    request.length = body.bytes;
    for (const piece of body.pieces) {
      target.set(piece, offset);
      offset += piece.length;
    }
  }
  return { bodies, requests: entries.map(({ request }) => request) };
}

function refusalOf(refusal: NonNullable<CaptureResult['refusal']>): ApiError {
  const { name, detail, retryAfter } = refusal;
  const wait = name === 'store_unavailable' ? '1' : retryAfter;
  return fail(name, { detail, headers: wait === null ? {} : { 'Retry-After': wait } });
}

/** The Origin of a browser's request, or null. */
export function originOf(req: IncomingMessage): string | null {
  return req.headers.origin ?? null;
}
