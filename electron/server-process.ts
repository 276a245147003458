import { restartDelay } from './restart-delay.ts';
import {
  serverMessage,
  type RestartReason,
  type ServerMessage,
  type ShellMessage,
} from './server-messages.ts';

const ANSWER_LIMIT_MS = 10_000;
/** A large backup is read from a slow disk. */
const BACKUP_LIMIT_MS = 60_000;
const OUTPUT_KEPT = 4_000;
const PING_MS = 1_000;
/** Unanswered pings in a row after which windows say that the server is silent, and after which it is killed. */
const SILENT_AFTER = 3;
const KILLED_AFTER = 20;
/** Pings from one request for the status to the next. */
const STATUS_EVERY = 5;

export type ServerState =
  /** `dataDir` is null until the server has named it. */
  | { phase: 'starting'; step: string | null; dataDir: string | null }
  | {
      phase: 'running';
      url: string;
      port: number;
      version: string;
      dataDir: string | null;
      /** Where the port is set; null: nowhere, so that it is a free one. */
      portSource: string | null;
    }
  | { phase: 'failed'; message: string; detail: string }
  | { phase: 'stopped' };

/** The part of Electron's `UtilityProcess` that is needed here. */
export interface ServerChild {
  readonly pid?: number | undefined;
  readonly stderr: { on(event: 'data', listener: (chunk: Buffer) => void): unknown } | null;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: ShellMessage): void;
}

/** Requests that have an answer of their own. */
type Request = Extract<ShellMessage, { id: number }>;
type Answer = Extract<ServerMessage, { id: number }>;
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

export type ServerStatus = Extract<ServerMessage, { type: 'status' }>;

export interface ServerProcess {
  readonly state: ServerState;
  /** What the running server has said last; null: nothing yet. */
  readonly status: ServerStatus | null;
  /** Calls back on every change of state. */
  watch(listener: (state: ServerState) => void): void;
  /** Calls back with true once a running server has not answered three pings, which are a second apart, and with false once it answers again. */
  watchSilence(listener: (isSilent: boolean) => void): void;
  /** Calls back when the server has said its status again, every few seconds while it runs. */
  watchStatus(listener: () => void): void;
  /** Calls back with what users have to see. */
  watchNotices(listener: (notice: { title: string; text: string }) => void): void;
  /** Pauses capture for so many minutes; null: until it is resumed. */
  pause(minutes: number | null): void;
  resume(): void;
  /** Starts the server, also again after it failed. */
  start(): Promise<void>;
  /** A console address with a fresh one-time token. Rejects when the server is not running or does not answer. */
  signInUrl(): Promise<string>;
  /** How many events a backup holds; null when the file is none. Rejects as `signInUrl` does. */
  readBackup(file: string): Promise<number | null>;
  /** Begins to restore a backup, after which the server is ready again; resolves with why it does not, or null. Rejects as `signInUrl` does. */
  restoreBackup(file: string): Promise<string | null>;
  /** Drains the server and resolves once it has ended; after `limitMs` it is killed. */
  stop(limitMs: number): Promise<void>;
}

export interface ServerProcessOptions {
  /** Starts the built server with these arguments; `freePort` is the one that it takes where none is set. */
  fork: (args: readonly string[], freePort: number) => ServerChild;
  /** A free port for the first start. Later starts keep the port that the server has taken. */
  choosePort: () => Promise<number>;
  now: () => number;
}

/** Starts the server as a process of its own, keeps it running, and stops it in good order. */
export function createServerProcess({ fork, choosePort, now }: ServerProcessOptions): ServerProcess {
  const listeners: ((state: ServerState) => void)[] = [];
  const statusListeners: (() => void)[] = [];
  const noticeListeners: ((notice: { title: string; text: string }) => void)[] = [];
  const silenceListeners: ((isSilent: boolean) => void)[] = [];
  const awaiting = new Map<number, (answer: Answer) => void>();
  let state: ServerState = { phase: 'stopped' };
  let status: ServerStatus | null = null;
  let child: ServerChild | null = null;
  let launching = false;
  let stopping = false;
  let port: number | null = null;
  let crashes: number[] = [];
  let restart: NodeJS.Timeout | undefined;
  let whenEnded: (() => void) | undefined;
  let requestCount = 0;
  let pinging: NodeJS.Timeout | undefined;
  let unanswered = 0;
  /** Why the next server is a restart; null when the last one ended as requested. */
  let restartReason: RestartReason | null = null;

  function enter(next: ServerState): void {
    state = next;
    if (next.phase !== 'running') status = null;
    for (const listener of listeners) listener(state);
  }

  async function start(): Promise<void> {
    if (child !== null || launching || stopping) return;
    launching = true;
    clearTimeout(restart);
    enter({ phase: 'starting', step: null, dataDir: null });
    const free = port ?? (await choosePort());
    launching = false;
    if (!stopping) run(fork(['serve', ...(port === null ? [] : ['--port', String(port)])], free));
  }

  function run(started: ServerChild): void {
    let output = '';
    child = started;
    started.stderr?.on('data', (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
    });
    started.on('message', (message) => {
      const parsed = serverMessage.safeParse(message);
      if (parsed.success) receive(parsed.data, output);
    });
    started.once('exit', (code) => {
      child = null;
      stopPinging();
      ended(code, output);
    });
  }

  function receive(message: ServerMessage, output: string): void {
    if (message.type === 'ready') {
      const { url, version, dataDir, portSource } = message;
      port = message.port;
      if (restartReason !== null) child?.postMessage({ type: 'restarted', reason: restartReason });
      restartReason = null;
      enter({ phase: 'running', url, port, version, dataDir, portSource });
      startPinging();
    } else if (message.type === 'pong') {
      if (unanswered >= SILENT_AFTER) notifySilence(false);
      unanswered = 0;
    } else if (message.type === 'status') {
      status = message;
      for (const listener of statusListeners) listener();
    } else if (message.type === 'notice') {
      for (const listener of noticeListeners) listener(message);
    } else if (message.type === 'progress') {
      const { step, dataDir } = message;
      if (state.phase === 'starting') enter({ phase: 'starting', step, dataDir });
    } else if (message.type === 'failed') {
      // The rest, a stack when the reason is unknown, is in the log.
      enter({ phase: 'failed', message: message.message.split('\n', 1)[0]!, detail: output });
    } else {
      awaiting.get(message.id)?.(message);
    }
  }

  /**
   * Counts pings instead of time, so that a laptop that slept kills nothing. A server that starts is not pinged: to
   * replay a long log may keep it busy.
   */
  function startPinging(): void {
    stopPinging();
    let pings = 0;
    child?.postMessage({ type: 'status' });
    pinging = setInterval(() => {
      pings += 1;
      if (pings % STATUS_EVERY === 0) child?.postMessage({ type: 'status' });
      if (unanswered === SILENT_AFTER) notifySilence(true);
      if (unanswered === KILLED_AFTER && child?.pid !== undefined) {
        restartReason = 'silent';
        process.kill(child.pid, 'SIGKILL');
      }
      unanswered += 1;
      child?.postMessage({ type: 'ping' });
    }, PING_MS);
  }

  function stopPinging(): void {
    clearInterval(pinging);
    if (unanswered >= SILENT_AFTER) notifySilence(false);
    unanswered = 0;
  }

  function notifySilence(isSilent: boolean): void {
    for (const listener of silenceListeners) listener(isSilent);
  }

  function ended(code: number, output: string): void {
    if (stopping) return whenEnded?.();
    // It has said why it cannot run; an immediate retry would only repeat it.
    if (state.phase === 'failed') return;
    restartReason ??= 'ended';
    crashes = [...crashes, now()];
    const delay = restartDelay(crashes, now());
    if (delay === null) {
      crashes = [];
      enter({
        phase: 'failed',
        message: `The server stopped repeatedly (exit code ${code}).`,
        detail: output,
      });
      return;
    }
    enter({ phase: 'starting', step: null, dataDir: null });
    restart = setTimeout(() => void start(), delay);
  }

  /** Sends a request to the running server and resolves with its answer. */
  function request(message: DistributiveOmit<Request, 'id'>, limitMs = ANSWER_LIMIT_MS): Promise<Answer> {
    const id = (requestCount += 1);
    return new Promise<Answer>((resolve, reject) => {
      if (state.phase !== 'running') return reject(new Error('The server is not running.'));
      const timer = setTimeout(() => {
        reject(new Error(`The server did not respond within ${limitMs / 1000} seconds.`));
      }, limitMs);
      awaiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      child?.postMessage({ ...message, id });
    }).finally(() => awaiting.delete(id));
  }

  async function signInUrl(): Promise<string> {
    const answer = await request({ type: 'sign-in' });
    return answer.type === 'sign-in' ? answer.consoleUrl : '';
  }

  async function readBackup(file: string): Promise<number | null> {
    const answer = await request({ type: 'read-backup', file }, BACKUP_LIMIT_MS);
    return answer.type === 'backup' ? answer.events : null;
  }

  async function restoreBackup(file: string): Promise<string | null> {
    const answer = await request({ type: 'restore-backup', file }, BACKUP_LIMIT_MS);
    return answer.type === 'restoring' ? answer.problem : null;
  }

  async function stop(limitMs: number): Promise<void> {
    stopping = true;
    clearTimeout(restart);
    stopPinging();
    const running = child;
    if (running !== null) {
      const ended = new Promise<void>((resolve) => {
        whenEnded = resolve;
      });
      const timer = setTimeout(() => {
        if (running.pid !== undefined) process.kill(running.pid, 'SIGKILL');
      }, limitMs);
      running.postMessage({ type: 'drain' });
      await ended;
      clearTimeout(timer);
    }
    enter({ phase: 'stopped' });
  }

  return {
    get state() {
      return state;
    },
    get status() {
      return status;
    },
    watch: (listener) => void listeners.push(listener),
    watchSilence: (listener) => void silenceListeners.push(listener),
    watchStatus: (listener) => void statusListeners.push(listener),
    watchNotices: (listener) => void noticeListeners.push(listener),
    pause: (minutes) => child?.postMessage({ type: 'pause', minutes }),
    resume: () => child?.postMessage({ type: 'resume' }),
    start,
    signInUrl,
    readBackup,
    restoreBackup,
    stop,
  };
}
