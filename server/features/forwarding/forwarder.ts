import type { ServiceChannel } from '../../db/client.ts';
import type { Analytics, Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { hostAndPort } from '../../outgoing/call-outside.ts';
import { readCounter, type ChangeCounter } from '../../warehouse/duckdb/change-counter.ts';
import type { CallResult, Outgoing } from '../outgoing/index.ts';
import { batchText } from './forwarded-batch.ts';
import {
  findTarget,
  listTargets,
  listWaiting,
  saveProgress,
  saveTrouble,
  type ForwardingTarget,
} from './forwarding.store.ts';

/** Milliseconds between two looks for new events. */
const LOOK_MS = 1_000;
/** Events of one request, and about how many bytes of properties. */
const BATCH_EVENTS = 1_000;
const BATCH_BYTES = 2_000_000;
/** Milliseconds before the second try, which double with each further one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
const RATE_MS = 60_000;
const TOO_LARGE = 413;

/** What is not kept over a restart. */
export interface SendingNow {
  readonly isSending: boolean;
  /** Unix milliseconds; null: no try has failed. */
  readonly nextTryAt: number | null;
  readonly eventsPerMinute: number;
}

/** Sends stored events to the hosts of their projects, each project in the order of its commits. */
export interface Forwarder {
  start(): Promise<void>;
  /** Tries now, whatever failed before, and ends when all is sent or cannot be. */
  runDue(): Promise<void>;
  now(projectId: number): SendingNow;
  /** Changes the target of a project while nothing is sent to it. */
  change<T>(projectId: number, work: () => Promise<T>): Promise<T>;
  /** Of a deleted project. */
  forget(projectId: number): Promise<void>;
  projectIds(): number[];
  close(): Promise<void>;
}

/** The sending of one project. */
interface Sending {
  target: ForwardingTarget;
  /** Events of the next request; fewer after one that was too large. */
  limit: number;
  failures: number;
  /** Moment of the monotonic clock before which nothing is tried. */
  notBefore: number;
  nextTryAt: number | null;
  /** Events of requests that arrived, by the monotonic clock. */
  arrived: { at: number; events: number }[];
  /** The store's counter of changes before a look that found nothing to send. */
  doneAt: bigint | null;
  stopping: AbortController;
  running: Promise<void> | null;
}

export interface ForwarderParts {
  db: Db;
  analytics: Pick<Analytics, 'all'>;
  channel: ServiceChannel;
  outgoing: Pick<Outgoing, 'isOn' | 'sendCompressed'>;
  clock: Clock;
  log: Log;
}

export function createForwarder({ db, analytics, channel, outgoing, clock, log }: ForwarderParts): Forwarder {
  /** Of changes in the store; null until something is forwarded. */
  let counter: ChangeCounter | null = null;
  const all = new Map<number, Sending>();
  /** Changes of a target, of which no two run together. */
  const changing = new Map<number, Promise<unknown>>();
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function keep(target: ForwardingTarget): void {
    all.set(target.projectId, {
      target,
      limit: BATCH_EVENTS,
      failures: 0,
      notBefore: -Infinity,
      nextTryAt: null,
      arrived: all.get(target.projectId)?.arrived ?? [],
      doneAt: null,
      stopping: new AbortController(),
      running: null,
    });
  }

  /** No timer runs while nothing is forwarded. */
  function arm(): void {
    if (!isClosed && all.size > 0) timer ??= setInterval(look, LOOK_MS).unref();
    else if (timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  }

  function look(): void {
    const now = performance.now();
    const changes = counter && readCounter(counter);
    for (const sending of all.values()) {
      const isDone = sending.doneAt !== null && sending.doneAt === changes;
      if (now >= sending.notBefore && !isDone) void begin(sending);
    }
  }

  function begin(sending: Sending): Promise<void> {
    sending.running ??= sendAll(sending)
      .catch((error: unknown) => {
        if (sending.stopping.signal.aborted) return;
        log.error({ err: error, projectId: sending.target.projectId }, 'Events could not be forwarded');
        delay(sending);
      })
      .finally(() => (sending.running = null));
    return sending.running;
  }

  async function sendAll(sending: Sending): Promise<void> {
    const { signal } = sending.stopping;
    const maySend = () => !signal.aborted && sending.target.paused === null && outgoing.isOn('forwarding');
    counter ??= await channel.call<ChangeCounter>({ kind: 'store.counter' });
    while (maySend()) {
      const { projectId, position, host, apiKey } = sending.target;
      const page = { projectId, position, limit: sending.limit, bytes: BATCH_BYTES };
      const changes = readCounter(counter);
      const rows = await listWaiting(analytics, page);
      if (rows.length === 0) sending.doneAt = changes;
      if (rows.length === 0 || !maySend()) return;
      const events = rows.filter((row) => row.event !== null);
      let result: CallResult | null = null;
      if (events.length > 0) {
        const text = batchText(apiKey, events);
        result = await outgoing.sendCompressed('forwarding', `${host}/batch/`, text, signal);
      }
      const isTooLarge = result?.status === TOO_LARGE;
      if (isTooLarge && events.length > 1) {
        sending.limit = Math.max(1, events.length >> 1);
        continue;
      }
      if (result !== null && result.problem !== null && !isTooLarge)
        // A call that was given up here says nothing about the host.
        return maySend() ? await fail(sending, result) : undefined;
      const count = { sent: isTooLarge ? 0 : events.length, leftOut: isTooLarge ? 1 : 0 };
      await advance(sending, rows.at(-1)!.seq, count);
    }
  }

  /** Before the next batch is read: a batch whose note is missing is sent again, and the receiver recognizes its UUIDs. */
  async function advance(
    sending: Sending,
    position: number,
    { sent, leftOut }: { sent: number; leftOut: number },
  ): Promise<void> {
    const { target } = sending;
    const now = clock();
    await db.transaction((tx) =>
      saveProgress(tx, { projectId: target.projectId, position, sent, leftOut, now }),
    );
    sending.target = {
      ...target,
      position,
      sent: target.sent + sent,
      leftOut: target.leftOut + leftOut,
      problem: null,
      lastSentAt: sent > 0 ? new Date(now).toISOString() : target.lastSentAt,
    };
    if (target.problem !== null) log.info({ projectId: target.projectId }, 'Forwarding goes on');
    if (leftOut > 0)
      log.warn({ projectId: target.projectId }, 'An event was too large for the host it is forwarded to');
    sending.limit = Math.min(BATCH_EVENTS, sending.limit * 2);
    [sending.failures, sending.nextTryAt, sending.notBefore] = [0, null, -Infinity];
    recent(sending).push({ at: performance.now(), events: sent });
  }

  /** What arrived within the last minute; the rest is forgotten. */
  function recent(sending: Sending): Sending['arrived'] {
    const since = performance.now() - RATE_MS;
    return (sending.arrived = sending.arrived.filter(({ at }) => at > since));
  }

  function delay(sending: Sending): void {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** sending.failures);
    sending.failures++;
    sending.notBefore = performance.now() + pause;
    sending.nextTryAt = clock() + pause;
  }

  /** Tries again later, or stops where another try would end the same way. */
  async function fail(sending: Sending, result: CallResult): Promise<void> {
    const { target } = sending;
    const problem = problemOf(result);
    const paused = result.isFinal ? ('refused' as const) : null;
    if (paused === null) delay(sending);
    if (problem === target.problem && paused === target.paused) return;
    await db.transaction((tx) => saveTrouble(tx, { projectId: target.projectId, paused, problem }));
    sending.target = { ...target, paused, problem };
    log.warn({ projectId: target.projectId, host: hostAndPort(target.host), problem }, 'Forwarding failed');
  }

  async function stop(projectId: number): Promise<void> {
    const sending = all.get(projectId);
    if (sending === undefined) return;
    sending.stopping.abort();
    await sending.running;
  }

  async function changeAlone<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    await stop(projectId);
    try {
      return await work();
    } finally {
      const target = await findTarget(db, projectId);
      if (target === null) all.delete(projectId);
      else keep(target);
      arm();
    }
  }

  return {
    async start() {
      for (const target of await listTargets(db)) keep(target);
      arm();
    },
    async runDue() {
      await Promise.all([...all.values()].map(begin));
    },
    now(projectId) {
      const sending = all.get(projectId);
      if (sending === undefined) return { isSending: false, nextTryAt: null, eventsPerMinute: 0 };
      return {
        isSending: sending.running !== null,
        nextTryAt: sending.nextTryAt,
        eventsPerMinute: recent(sending).reduce((sum, { events }) => sum + events, 0),
      };
    },
    async change(projectId, work) {
      const before = changing.get(projectId) ?? Promise.resolve();
      const own = before.then(() => changeAlone(projectId, work));
      const ended = own.catch(() => undefined);
      changing.set(projectId, ended);
      void ended.then(() => changing.get(projectId) === ended && changing.delete(projectId));
      return await own;
    },
    async forget(projectId) {
      await stop(projectId);
      all.delete(projectId);
      arm();
    },
    projectIds: () => [...all.keys()],
    async close() {
      isClosed = true;
      arm();
      await Promise.all([...all.keys()].map(stop));
    },
  };
}

/** What to do about it, where the status says it. */
export function problemOf({ status, problem }: CallResult): string {
  if (status === 401 || status === 403)
    return `The host refused the project API key (status ${status}). Enter the key of the project there.`;
  if (status === 404) return 'The host has no PostHog API at this address (status 404). Check the address.';
  if (status === 400) return 'The host refused the events (status 400). Check that it is PostHog or Burrow.';
  return problem!;
}
