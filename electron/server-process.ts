import type { OptionChanges, ServerOptions } from './channels.ts';
import { restartDelay } from './restart-delay.ts';
import {
  serverMessage,
  type FailureReason,
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
/** Looks at another Burrow's server, and those in a row without an answer after which it is taken to have ended. */
const LOOK_MS = 2_000;
const MISSED_LOOKS = 3;

export type ServerState =
  /** `dataDir` is null until the server has named it. */
  | { phase: 'starting'; step: string | null; dataDir: string | null }
  | {
      phase: 'running';
      url: string;
      port: number;
      /** Empty when it is attached. */
      version: string;
      dataDir: string | null;
      /** Where the port is set; null: nowhere, so that it is a free one. */
      portSource: string | null;
      /** It is another Burrow's: this app did not start it and does not end it. */
      isAttached: boolean;
    }
  | Failed
  | { phase: 'stopped' };

export interface Failed {
  phase: 'failed';
  /** `folder_missing`: the server was not started, so that it creates nothing there. */
  reason: FailureReason | 'folder_missing';
  message: string;
  /** The newest lines of the log. */
  detail: string;
  /** The port that cannot be had, where another one may be; null: it is not about that. */
  port: number | null;
  dataDir: string | null;
}

/** A server that another Burrow runs. */
export interface OtherServer {
  url: string;
  dataDir: string;
  /** A console address with a fresh one-time token. */
  signInUrl(): Promise<string>;
  isThere(): Promise<boolean>;
}

/** The part of Electron's `UtilityProcess` that is needed here. */
export interface ServerChild {
  readonly pid?: number | undefined;
  readonly stderr: { on(event: 'data', listener: (chunk: Buffer) => void): unknown } | null;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: ShellMessage): void;
}

/** Requests that have an answer of their own, and which message that is. */
type Request = Extract<ShellMessage, { id: number }>;
interface Answers {
  'sign-in': 'sign-in';
  'read-backup': 'backup';
  'restore-backup': 'restoring';
  options: 'options';
}
type AnswerTo<Type extends Request['type']> = Extract<ServerMessage, { type: Answers[Type] }>;

export type ServerNotice = Omit<Extract<ServerMessage, { type: 'notice' }>, 'type'>;
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
  watchNotices(listener: (notice: ServerNotice) => void): void;
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
  /** The options of the server after the changes; null: there are none. Rejects as `signInUrl` does. */
  options(changes: OptionChanges | null): Promise<ServerOptions>;
  /** Drains the server and starts it again, on the same port unless another one is set. */
  restart(options: { limitMs: number; keepsPort: boolean }): Promise<void>;
  /** Starts the server on a free port this time, whatever port is set. */
  startOnFreePort(): Promise<void>;
  /** Shows another Burrow's server from now on; it is neither pinged nor stopped, and once it has ended this is a failure. */
  attach(other: OtherServer): void;
  /** Drains the server and resolves once it has ended; after `limitMs` it is killed. */
  stop(limitMs: number): Promise<void>;
}

export interface ServerProcessOptions {
  /** Starts the built server. It takes the free port where none is set, and the kept one, if any, whatever is set. */
  fork: (ports: { free: number; kept: number | null }) => ServerChild;
  /** Why there is nothing to start; null: there is. */
  obstacle?: () => Omit<Failed, 'phase' | 'detail' | 'port'> | null;
  /** A free port for the first start. Later starts keep the port that the server has taken. */
  choosePort: () => Promise<number>;
  now: () => number;
}

/** Starts the server as a process of its own, keeps it running, and stops it in good order. */
export function createServerProcess({
  fork,
  choosePort,
  now,
  obstacle = () => null,
}: ServerProcessOptions): ServerProcess {
  const listeners: ((state: ServerState) => void)[] = [];
  const statusListeners: (() => void)[] = [];
  const noticeListeners: ((notice: ServerNotice) => void)[] = [];
  const silenceListeners: ((isSilent: boolean) => void)[] = [];
  const awaiting = new Map<number, (message: ServerMessage) => void>();
  let state: ServerState = { phase: 'stopped' };
  let status: ServerStatus | null = null;
  let child: ServerChild | null = null;
  let launching = false;
  let stopping = false;
  let port: number | null = null;
  let crashes: number[] = [];
  let restartTimer: NodeJS.Timeout | undefined;
  let restarting = false;
  let whenEnded: (() => void)[] = [];
  let requestCount = 0;
  let attached: OtherServer | null = null;
  /** As the server has named it last. */
  let lastFolder: string | null = null;
  let looking: NodeJS.Timeout | undefined;
  let pinging: NodeJS.Timeout | undefined;
  let unanswered = 0;
  /** Why the next server is a restart; null when the last one ended as requested. */
  let restartReason: RestartReason | null = null;

  function enter(next: ServerState): void {
    state = next;
    if ('dataDir' in next) lastFolder = next.dataDir ?? lastFolder;
    if (next.phase !== 'running') status = null;
    for (const listener of listeners) listener(state);
  }

  async function start(): Promise<void> {
    if (child !== null || launching || stopping) return;
    const found = obstacle();
    if (found !== null) return enter(failure(found.message, '', found));
    launching = true;
    detach();
    clearTimeout(restartTimer);
    enter({ phase: 'starting', step: null, dataDir: null });
    const free = port ?? (await choosePort());
    launching = false;
    if (!stopping) run(fork({ free, kept: port }));
  }

  async function startOnFreePort(): Promise<void> {
    port = await choosePort();
    await start();
  }

  async function restart({ limitMs, keepsPort }: { limitMs: number; keepsPort: boolean }): Promise<void> {
    if (state.phase !== 'running' || attached !== null || restarting) return;
    restarting = true;
    stopPinging();
    enter({ phase: 'starting', step: 'Restarting the server', dataDir: state.dataDir });
    await drain(limitMs);
    restarting = false;
    if (!keepsPort) port = null;
    await start();
  }

  function attach(other: OtherServer): void {
    if (child !== null || launching || stopping) return;
    detach();
    attached = other;
    const { url, dataDir } = other;
    enter({
      phase: 'running',
      url,
      port: Number(new URL(url).port),
      version: '',
      dataDir,
      portSource: null,
      isAttached: true,
    });
    let missed = 0;
    looking = setInterval(() => {
      void other.isThere().then((isThere) => {
        missed = isThere ? 0 : missed + 1;
        if (attached !== other || missed < MISSED_LOOKS) return;
        detach();
        enter(failure('The server that this app was attached to has ended.', '', { dataDir }));
      });
    }, LOOK_MS);
  }

  function detach(): void {
    clearInterval(looking);
    attached = null;
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
      enter({ phase: 'running', url, port, version, dataDir, portSource, isAttached: false });
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
      enter(failure(message.message.split('\n', 1)[0]!, output, message));
    } else if (message.type !== 'restored') {
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
    if (stopping || restarting) {
      for (const resolve of whenEnded) resolve();
      whenEnded = [];
      return;
    }
    // It has said why it cannot run; an immediate retry would only repeat it.
    if (state.phase === 'failed') return;
    restartReason ??= 'ended';
    crashes = [...crashes, now()];
    const delay = restartDelay(crashes, now());
    if (delay === null) {
      crashes = [];
      return enter(
        failure(`The server stopped repeatedly (exit code ${code}).`, output, { dataDir: lastFolder }),
      );
    }
    enter({ phase: 'starting', step: null, dataDir: null });
    restartTimer = setTimeout(() => void start(), delay);
  }

  /** Sends a request to this app's own server and resolves with the answer of its number. */
  function request<Type extends Request['type']>(
    message: (id: number) => Extract<Request, { type: Type }>,
    limitMs = ANSWER_LIMIT_MS,
  ): Promise<AnswerTo<Type>> {
    const id = (requestCount += 1);
    return new Promise<AnswerTo<Type>>((resolve, reject) => {
      if (state.phase !== 'running') return reject(new Error('The server is not running.'));
      if (attached !== null) return reject(new Error('This server belongs to another Burrow.'));
      const timer = setTimeout(() => {
        reject(new Error(`The server did not respond within ${limitMs / 1000} seconds.`));
      }, limitMs);
      awaiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer as AnswerTo<Type>);
      });
      child?.postMessage(message(id));
    }).finally(() => awaiting.delete(id));
  }

  async function signInUrl(): Promise<string> {
    if (attached !== null) return attached.signInUrl();
    return (await request((id) => ({ type: 'sign-in', id }))).consoleUrl;
  }

  async function readBackup(file: string): Promise<number | null> {
    return (await request((id) => ({ type: 'read-backup', id, file }), BACKUP_LIMIT_MS)).events;
  }

  async function restoreBackup(file: string): Promise<string | null> {
    return (await request((id) => ({ type: 'restore-backup', id, file }), BACKUP_LIMIT_MS)).problem;
  }

  async function options(changes: OptionChanges | null): Promise<ServerOptions> {
    if (attached !== null)
      return {
        options: [],
        problems: [{ name: null, text: 'This server belongs to another Burrow, which has its options.' }],
      };
    const { options: list, problems } = await request((id) => ({ type: 'options', id, changes }));
    return { options: list, problems };
  }

  /** Resolves once the server has ended; after the limit it is killed. */
  function drain(limitMs: number): Promise<void> {
    const running = child;
    if (running === null) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (running.pid !== undefined) process.kill(running.pid, 'SIGKILL');
      }, limitMs);
      whenEnded.push(() => {
        clearTimeout(timer);
        resolve();
      });
      running.postMessage({ type: 'drain' });
    });
  }

  async function stop(limitMs: number): Promise<void> {
    stopping = true;
    clearTimeout(restartTimer);
    stopPinging();
    detach();
    await drain(limitMs);
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
    startOnFreePort,
    signInUrl,
    readBackup,
    restoreBackup,
    options,
    restart,
    attach,
    stop,
  };
}

function failure(
  message: string,
  detail: string,
  { reason = 'other', port = null, dataDir = null }: Partial<Failed> = {},
): Failed {
  return { phase: 'failed', reason, message, detail, port, dataDir };
}
