import childProcess, { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { callApi } from './api.ts';
import { DEFAULT_TIMEOUT_MS, isMatch, reportMissing, waitUntil } from './captured.ts';

/** Beside the folder of this file when it is built. */
const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url));
const START_LIMIT_MS = 30_000;
const LOG_KEPT = 16_384;
/** Fixed, so that configurations and snapshots can hold it; what separates servers is their port. */
const PROJECT_API_KEY = 'phc_burrow_test';

/** true, false, or the key of a variant. */
export type FlagValue = boolean | string;

/** A person that is there from the beginning, and after each `reset`. */
export interface PersonSeed {
  distinctId: string;
  properties?: Record<string, unknown>;
}

export interface StartOptions {
  /** Values by key, for everyone; or the path of a flag file that Burrow or PostHog has exported. */
  flags?: Record<string, FlagValue> | string;
  persons?: readonly PersonSeed[];
  /** A free one when absent. */
  port?: number;
  /**
   * true, as when absent: the calls of one worker with equal options share a server, which is reset at each call and ends with
   * the worker. false: a server of its own, which `stop` ends.
   */
  reuse?: boolean;
}

/** An event as the server has stored it. */
export interface CapturedEvent {
  uuid: string;
  event: string;
  distinctId: string;
  properties: Record<string, unknown>;
  /** ISO 8601, UTC. */
  timestamp: string;
}

export interface CapturedPerson {
  uuid: string;
  distinctIds: string[];
  properties: Record<string, unknown>;
  isIdentified: boolean;
  createdAt: string;
}

/** A name, a name with properties that it has to have (it may have others), or a function. */
export type EventMatch =
  | string
  | { event?: string; distinctId?: string; properties?: Record<string, unknown> }
  | ((event: CapturedEvent) => boolean);

/** A running server. */
export interface Burrow {
  /** For the SDK under test: `api_host`, or `host`. */
  readonly host: string;
  /** For the SDK under test: the project token. */
  readonly projectApiKey: string;
  /** For flags that an SDK evaluates itself, and for the API. */
  readonly personalApiKey: string;
  /** All events so far, in the order in which they were captured; the newest 10,000. */
  events(): Promise<CapturedEvent[]>;
  /** The first event that matches, as soon as it is there; rejects after `timeout` milliseconds (5,000), naming the nearest. */
  waitForEvent(match: EventMatch, timeout?: number): Promise<CapturedEvent>;
  /** The person of a distinct ID, or null. */
  person(distinctId: string): Promise<CapturedPerson | null>;
  /**
   * Gives a flag another value, for one distinct ID or for everyone, until `reset`. An unknown flag is created. SDKs that evaluate
   * flags locally do not see it.
   */
  setFlag(key: string, value: FlagValue, distinctId?: string): Promise<void>;
  /** Empties events, persons, groups and what `setFlag` has set. Flags and persons of the start are there again. */
  reset(): Promise<void>;
  /** Ends the server; one that is shared goes on until the worker ends. */
  stop(): Promise<void>;
}

/** What matchers use beyond what tests do. */
export interface BurrowForMatchers extends Burrow {
  /** The newest 10,000 events and the number of all, once that is another than `known`, or after `timeout` milliseconds. */
  eventsBeyond(known: number | null, timeout: number): Promise<{ events: CapturedEvent[]; total: number }>;
}

/**
 * Starts Burrow in memory, in a process of its own that ends with this one, however that ends. Rejects with what the server has
 * said when it cannot start.
 */
export async function startBurrow(options: StartOptions = {}): Promise<Burrow> {
  const isShared = options.reuse ?? true;
  const server = isShared ? await sharedServer(options) : await startServer(options);
  const burrow = createBurrow(server, options.persons ?? [], isShared);
  if (server.isUsed) await burrow.reset();
  else await prepare(server, options);
  server.isUsed = true;
  return burrow;
}

interface Server {
  child: ChildProcess;
  url: string;
  projectId: number;
  projectApiKey: string;
  personalApiKey: string;
  /** Flags and persons of the start are there. */
  isUsed: boolean;
}

/**
 * Servers of this process by their options. Jest gives each file its own globals, and takes them apart afterwards; a core module
 * is the same for all files of a worker. So it holds plain values and the child, and no function of a file.
 */
function sharedServers(): Map<string, Promise<Server>> {
  const core = childProcess as unknown as Record<symbol, unknown>;
  return (core[Symbol.for('burrow.testing.servers')] ??= new Map()) as Map<string, Promise<Server>>;
}

async function sharedServer(options: StartOptions): Promise<Server> {
  const servers = sharedServers();
  const key = JSON.stringify([MAIN, options.flags, options.persons, options.port]);
  const running = await servers.get(key)?.catch(() => undefined);
  if (running !== undefined && running.child.exitCode === null && running.child.signalCode === null)
    return running;
  const starting = startServer(options);
  servers.set(key, starting);
  return await starting;
}

async function startServer({ port = 0, flags }: StartOptions): Promise<Server> {
  const args = ['serve', '--ephemeral', '--json', '--exit-with-stdin', '--log-level', 'warn'];
  args.push('--port', String(port), ...(typeof flags === 'string' ? ['--flags', flags] : []));
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ready = await readReady(child);
  release(child);
  const { url, projectId, projectApiKey, personalApiKey } = ready;
  return { child, url, projectId, projectApiKey, personalApiKey, isUsed: false };
}

/** Without options of other servers, and without what a debugger or a test runner tells Node. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('BURROW_') && name !== 'NODE_OPTIONS',
  );
  return { ...Object.fromEntries(kept), BURROW_PROJECT_API_KEY: PROJECT_API_KEY, ELECTRON_RUN_AS_NODE: '1' };
}

type Ready = Pick<Server, 'url' | 'projectId' | 'projectApiKey' | 'personalApiKey'>;

function readReady(child: ChildProcess): Promise<Ready> {
  const output = { stdout: '', stderr: '' };
  return new Promise((resolve, reject) => {
    const failWith = (sentence: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${sentence}\n${output.stderr}`.trim()));
    };
    const timer = setTimeout(
      () => failWith(`Burrow is not ready after ${START_LIMIT_MS} ms.`),
      START_LIMIT_MS,
    );
    for (const name of ['stdout', 'stderr'] as const)
      child[name]!.setEncoding('utf8').on('data', (text: string) => {
        output[name] = (output[name] + text).slice(-LOG_KEPT);
        const end = name === 'stdout' ? output.stdout.indexOf('\n') : -1;
        if (end === -1) return;
        clearTimeout(timer);
        resolve(JSON.parse(output.stdout.slice(0, end)) as Ready);
      });
    child.once('error', (error) => failWith(`Burrow cannot start: ${error.message}`));
    child.once('exit', (code) => failWith(`Burrow ended before it was ready (exit code ${code}).`));
  });
}

/** The child and its pipes do not hold this process open; its end closes the pipe, and that ends the server. */
function release(child: ChildProcess): void {
  child.removeAllListeners('exit').unref();
  child.stdin!.on('error', () => undefined);
  for (const pipe of [child.stdin!, child.stdout!, child.stderr!]) {
    const socket = pipe as (typeof pipe & Readable) & { unref?: () => void };
    socket.unref?.();
  }
}

async function prepare(server: Server, { flags, persons = [] }: StartOptions): Promise<void> {
  if (typeof flags === 'object') {
    const path = `/api/projects/${server.projectId}/burrow/feature_flags/import/`;
    const body = Object.entries(flags).map(([key, value]) => definitionOf(key, value));
    const report = await callApi<{ applied: boolean; flags: { key: string; reason?: string }[] }>(
      server,
      path,
      {
        method: 'POST',
        body: { results: body },
      },
    );
    const refused = report.flags.find(({ reason }) => reason !== undefined && reason !== null);
    if (!report.applied) throw new Error(`The flag '${refused?.key}' is refused: ${refused?.reason}`);
  }
  await createPersons(server, persons);
}

/** A flag that has the value for everyone, so that SDKs that evaluate it themselves have it too. */
function definitionOf(key: string, value: FlagValue) {
  const variants = typeof value === 'string' ? [{ key: value, rollout_percentage: 100 }] : null;
  return {
    key,
    active: true,
    filters: {
      groups: [{ properties: [], rollout_percentage: value === false ? 0 : 100 }],
      ...(variants === null ? {} : { multivariate: { variants } }),
    },
  };
}

async function createPersons(server: Server, persons: readonly PersonSeed[]): Promise<void> {
  if (persons.length === 0) return;
  const rows = persons.map(({ distinctId, properties = {} }) => ({ distinct_id: distinctId, properties }));
  await callApi(server, '/_test/persons/', { method: 'POST', body: { persons: rows } });
}

type WireEvent = Omit<CapturedEvent, 'distinctId'> & { distinct_id: string };

interface WirePerson {
  uuid: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  is_identified: boolean;
  created_at: string;
}

function createBurrow(server: Server, persons: readonly PersonSeed[], isShared: boolean): BurrowForMatchers {
  async function eventsBeyond(known: number | null, timeout: number) {
    const query = known === null ? {} : { beyond: known, timeout_ms: Math.max(0, Math.ceil(timeout)) };
    const answer = await callApi<{ results: WireEvent[]; total: number }>(server, '/_test/events/', {
      query,
    });
    const events = answer.results.map(({ distinct_id: distinctId, ...event }) => ({ ...event, distinctId }));
    return { events, total: answer.total };
  }

  return {
    host: server.url,
    projectApiKey: server.projectApiKey,
    personalApiKey: server.personalApiKey,
    eventsBeyond,
    events: async () => (await eventsBeyond(null, 0)).events,
    async waitForEvent(match, timeout = DEFAULT_TIMEOUT_MS) {
      const { found, events } = await waitUntil(
        { eventsBeyond },
        (all) => all.find((event) => isMatch(event, match)),
        timeout,
      );
      if (found !== undefined) return found;
      throw new Error(reportMissing(events, match, timeout));
    },
    async person(distinctId) {
      const query = { distinct_id: distinctId };
      const { person } = await callApi<{ person: WirePerson | null }>(server, '/_test/persons/', { query });
      if (person === null) return null;
      return {
        uuid: person.uuid,
        distinctIds: person.distinct_ids,
        properties: person.properties,
        isIdentified: person.is_identified,
        createdAt: person.created_at,
      };
    },
    async setFlag(key, value, distinctId) {
      const body = { key, value, distinct_id: distinctId ?? null };
      await callApi(server, '/_test/flags/', { method: 'POST', body });
    },
    async reset() {
      await callApi(server, '/_test/reset/', { method: 'POST', body: {} });
      await createPersons(server, persons);
    },
    async stop() {
      if (isShared || server.child.exitCode !== null || server.child.signalCode !== null) return;
      const ended = new Promise((resolve) => server.child.once('exit', resolve));
      server.child.ref();
      server.child.kill('SIGTERM');
      await ended;
    },
  };
}
