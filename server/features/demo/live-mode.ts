import { ApiError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Capture } from '../capture/index.ts';
import type { CapturePause } from '../capture-pause/index.ts';
import type { DemoLiveJson } from './demo.contract.ts';
import {
  createLivePlayer,
  DAY_MS,
  PERIOD_DAYS,
  readVisits,
  type LiveOrder,
  type LivePlayer,
  type VisitOrder,
} from './live-events.ts';

const TICK_MS = 1000;
/** Milliseconds after which requests get their turn. */
const TURN_MS = 10;
/** What the Ingestion screen shows as the path of the events. */
const PATH = '/api/burrow/demo/';

/** Projects with demo data whose events keep coming. */
export interface LiveMode {
  /** Takes the place of what the project has so far. */
  start(project: LiveProject, order: LiveOrder): void;
  stop(projectId: number): void;
  /** Stops those of deleted projects. */
  stopDeleted(isThere: (projectId: number) => boolean): void;
  /** Null: no events are added. */
  of(projectId: number): DemoLiveJson | null;
  close(): void;
}

interface LiveProject extends Omit<VisitOrder, 'from'> {
  id: number;
  token: string;
}

export interface LiveModeParts {
  capture: Pick<Capture, 'store'>;
  capturePause: Pick<CapturePause, 'current'>;
  clock: Clock;
  log: Log;
}

interface Live {
  readonly project: LiveProject;
  readonly order: LiveOrder;
  readonly since: number;
  readonly player: LivePlayer;
  readonly timer: NodeJS.Timeout;
  isReading: boolean;
  /** Where each sort of visits goes on when it has run out, in Unix milliseconds. */
  readonly readTo: Record<'usual' | 'launch', number>;
  events: number;
  problem: string | null;
}

export function createLiveMode({ capture, capturePause, clock, log }: LiveModeParts): LiveMode {
  const lives = new Map<number, Live>();

  /** In slices: a whole year of visitors is read for the two weeks to come. */
  async function read(live: Live, kind: 'usual' | 'launch'): Promise<void> {
    live.isReading = true;
    const reading = readVisits({ ...live.project, from: live.readTo[kind] }, kind);
    let turnEnds = performance.now() + TURN_MS;
    for (;;) {
      const { done, value } = reading.next();
      if (done === true) {
        live.player.add(kind, value);
        break;
      }
      if (performance.now() <= turnEnds) continue;
      await new Promise(setImmediate);
      if (lives.get(live.project.id) !== live) return;
      turnEnds = performance.now() + TURN_MS;
    }
    live.readTo[kind] += PERIOD_DAYS * DAY_MS;
    live.isReading = false;
  }

  function tick(live: Live): void {
    // While capture is paused, events are answered as stored and are not.
    if (capturePause.current() !== null) return;
    const items = live.player.take(clock());
    if (items.length > 0) void send(live, items);
    const kind = live.player.wanted();
    if (kind !== null && !live.isReading) void read(live, kind);
  }

  async function send(live: Live, items: readonly string[]): Promise<void> {
    const { id, token } = live.project;
    try {
      await capture.store(
        Buffer.from(`{"api_key":${JSON.stringify(token)},"batch":[${items.join(',')}]}`),
        PATH,
      );
      live.events += items.length;
      live.problem = null;
    } catch (error) {
      live.problem = error instanceof ApiError ? error.message : 'Unexpected; see the server log.';
      if (!(error instanceof ApiError))
        log.error({ err: error, projectId: id }, 'Live events could not be stored');
    }
  }

  function stop(projectId: number): void {
    clearInterval(lives.get(projectId)?.timer);
    lives.delete(projectId);
  }

  return {
    start(project, order) {
      stop(project.id);
      const since = clock();
      const live: Live = {
        project,
        order,
        since,
        player: createLivePlayer(order, { start: since, seed: project.seed }),
        timer: setInterval(() => tick(live), TICK_MS).unref(),
        isReading: false,
        readTo: { usual: since, launch: since },
        events: 0,
        problem: null,
      };
      lives.set(project.id, live);
      tick(live);
    },
    stop,
    stopDeleted(isThere) {
      for (const id of lives.keys()) if (!isThere(id)) stop(id);
    },
    of(projectId) {
      const live = lives.get(projectId);
      if (live === undefined) return null;
      const { order, since, events, problem } = live;
      return {
        events_per_minute: order.eventsPerMinute,
        script: order.script,
        at: new Date(order.at).toISOString(),
        since: new Date(since).toISOString(),
        events,
        problem,
      };
    },
    close() {
      for (const id of lives.keys()) stop(id);
    },
  };
}
