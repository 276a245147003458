import { ConfigError } from './lib/config-error.ts';
import { SETTINGS_FILE, type Config } from './config.ts';
import { StoreOpenError } from './db/client.ts';
import { isDamage } from './db/store-damage.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { Log } from './lib/log.ts';
import { ListenError } from './listen.ts';
import type { NewNotice, NoticeBoard } from './lib/notices.ts';
import type { Serving } from './serve.ts';

/** The desktop app that started this process, as Electron's `process.parentPort` shows it. */
export interface Shell {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: ShellRequest }) => void): void;
}

/** What `electron/server-messages.ts` lists. */
interface ShellRequest {
  type?: string;
  id?: number;
  reason?: string;
  minutes?: number | null;
  /** An absolute path. */
  file?: string;
  changes?: Readonly<Record<string, string | null>> | null;
}

interface Answering {
  serving: Pick<Serving, 'app' | 'url' | 'port' | 'newConsoleUrl'>;
  config: Pick<Config, 'ephemeral' | 'dataDir' | 'sources'>;
  version: string;
}

/**
 * Answers the shell's requests from now on, beginning with where the server is. One that fails is logged: there is no app
 * while the database is being reopened, and the shell repeats its request.
 */
export function answerShell(
  port: Shell,
  answering: Answering & {
    notices: Pick<NoticeBoard, 'raise'>;
    log: Pick<Log, 'warn'>;
    options: DesktopOptions;
    drain: () => void;
  },
): void {
  const { serving, notices, log, options, drain } = answering;
  const tellFirstEvents = createFirstEvents(port);

  async function answer({ type, id, reason, minutes, file, changes }: ShellRequest): Promise<void> {
    if (type === 'ping') port.postMessage({ type: 'pong' });
    if (type === 'drain') drain();
    if (type === 'restarted') notices.raise(restartNotice(reason));
    if (type === 'sign-in') port.postMessage({ type, id, consoleUrl: serving.newConsoleUrl() });
    if (type === 'read-backup' && file !== undefined)
      port.postMessage({ type: 'backup', id, events: await serving.app.features.backups.eventsIn(file) });
    if (type === 'restore-backup' && file !== undefined)
      port.postMessage({ type: 'restoring', id, problem: await problemOfRestore(serving.app, file) });
    if (type === 'options') port.postMessage({ type, id, ...(await optionsAfter(options, changes ?? null)) });
    if (type === 'pause') await serving.app.features.capturePause.pause(minutes ?? null);
    if (type === 'resume') await serving.app.features.capturePause.resume();
    if (type !== 'status' && type !== 'pause' && type !== 'resume') return;
    const status = await statusOf(serving.app);
    port.postMessage(status);
    await tellFirstEvents(serving.app, status.eventsPerMinute > 0);
  }

  port.on('message', ({ data }) => {
    answer(data).catch((error: unknown) =>
      log.warn({ err: error, request: data.type }, 'A request of the desktop app was not answered'),
    );
  });
  tellReady(port, answering);
}

/** Begins to restore a file; why it does not begin, or null. */
async function problemOfRestore({ features }: Serving['app'], file: string): Promise<string | null> {
  try {
    await features.backups.restoreFile(file);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The options once the changes are written, and why they are not; a settings file that cannot be read is a problem too. */
async function optionsAfter(
  options: DesktopOptions,
  changes: ShellRequest['changes'],
): Promise<{ options: object[]; problems: object[] }> {
  try {
    const problems = changes ? await options.change(changes) : [];
    return { options: options.list(), problems };
  } catch (error) {
    return { options: [], problems: [{ name: null, text: (error as Error).message }] };
  }
}

/** Why the server cannot start, as the desktop app chooses what to offer. */
type FailureReason = 'port' | 'folder_in_use' | 'damaged' | 'read_only' | 'disk_full' | 'settings' | 'other';

const REASONS: Readonly<Partial<Record<StoreOpenError['reason'], FailureReason>>> = {
  locked: 'folder_in_use',
  corrupt: 'damaged',
  read_only: 'read_only',
  full: 'disk_full',
};
const CODES: Readonly<Record<string, FailureReason>> = {
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  ENOSPC: 'disk_full',
};

/** What a `failed` message says besides its sentence. */
export function failureOf(error: unknown): { reason: FailureReason; port: number | null } {
  if (error instanceof ListenError) return { reason: 'port', port: error.port };
  return { reason: reasonOf(error), port: null };
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof StoreOpenError) return REASONS[error.reason] ?? 'other';
  if (error instanceof ConfigError && error.message.includes(SETTINGS_FILE)) return 'settings';
  if (isDamage(error)) return 'damaged';
  return CODES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'other';
}

/** What the tray says. */
async function statusOf({ features }: Serving['app']) {
  const { capture, capturePause, projects } = features;
  const { id, apiToken } = projects.first();
  return {
    type: 'status',
    eventsPerMinute: await capture.eventsPerMinute(),
    pause: capturePause.current(),
    projectId: id,
    projectApiKey: apiToken,
  };
}

/** Says once for each project that its first event has arrived: its app is connected. */
function createFirstEvents(port: Shell) {
  let known: ReadonlySet<number> | null = null;
  return async ({ features }: Serving['app'], hasEvents: boolean): Promise<void> => {
    if (known !== null && !hasEvents) return;
    const all = await features.projects.listAll();
    const used = all.filter(({ ingestedEvent }) => ingestedEvent);
    const fresh = known === null ? [] : used.filter(({ id }) => !known!.has(id));
    known = new Set(used.map(({ id }) => id));
    for (const { name } of fresh)
      port.postMessage({
        type: 'notice',
        title: 'First event received',
        text: `The project ${name} has received its first event.`,
      });
  };
}

/** Shows users of the desktop app that their server was unavailable for a moment. */
function restartNotice(reason: string | undefined): NewNotice {
  const why = reason === 'silent' ? 'stopped answering' : 'ended unexpectedly';
  return {
    id: 'server_restarted',
    level: 'warning',
    title: 'The Burrow server was restarted',
    text: `It ${why}. All acknowledged events are stored; most SDKs retry the others.`,
    page: null,
    refusesEvents: false,
    dismissible: true,
  };
}

/** Said again when the server restarted: the shell signs its windows in then. */
export function tellReady(port: Shell, { serving, config, version }: Answering): void {
  const { url, port: number } = serving;
  const dataDir = config.ephemeral ? null : config.dataDir;
  port.postMessage({
    type: 'ready',
    url,
    port: number,
    version,
    dataDir,
    portSource: config.sources.port ?? null,
  });
}
