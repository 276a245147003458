import type { IncomingMessage } from 'node:http';
import type { ServiceChannel } from '../../db/client.ts';
import { fail, type ApiError } from '../../errors.ts';
import { createByteGate, type ByteGate } from '../../http/byte-gate.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RawBody } from '../../http/read-body.ts';
import type { PublicRequest } from '../../http/public-route.ts';
import { createBodyPool } from './fast/body-pool.ts';
import type {
  CaptureResult,
  DoorKind,
  FromCapture,
  HeaderClaims,
  Imported,
  ImportedBatch,
  RejectedRequest,
  LiveEvent,
  LiveFilter,
  RequestForm,
  ToCapture,
} from './capture-messages.ts';
import type { IngestionStatsReport } from './ingestion-stats.ts';
import { packRequests, type Outgoing } from './fast/request-parcel.ts';
import { createWaitingList } from './waiting-list.ts';
import type { StoreStats } from '../../warehouse/duckdb/event-store.ts';

/** Bytes of requests that are being received or wait for their commit, at most; beyond that: 503 with Retry-After. */
const QUEUE_LIMIT_BYTES = 100_663_296;

export interface LiveSubscriber {
  projectId: number;
  filters: readonly LiveFilter[];
  onEvents: (events: readonly LiveEvent[], skipped: number) => void;
}

export interface Capture {
  readonly now: Clock;
  /** Where the bytes of bodies are counted. */
  readonly gate: ByteGate;
  /**
   * Sends a body, already reserved in the gate, to the store thread; `done` is called after its events are durable.
   */
  submit(arrival: Arriving, body: RawBody, done: Done): void;
  /**
   * Stores a batch that this server has written itself, as one that was sent to `path`; ends after its events are durable.
   * Waits while the queue is full. Batches are stored in the order of their calls.
   */
  store(batch: Buffer, path: string): Promise<void>;
  /** Stores a batch of imported events in the same way, each of which has a UUID. */
  storeImported(batch: Buffer, path: string, imported: Imported): Promise<ImportedBatch>;
  /** Records a request that never reached the store, for the Ingestion screen. */
  recordRejectedRequest(request: RejectedRequest): void;
  /** Streams stored events until the returned function is called. */
  watch(subscriber: LiveSubscriber): () => void;
  report(projectId: number): Promise<CaptureReport>;
  /** Events of all projects in about the last 60 seconds. */
  eventsPerMinute(): Promise<number>;
}

/** Milliseconds until a batch of this server looks again whether the queue has room. */
const RETRY_MS = 20;

/** A request to a capture endpoint. */
export interface Arriving {
  request: PublicRequest;
  kind: DoorKind;
  /** Header values; null for endpoints whose body has the key. */
  claims: HeaderClaims | null;
}

/** Called with the error, or with null and the response body if it is not the fixed one. */
export type Done = (refusal: ApiError | null, body: string | null) => void;

export interface CaptureReport {
  ingestion: IngestionStatsReport;
  store: StoreStats;
  waitingRows: number;
  queue: { bytes: number; limitBytes: number };
}

/** The HTTP side of capture: batches the requests of one event loop turn into one message to the store thread. */
export function createCapture(
  channel: ServiceChannel,
  clock: Clock,
  /** A damaged store accepts no event, even if it could still write it. */
  isDamaged: () => boolean,
  /** Without batches, each request is a message of its own. */
  { batches }: { batches: boolean },
): Capture {
  const gate = createByteGate(QUEUE_LIMIT_BYTES);
  const pool = createBodyPool();
  const waiting = createWaitingList<{ bytes: number; done: Done }>();
  const subscribers = new Map<number, LiveSubscriber>();
  let outbox: Outgoing[] = [];
  let nextSubscriber = 1;

  const send = (message: ToCapture, transfer?: readonly ArrayBuffer[]): void =>
    channel.post(message, transfer);

  function flush(): void {
    const parcel = packRequests(outbox, pool);
    outbox = [];
    send({ kind: 'requests', parcel }, parcel.bodies);
  }

  function settle(id: number, refusal: CaptureResult['refusal'], body: string | null): void {
    const waiter = waiting.take(id);
    gate.release(waiter.bytes);
    waiter.done(refusal === null ? null : refusalOf(refusal), body);
  }

  channel.onPost(((message: FromCapture) => {
    if (message.kind === 'results') {
      for (const id of message.taken) settle(id, null, null);
      for (const { id, refusal, body } of message.results) settle(id, refusal, body);
      pool.giveBack(message.bodies);
    } else subscribers.get(message.id)?.onEvents(message.events, message.skipped);
  }) as (message: never) => void);

  /** Sends a body that is reserved in the gate. */
  function submit(form: RequestForm, receivedAt: number, body: RawBody, done: Done): void {
    if (isDamaged()) {
      gate.release(body.bytes);
      return done(
        refusalOf({
          name: 'store_unavailable',
          detail: 'The database is damaged: events are rejected until it is restored from a backup.',
          retryAfter: null,
        }),
        null,
      );
    }
    const id = waiting.add({ bytes: body.bytes, done });
    outbox.push({ id, form, receivedAt, body });
    if (!batches) flush();
    else if (outbox.length === 1) setImmediate(flush);
  }

  /** Ends when the batch before has room: later events may say more of a person than earlier ones. */
  let turn: Promise<void> = Promise.resolve();

  async function takeRoom(bytes: number): Promise<void> {
    while (!gate.tryTake(bytes)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }

  async function storeOwn(batch: Buffer, form: RequestForm): Promise<string | null> {
    turn = turn.then(() => takeRoom(batch.length));
    await turn;
    return await new Promise((resolve, reject) => {
      submit(form, clock(), { pieces: [batch], bytes: batch.length }, (refusal, body) =>
        refusal === null ? resolve(body) : reject(refusal),
      );
    });
  }

  return {
    now: clock,
    gate,
    submit: (arrival, body, done) => submit(formOf(arrival), arrival.request.receivedAt, body, done),
    store: async (batch, path) => void (await storeOwn(batch, { ...OWN_FORM, path })),
    storeImported: async (batch, path, imported) =>
      JSON.parse((await storeOwn(batch, { ...OWN_FORM, path, imported }))!) as ImportedBatch,
    recordRejectedRequest: (request) => send({ kind: 'rejected', request }),
    watch(subscriber) {
      const id = nextSubscriber++;
      subscribers.set(id, subscriber);
      send({ kind: 'subscribe', id, projectId: subscriber.projectId, filters: subscriber.filters });
      return () => {
        subscribers.delete(id);
        send({ kind: 'unsubscribe', id });
      };
    },
    eventsPerMinute: () => channel.call<number>({ kind: 'capture.rate' }),
    async report(projectId) {
      const report = await channel.call<Omit<CaptureReport, 'queue'>>({ kind: 'report', projectId });
      return { ...report, queue: { bytes: gate.held, limitBytes: gate.limit } };
    },
  };
}

/** A plain batch from no address. */
const OWN_FORM: Omit<RequestForm, 'path'> = {
  kind: 'capture',
  claims: null,
  method: 'POST',
  search: '',
  contentType: 'application/json',
  contentEncoding: '',
  clientIp: '',
  origin: null,
  isOwn: true,
};

function formOf({ request, kind, claims }: Arriving): RequestForm {
  const { headers } = request.req;
  return {
    kind,
    claims,
    method: request.method,
    path: request.path,
    search: request.search,
    contentType: headers['content-type'] ?? '',
    contentEncoding: headers['content-encoding'] ?? '',
    clientIp: request.clientIp,
    origin: originOf(request.req),
  };
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
