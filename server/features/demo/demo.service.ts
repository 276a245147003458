import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Capture } from '../capture/index.ts';
import type { CapturePause } from '../capture-pause/index.ts';
import type { DemoFacts, Project, Projects } from '../projects/index.ts';
import { appStory } from './app.ts';
import { createObjects, QUESTION_ID, type ObjectParts } from './create-objects.ts';
import type { DemoKind, DemoLiveBody, DemoProjectJson, DemoSize } from './demo.contract.ts';
import { createLiveMode } from './live-mode.ts';
import type { Surveys } from '../surveys/index.ts';
import { saasStory } from './saas.ts';
import { shopStory } from './shop.ts';
import { liveThrough, type Story } from './story.ts';
import { timelineTo } from './timeline.ts';

/** Bytes of a batch: large ones take a lane of their own in the store thread, so that other senders need not wait. */
const BATCH_BYTES = 1_200_000;
/** Batches that wait for their commit, so that the store thread always has one. */
const MAX_WAITING = 3;
/** Milliseconds after which requests get their turn. */
const TURN_MS = 10;
/** What the Ingestion screen shows as the path of the events. */
const PATH = '/api/burrow/demo/';

export const STORIES: Readonly<Record<DemoKind, Story>> = { saas: saasStory, shop: shopStory, app: appStory };

export interface DemoOrder {
  kind: DemoKind;
  size: DemoSize;
  seed: number;
}

/** Projects with demo data. */
export interface Demo {
  /** Those that the actor may enter. */
  list(actor: Actor): Promise<DemoProjectJson[]>;
  /** Throws not_found for a project of another kind. */
  find(actor: Actor, projectId: number): Promise<Project>;
  /** Creates the project and its objects, and goes on with its events. Throws conflict while another one is created. */
  create(actor: Actor, order: DemoOrder): Promise<DemoProjectJson>;
  /** Ends what is being created, and deletes the project. */
  remove(actor: Actor, projectId: number): Promise<void>;
  /** Lets events come from now on, until `stopLive` or the end of the server. Throws conflict before the project is ready. */
  startLive(actor: Actor, projectId: number, body: DemoLiveBody): Promise<DemoProjectJson>;
  stopLive(projectId: number): void;
  close(): Promise<void>;
}

export interface DemoParts extends ObjectParts {
  projects: Projects;
  capture: Pick<Capture, 'store'>;
  capturePause: Pick<CapturePause, 'current'>;
  surveys: ObjectParts['surveys'] & Pick<Surveys, 'shownNow'>;
  clock: Clock;
  log: Log;
}

/** What is being created, or has failed. */
interface Job {
  readonly projectId: number;
  progress: number;
  events: number;
  problem: string | null;
  isCanceled: boolean;
  /** Never fails. */
  ended: Promise<void>;
}

type DemoProject = Project & { demo: DemoFacts };

export function createDemo(parts: DemoParts): Demo {
  const { projects, capture, capturePause, clock, log } = parts;
  const live = createLiveMode(parts);
  projects.onDelete(async () => live.stopDeleted((id) => projects.find(id) !== null));
  let job: Job | null = null;
  let isStarting = false;

  const isRunning = (): boolean => isStarting || (job !== null && job.problem === null);

  async function list(actor: Actor): Promise<DemoProject[]> {
    return (await projects.listFor(actor)).filter((project): project is DemoProject => project.demo !== null);
  }

  function jsonOf({ id, name, demo }: DemoProject): DemoProjectJson {
    const own = job?.projectId === id ? job : null;
    // A list reads from the database, and the job may have ended since it began.
    const { isComplete } = projects.find(id)?.demo ?? demo;
    return {
      id,
      name,
      kind: demo.kind as DemoKind,
      size: demo.size as DemoSize,
      seed: demo.seed,
      state:
        own !== null ? (own.problem === null ? 'creating' : 'failed') : isComplete ? 'ready' : 'incomplete',
      progress: own?.progress ?? (isComplete ? 1 : 0),
      events: own?.events ?? 0,
      problem: own?.problem ?? null,
      live: live.of(id),
    };
  }

  /** Writes the events of a year in batches, a few of which wait for their commit. */
  async function fill(
    own: Job,
    token: string,
    story: Story,
    order: DemoOrder & { now: number; surveyId: string; questionId: string },
  ): Promise<void> {
    let items: string[] = [];
    let bytes = 0;
    const waiting: Promise<void>[] = [];
    function send(): void {
      const [count, text] = [items.length, items.join(',')];
      [items, bytes] = [[], 0];
      const batch = Buffer.from(
        `{"api_key":${JSON.stringify(token)},"historical_migration":true,"batch":[${text}]}`,
      );
      const sent = capture.store(batch, PATH).then(() => void (own.events += count));
      // It is reported where it is awaited.
      sent.catch(() => undefined);
      waiting.push(sent);
    }
    const { size, seed, now, surveyId, questionId } = order;
    const take = (json: string): void => {
      bytes += json.length;
      items.push(json);
    };
    let turnEnds = performance.now() + TURN_MS;
    for (const share of liveThrough({ story, size, seed, now, ids: { surveyId, questionId }, take })) {
      if (bytes >= BATCH_BYTES) {
        // While capture is paused, events are answered as stored and are not.
        if (capturePause.current() !== null) throw fail('conflict', { detail: PAUSED });
        send();
        if (waiting.length > MAX_WAITING) await waiting.shift();
        own.progress = share;
      }
      if (performance.now() > turnEnds) {
        await new Promise(setImmediate);
        turnEnds = performance.now() + TURN_MS;
      }
      if (own.isCanceled) break;
    }
    if (items.length > 0 && !own.isCanceled) send();
    await Promise.all(waiting);
  }

  /** Ends with the last event, or with a problem that the console shows. */
  async function run(own: Job, actor: Actor, project: Project, order: DemoOrder): Promise<void> {
    const story = STORIES[order.kind];
    try {
      const now = clock();
      const ids = await createObjects(parts, {
        actor,
        projectId: project.id,
        content: story.content,
        timeline: timelineTo(now),
      });
      await fill(own, project.apiToken, story, { ...order, now, ...ids });
      if (own.isCanceled) return;
      await projects.completeDemo(project.id);
      log.info({ projectId: project.id, ...order, events: own.events }, 'Demo data was created');
      job = null;
    } catch (error) {
      own.problem = error instanceof ApiError ? error.message : 'Unexpected; see the server log.';
      if (!(error instanceof ApiError))
        log.error({ err: error, projectId: project.id }, 'Demo data could not be created');
    }
  }

  async function find(actor: Actor, projectId: number): Promise<DemoProject> {
    const found = (await list(actor)).find(({ id }) => id === projectId);
    if (found === undefined) throw fail('not_found');
    return found;
  }

  return {
    list: async (actor) => (await list(actor)).map(jsonOf),
    find,
    async create(actor, order) {
      if (isRunning())
        throw fail('conflict', {
          detail: 'Demo data is already being created. Wait until it is ready, or cancel it.',
        });
      if (capturePause.current() !== null) throw fail('conflict', { detail: PAUSED });
      isStarting = true;
      try {
        const demo = { ...order, isComplete: false };
        const project = (await projects.create(
          actor,
          { name: STORIES[order.kind].name },
          demo,
        )) as DemoProject;
        const own: Job = {
          projectId: project.id,
          progress: 0,
          events: 0,
          problem: null,
          isCanceled: false,
          ended: Promise.resolve(),
        };
        job = own;
        own.ended = run(own, actor, project, order);
        return jsonOf(project);
      } finally {
        isStarting = false;
      }
    },
    async remove(actor, projectId) {
      live.stop(projectId);
      const own = job?.projectId === projectId ? job : null;
      if (own !== null) {
        own.isCanceled = true;
        await own.ended;
        job = null;
      }
      await projects.delete(actor, projectId);
    },
    async startLive(actor, projectId, { events_per_minute: eventsPerMinute, script, at }) {
      const project = await find(actor, projectId);
      if (jsonOf(project).state !== 'ready')
        throw fail('conflict', { detail: 'The demo data is not complete, so no events can be added to it.' });
      if (capturePause.current() !== null) throw fail('conflict', { detail: PAUSED });
      const { id, apiToken: token, demo } = project;
      const ids = { surveyId: parts.surveys.shownNow(id)[0]?.id ?? '', questionId: QUESTION_ID };
      const { size, seed } = demo as DemoOrder;
      const story = STORIES[demo.kind as DemoKind];
      const moment = at === undefined || at === null ? clock() : Date.parse(at);
      // It may have been deleted since it was read.
      if (projects.find(id) === null) throw fail('not_found');
      live.start({ id, token, story, size, seed, ids }, { eventsPerMinute, script, at: moment });
      return jsonOf(project);
    },
    stopLive: live.stop,
    async close() {
      live.close();
      if (job === null) return;
      job.isCanceled = true;
      await job.ended;
    },
  };
}

const PAUSED = 'Capture is paused: resume it, so that the events of the demo data are stored.';
