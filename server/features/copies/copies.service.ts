import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import { sendLocally, textOf } from '../../http/local-request.ts';
import { sessionCookieName } from '../../http/session.ts';
import type { NewActivity } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { OutsideError, readOutsideUrl } from '../../outgoing/call-outside.ts';
import type { Console } from '../console/index.ts';
import type { Imports } from '../imports/index.ts';
import type { Outgoing } from '../outgoing/index.ts';
import type { Projects } from '../projects/index.ts';
import {
  deleteCopiesOf,
  deleteCopy,
  findCopy,
  findEarlier,
  insertCopy,
  interruptCopies,
  listCopies,
  listProjects,
  saveCopy,
  type StoredCopy,
} from './copies.store.ts';
import { downloadEvents } from './download-events.ts';
import { newState } from './copy-state.ts';
import { CopyError, createHostClient, NoAnswer, type HostCall, type HostClient } from './host-client.ts';
import { runCopy } from './run-copy.ts';

/** Of an answer: a page of large events is large. */
const MAX_ANSWER_BYTES = 67_108_864;
/** PostHog takes bodies up to this size. */
const MAX_BODY_BYTES = 20_000_000;
/** Queries of a host may take long. */
const LIMIT_MS = 90_000;
const CLOSE_MS = 10_000;

/** Where this server answers itself. */
export interface OwnAddress {
  host: string;
  port: number;
}

export interface Keys {
  hostApiKey: string;
  /** null: events come from the host. */
  projectKey: string | null;
}

export interface CopyOrder extends Keys {
  direction: StoredCopy['direction'];
  host: string;
  hostProject: number | null;
  isDryRun: boolean;
}

export interface Copies {
  list(projectId: number): Promise<StoredCopy[]>;
  /** Throws not_found. */
  find(projectId: number, id: string): Promise<StoredCopy>;
  /** Begins to copy the project to or from a host; it goes on after the answer. Throws conflict while another copy runs. */
  begin(actor: Actor, project: ProjectRef, order: CopyOrder, own: OwnAddress): Promise<StoredCopy>;
  resume(
    actor: Actor,
    project: ProjectRef,
    found: StoredCopy,
    keys: Keys,
    own: OwnAddress,
  ): Promise<StoredCopy>;
  cancel(found: StoredCopy): Promise<StoredCopy>;
  /** Ends it; what was copied stays. */
  remove(found: StoredCopy): Promise<void>;
  /** Marks what the end of the last process has broken off. */
  markInterrupted(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyParts {
  db: Db;
  projects: Pick<Projects, 'find' | 'onDelete'>;
  console: Pick<Console, 'openSession' | 'signOut'>;
  outgoing: Pick<Outgoing, 'isOn' | 'request'>;
  imports: Pick<
    Imports,
    'download' | 'find' | 'addDownloaded' | 'endDownload' | 'start' | 'cancel' | 'remove'
  >;
  record: (tx: Statements, activity: NewActivity) => Promise<void>;
  clock: Clock;
  newId: NewId;
  log: Log;
}

interface Job {
  copy: StoredCopy;
  end: AbortController;
  stop: 'cancel' | 'close' | null;
  ended: Promise<void>;
}

const ENDED = 'Burrow was closed while it ran. Resume it with the keys.';
const OFF = {
  to_host: 'Copying to a host is turned off in Settings > Privacy.',
  from_host: 'Importing from a host is turned off in Settings > Privacy.',
};
const PURPOSE = { to_host: 'graduate', from_host: 'import_from_host' } as const;

export function createCopies(parts: CopyParts): Copies {
  const { db, projects, console, outgoing, imports, record, clock, newId, log } = parts;
  const isoNow = (): string => new Date(clock()).toISOString();
  let job: Job | null = null;
  /** Between the look for another copy and the beginning of this one. */
  let isBeginning = false;

  const shown = (stored: StoredCopy): StoredCopy => (job?.copy.id === stored.id ? job.copy : stored);

  async function find(projectId: number, id: string): Promise<StoredCopy> {
    const found = await findCopy(db, projectId, id);
    if (found === null) throw fail('not_found');
    return shown(found);
  }

  function hostOf(text: string): string {
    try {
      return readOutsideUrl(text).origin;
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      throw fail('invalid_input', { attr: 'host', detail: error.message });
    }
  }

  /** The other side: only what its purpose allows, with the key of the user. */
  function remoteClient(
    { direction, host }: StoredCopy,
    projectId: string,
    { hostApiKey, projectKey }: Keys,
    signal: AbortSignal,
  ): HostClient {
    const call: HostCall = async ({ method, path, headers, body }) => {
      try {
        return await outgoing.request(PURPOSE[direction], {
          url: host + path,
          method,
          headers,
          body,
          signal,
          limitMs: LIMIT_MS,
          maxBodyBytes: MAX_BODY_BYTES,
          maxAnswerBytes: MAX_ANSWER_BYTES,
        });
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error;
        signal.throwIfAborted();
        const message = `${host}: ${error.message}`;
        throw error.isFinal ? new CopyError(message) : new NoAnswer(message);
      }
    };
    const headers = { Authorization: `Bearer ${hostApiKey}` };
    return createHostClient({ name: host, call, projectId, headers, projectKey, signal, clock });
  }

  /** This server, by its own API and with the rights of the user. */
  function localClient(
    project: ProjectRef,
    session: string,
    { host, port }: OwnAddress,
    signal: AbortSignal,
  ): HostClient {
    const call: HostCall = async ({ method, path, headers, body }) => {
      try {
        const answer = await sendLocally({
          host,
          port,
          path,
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: body === '' ? undefined : body,
          signal,
        });
        const text = (await textOf(answer, MAX_ANSWER_BYTES)) ?? '';
        return { status: answer.statusCode!, retryAfter: answer.headers['retry-after'] ?? null, text };
      } catch (error) {
        signal.throwIfAborted();
        throw new NoAnswer(`This server did not answer: ${(error as Error).message}`);
      }
    };
    const headers = { Cookie: `${sessionCookieName(port)}=${session}` };
    const projectKey = project.apiToken;
    return createHostClient({
      name: 'This server',
      call,
      projectId: project.id,
      headers,
      projectKey,
      signal,
      clock,
    });
  }

  /** Checks that both keys are of one project, and returns its id. Throws CopyError. */
  async function projectOf(copy: StoredCopy, keys: Keys, signal: AbortSignal): Promise<string> {
    const found = (await remoteClient(copy, copy.hostProject, keys, signal).get('')) as {
      id?: unknown;
      api_token?: unknown;
    };
    if (found.api_token !== keys.projectKey)
      throw new CopyError(
        `The project key is not that of project ${String(found.id)} at ${copy.host}. Name the project that it belongs to.`,
      );
    return String(found.id);
  }

  async function run(
    own: Job,
    actor: Actor,
    project: ProjectRef,
    keys: Keys,
    address: OwnAddress,
  ): Promise<void> {
    const { signal } = own.end;
    const session = console.openSession(actor.user.id);
    const save = async (): Promise<void> => {
      await saveCopy(db, own.copy);
      signal.throwIfAborted();
    };
    try {
      const { direction, isDryRun, importId } = own.copy;
      if (direction === 'to_host' && !isDryRun)
        own.copy.hostProject = await projectOf(own.copy, keys, signal);
      if (own.copy.progress.phase === 'start' && !isDryRun) {
        const earlier = await findEarlier(db, own.copy);
        if (earlier !== null) own.copy.progress.ids = earlier.progress.ids;
      }
      await save();
      const local = localClient(project, session, address, signal);
      const remote = remoteClient(own.copy, own.copy.hostProject, keys, signal);
      await runCopy({
        copyId: `burrow-copy-${own.copy.id}`,
        ...(direction === 'to_host' ? { source: local, target: remote } : { source: remote, target: local }),
        state: own.copy.progress,
        isDryRun,
        save,
        signal,
        ...(importId !== null && {
          copyEvents: (parts) => downloadEvents(parts, imports, { actor, project, importId }),
        }),
      });
    } finally {
      console.signOut(session);
    }
  }

  async function finish(own: Job, running: Promise<void>): Promise<void> {
    const { copy } = own;
    let state: StoredCopy['state'] = copy.isDryRun ? 'checked' : 'done';
    let problem: string | null = null;
    try {
      await running;
    } catch (error) {
      state = own.stop === 'cancel' ? 'canceled' : own.stop === 'close' ? 'interrupted' : 'failed';
      if (own.stop === 'close') problem = ENDED;
      else if (own.stop === null)
        problem = error instanceof CopyError ? error.message : 'Unexpected; see the server log.';
      if (own.stop === null && !(error instanceof CopyError))
        log.error({ err: error, id: copy.id }, 'A copy failed');
    }
    try {
      // Until this is kept it counts as running, so that the next one does not begin beside it.
      await saveCopy(db, { ...copy, state, problem, finishedAt: isoNow() });
    } catch (error) {
      log.error({ err: error, id: copy.id }, 'The end of a copy could not be kept');
    } finally {
      if (job === own) job = null;
    }
    const { phase, copied } = copy.progress;
    log.info({ id: copy.id, state, phase, events: copied.events }, 'A copy has ended');
  }

  function start(
    actor: Actor,
    project: ProjectRef,
    copy: StoredCopy,
    keys: Keys,
    address: OwnAddress,
  ): StoredCopy {
    const own: Job = { copy, end: new AbortController(), stop: null, ended: Promise.resolve() };
    job = own;
    own.ended = finish(own, run(own, actor, project, keys, address));
    return copy;
  }

  function checkFree(): void {
    if (job !== null || isBeginning)
      throw fail('conflict', { detail: 'Another copy is running. Wait until it has ended.' });
  }

  function checkIsOn(direction: StoredCopy['direction']): void {
    if (!outgoing.isOn(PURPOSE[direction])) throw fail('conflict', { detail: OFF[direction] });
  }

  async function note(actor: Actor, project: ProjectRef, { host, direction }: StoredCopy): Promise<void> {
    await record(db, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: project.id,
      userId: actor.user.id,
      activity: direction === 'to_host' ? `copied to ${host}` : `copied from ${host}`,
      scope: 'Project',
      itemId: String(project.id),
      name: project.name,
    });
  }

  async function stop(id: string, how: 'cancel' | 'close'): Promise<void> {
    const own = job?.copy.id === id ? job : null;
    if (own === null) return;
    own.stop ??= how;
    own.end.abort();
    // A store that has failed answers nothing any more.
    await Promise.race([own.ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  }

  projects.onDelete(async () => {
    const own = job;
    if (own !== null && projects.find(own.copy.projectId) === null) await stop(own.copy.id, 'cancel');
    for (const projectId of await listProjects(db))
      if (projects.find(projectId) === null) await deleteCopiesOf(db, projectId);
  });

  return {
    list: async (projectId) => (await listCopies(db, projectId)).map(shown),
    find,
    async begin(actor, project, { direction, host, hostProject, isDryRun, ...keys }, address) {
      const origin = hostOf(host);
      // Only what is here can be counted without a call.
      if (!isDryRun || direction === 'from_host') checkIsOn(direction);
      checkFree();
      const now = isoNow();
      const copy: StoredCopy = {
        id: newId(),
        projectId: project.id,
        direction,
        host: origin,
        hostProject: hostProject === null ? CURRENT : String(hostProject),
        isDryRun,
        state: 'running',
        progress: newState(String(clock() * 1000)),
        problem: null,
        importId: null,
        createdBy: actor.user.id,
        createdAt: now,
        finishedAt: null,
      };
      isBeginning = true;
      try {
        if (direction === 'from_host' && !isDryRun)
          copy.importId = (await imports.download(actor, project, nameOf(copy))).id;
        await insertCopy(db, copy);
        start(actor, project, copy, keys, address);
      } finally {
        isBeginning = false;
      }
      if (!isDryRun) await note(actor, project, copy);
      return copy;
    },
    async resume(actor, project, found, keys, address) {
      checkIsOn(found.direction);
      if (found.direction === 'to_host' && keys.projectKey === null)
        throw fail('invalid_input', {
          attr: 'project_key',
          detail: 'The project key of the host is required.',
        });
      if (found.isDryRun || found.state === 'done' || found.state === 'running' || found.state === 'checked')
        throw fail('conflict', {
          detail: 'Only a copy that failed, was canceled or interrupted can be resumed.',
        });
      checkFree();
      return start(
        actor,
        project,
        { ...found, state: 'running', problem: null, finishedAt: null },
        keys,
        address,
      );
    },
    async cancel(found) {
      await stop(found.id, 'cancel');
      return await find(found.projectId, found.id);
    },
    async remove({ id }) {
      await stop(id, 'cancel');
      await deleteCopy(db, id);
    },
    markInterrupted: () => interruptCopies(db, ENDED),
    async close() {
      if (job !== null) await stop(job.copy.id, 'close');
    },
  };
}

/** Of the file that its events come in. */
function nameOf({ host, hostProject }: StoredCopy): string {
  return `${new URL(host).hostname}-project-${hostProject}.jsonl`;
}

/** The project that a key of PostHog is in, by the name of its API. */
const CURRENT = '@current';
