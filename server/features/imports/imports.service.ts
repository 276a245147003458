import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Analytics, Db } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { NewActivity } from '../../lib/activity.ts';
import type { Statements } from '../../db/db.ts';
import type { Capture } from '../capture/index.ts';
import type { CapturePause } from '../capture-pause/index.ts';
import type { Project, Projects } from '../projects/index.ts';
import { ImportError } from './import-error.ts';
import type { ImportFolder } from './import-folder.ts';
import type { ImportPreviewJson, SentSettings } from './imports.contract.ts';
import { countKnown, countReceived } from './imports.reads.ts';
import {
  deleteImport,
  findImport,
  insertImport,
  listImports,
  saveImport,
  type NotStored,
  type StoredImport,
} from './imports.store.ts';
import type { ImportPiece } from './read-import.ts';
import type { ImportReader } from './start-reader.ts';

/** Batches that wait for their commit, so that the store thread always has one. */
const MAX_WAITING = 3;
/** Milliseconds between two notes of how far it is: rows after the last note are read again when the process is ended. */
const NOTE_MS = 1_000;
/** What the Ingestion screen shows as the path of the events. */
const PATH = '/api/burrow/imports/';
/** Seconds of which the speed is that of now. */
const SPEED_SECONDS = 10;

/** An import, and what is known of one that runs. */
export interface ShownImport extends StoredImport {
  rowsPerSecond: number | null;
  secondsLeft: number | null;
}

export interface Imports {
  list(projectId: number): Promise<ShownImport[]>;
  /** Throws not_found. */
  find(projectId: number, id: string): Promise<ShownImport>;
  /** Stores a file as it arrives. Throws invalid_input without room. */
  receive(
    actor: Actor,
    project: ProjectRef,
    name: string,
    body: Readable,
    announced: number,
  ): Promise<ShownImport>;
  /** Throws invalid_input for a file that cannot be read. */
  preview(found: StoredImport, settings: SentSettings): Promise<ImportPreviewJson>;
  /** Begins a dry run, or the import; it goes on after the answer. Throws conflict while another one runs. */
  start(
    actor: Actor,
    project: ProjectRef,
    found: StoredImport,
    settings: SentSettings,
    isDryRun: boolean,
  ): Promise<ShownImport>;
  /** Ends it; events that are stored stay. */
  cancel(found: StoredImport): Promise<ShownImport>;
  /** The rows that were not taken. Throws not_found when there are none. */
  readRejected(found: StoredImport): Promise<Readable>;
  /** Ends it and removes the file; events that are stored stay. */
  remove(found: StoredImport): Promise<void>;
  /** Goes on with what the end of the last process has interrupted. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ImportParts {
  db: Db;
  analytics: Analytics;
  projects: Pick<Projects, 'find' | 'onDelete'>;
  capture: Pick<Capture, 'storeImported'>;
  capturePause: Pick<CapturePause, 'current'>;
  record: (tx: Statements, activity: NewActivity) => Promise<void>;
  reader: ImportReader;
  folder: ImportFolder;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** What runs. */
interface Job {
  readonly id: string;
  state: StoredImport;
  isDryRun: boolean;
  /** Ends it: `cancel` for good, `close` until the next start of the server. */
  stop: 'cancel' | 'close' | null;
  /** Rows at moments of the last seconds, for the speed. */
  marks: { at: number; rows: number; progress: number }[];
  /** Never fails. */
  ended: Promise<void>;
}

export function createImports(parts: ImportParts): Imports {
  const { db, analytics, projects, capture, capturePause, record, reader, folder, clock, newId, log } = parts;
  const isoNow = (): string => new Date(clock()).toISOString();
  let job: Job | null = null;
  /** Files that arrive now. */
  const receiving = new Set<string>();

  function shown(stored: StoredImport): ShownImport {
    const own = job?.id === stored.id ? job : null;
    const state = own === null ? stored : own.state;
    const [first, last] = [own?.marks[0], own?.marks.at(-1)];
    const seconds = first === undefined ? 0 : (last!.at - first.at) / 1000;
    const isKnown = seconds > 0.2 && last!.progress > first!.progress;
    return {
      ...state,
      rowsPerSecond: isKnown ? Math.round((last!.rows - first!.rows) / seconds) : null,
      secondsLeft: isKnown
        ? Math.round(((1 - last!.progress) * seconds) / (last!.progress - first!.progress))
        : null,
    };
  }

  async function find(projectId: number, id: string): Promise<StoredImport> {
    const found = await findImport(db, projectId, id);
    if (found === null) throw fail('not_found');
    return found;
  }

  async function save(state: StoredImport): Promise<void> {
    const ms = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));
    await saveImport(db, {
      ...state,
      startedMs: ms(state.startedAt),
      finishedMs: ms(state.finishedAt),
    });
  }

  /** Reads the file, and stores its events in the order of its rows. */
  async function run(own: Job, project: Project): Promise<void> {
    const begin = own.state;
    const startedAt = Date.parse(begin.startedAt!);
    /** What became of the batches, in their order. */
    const waiting: { piece: ImportPiece; stored: Promise<void> }[] = [];
    const notStored: NotStored[] = begin.notStored.map((one) => ({ ...one }));
    let known = 0;
    let noted = performance.now();

    const settle = async (): Promise<void> => {
      const { piece, stored } = waiting.shift()!;
      await stored;
      advance(own, piece, notStored, piece.rows > own.state.storedRows);
      if (performance.now() - noted < NOTE_MS) return;
      noted = performance.now();
      await save(own.state);
    };

    const send = async (piece: ImportPiece): Promise<void> => {
      if (piece.batch === null) return;
      if (own.isDryRun) {
        known += await countKnown(analytics, project.id, piece.uuids);
        return;
      }
      if (capturePause.current() !== null) throw new ImportError(PAUSED);
      if (projects.find(project.id)?.inspectOnly) throw new ImportError(INSPECT_ONLY);
      const answer = await capture.storeImported(Buffer.from(piece.batch.buffer), PATH, piece.imported);
      for (const [uuid, reason] of answer.notStored)
        addNotStored(notStored, reason, piece.rowNumbers[piece.uuids.indexOf(uuid)] ?? 0);
    };

    await folder.clearRejected(own.id);
    const order = {
      path: folder.pathOf(own.id),
      name: begin.name,
      settings: begin.settings!,
      token: project.apiToken,
      storedRows: own.isDryRun ? 0 : begin.storedRows,
    };
    for await (const piece of reader.read(order)) {
      if (own.stop !== null) break;
      if (piece.rejected !== '') await folder.addRejected(own.id, piece.rejected);
      const stored = send(piece);
      // It is reported where it is awaited.
      stored.catch(() => undefined);
      waiting.push({ piece, stored });
      while (waiting.length > MAX_WAITING) await settle();
    }
    while (waiting.length > 0) await settle();
    if (own.stop !== null) return;
    const { report } = own.state;
    const before = own.isDryRun
      ? known
      : Math.max(0, report!.events - (await countReceived(analytics, project.id, startedAt)));
    own.state = { ...own.state, report: { ...report!, known_events: before } };
  }

  function advance(own: Job, piece: ImportPiece, notStored: readonly NotStored[], isFurther: boolean): void {
    const { rows, progress, report } = piece;
    own.state = {
      ...own.state,
      ...(isFurther && !own.isDryRun && { storedRows: rows }),
      progress,
      notStored: notStored.map((one) => ({ ...one })),
      report: withNotStored(report, notStored),
    };
    const at = performance.now();
    own.marks.push({ at, rows, progress });
    while (own.marks.length > 2 && at - own.marks[0]!.at > SPEED_SECONDS * 1000) own.marks.shift();
  }

  /** Ends with the last row, or with a problem that is shown. */
  async function finish(own: Job, project: Project): Promise<void> {
    let state: StoredImport['state'] = own.isDryRun ? 'checked' : 'done';
    let problem: string | null = null;
    try {
      await run(own, project);
      if (own.stop === 'cancel') state = own.isDryRun ? 'uploaded' : 'canceled';
    } catch (error) {
      state = 'failed';
      problem =
        error instanceof ImportError || error instanceof ApiError
          ? error.message
          : 'Unexpected; see the server log.';
      if (!(error instanceof ImportError || error instanceof ApiError))
        log.error({ err: error, id: own.id }, 'An import failed');
    }
    // What the end of the server has interrupted goes on with the next one.
    const isOver = own.stop !== 'close';
    own.state = isOver ? { ...own.state, state, problem, finishedAt: isoNow() } : own.state;
    await save(own.state).catch((error: unknown) =>
      log.error({ err: error, id: own.id }, 'The state of an import could not be written'),
    );
    if (isOver) {
      // What is stored needs no second place.
      if (state === 'done') await folder.removeFile(own.id);
      const { storedRows, report } = own.state;
      log.info({ id: own.id, state, rows: storedRows, events: report?.events ?? 0 }, 'An import has ended');
    }
    if (job === own) job = null;
  }

  function begin(state: StoredImport, isDryRun: boolean, project: Project): Job {
    const own: Job = { id: state.id, state, isDryRun, stop: null, marks: [], ended: Promise.resolve() };
    job = own;
    own.ended = finish(own, project);
    return own;
  }

  async function stop(id: string): Promise<void> {
    const own = job?.id === id ? job : null;
    if (own === null) return;
    own.stop = 'cancel';
    await own.ended;
  }

  async function preview({ id, name }: StoredImport, settings: SentSettings): Promise<ImportPreviewJson> {
    if (!(await folder.has(id)))
      throw fail('invalid_input', {
        detail: 'The file was removed when its import was complete. Upload it again.',
      });
    return await reader.preview({ path: folder.pathOf(id), name }, settings).catch((error: unknown) => {
      throw error instanceof ImportError ? fail('invalid_input', { detail: error.message }) : error;
    });
  }

  async function removeLeft(): Promise<void> {
    const stored = await listImports(db, null);
    await folder.keepOnly(new Set([...receiving, ...stored.map(({ id }) => id)]));
  }

  projects.onDelete(async () => {
    const own = job;
    if (own !== null && projects.find(own.state.projectId) === null) await stop(own.id);
    for (const { id, projectId } of await listImports(db, null)) {
      if (projects.find(projectId) !== null) continue;
      await deleteImport(db, id);
    }
    // Its rows may be deleted already.
    await removeLeft();
  });

  return {
    list: async (projectId) => (await listImports(db, projectId)).map(shown),
    find: async (projectId, id) => shown(await find(projectId, id)),
    async receive(actor, project, name, body, announced) {
      const id = newId();
      receiving.add(id);
      try {
        const bytes = await folder.receive(id, body, announced);
        const added = { id, projectId: project.id, name, bytes, createdBy: actor.user.id, now: clock() };
        await insertImport(db, added);
      } finally {
        receiving.delete(id);
      }
      return shown(await find(project.id, id));
    },
    preview,
    async start(actor, project, found, sent, isDryRun) {
      if (job !== null)
        throw fail('conflict', { detail: 'Another import is running. Wait until it has ended.' });
      if (!isDryRun && capturePause.current() !== null) throw fail('conflict', { detail: PAUSED });
      const own = projects.find(project.id)!;
      if (!isDryRun && own.inspectOnly) throw fail('conflict', { detail: INSPECT_ONLY });
      const { refusal, settings } = await preview(found, sent);
      if (refusal !== null) throw fail('invalid_input', { detail: refusal });
      if (job !== null)
        throw fail('conflict', { detail: 'Another import is running. Wait until it has ended.' });
      // With the same settings an import goes on where it ended; with others its rows may become other events.
      const isSame = JSON.stringify(found.settings) === JSON.stringify(settings);
      const goesOn = !isDryRun && isSame && (found.state === 'failed' || found.state === 'canceled');
      const state: StoredImport = {
        ...found,
        state: isDryRun ? 'checking' : 'running',
        settings,
        storedRows: goesOn ? found.storedRows : 0,
        notStored: goesOn ? found.notStored : [],
        progress: 0,
        report: null,
        problem: null,
        startedAt: goesOn ? found.startedAt : isoNow(),
        finishedAt: null,
      };
      const begun = begin(state, isDryRun, own);
      await save(state);
      if (!isDryRun)
        await record(db, {
          id: newId(),
          now: clock(),
          organizationId: actor.organizationId,
          projectId: project.id,
          userId: actor.user.id,
          activity: 'events imported',
          scope: 'Project',
          itemId: String(project.id),
          name: project.name,
        });
      return shown(begun.state);
    },
    async cancel(found) {
      await stop(found.id);
      return shown(await find(found.projectId, found.id));
    },
    async readRejected({ id }) {
      const stream = createReadStream(folder.rejectedPathOf(id));
      await new Promise<void>((resolve, reject) => {
        stream.once('open', () => resolve());
        stream.once('error', () => reject(fail('not_found')));
      });
      return stream;
    },
    async remove({ id }) {
      await stop(id);
      await deleteImport(db, id);
      await folder.remove(id);
    },
    async resume() {
      await removeLeft();
      for (const stored of await listImports(db, null)) {
        if (stored.state === 'checking') await save({ ...stored, state: 'uploaded', progress: 0 });
        const project = projects.find(stored.projectId);
        if (stored.state !== 'running' || project === null || job !== null) continue;
        if (!(await folder.has(stored.id))) {
          // A backup has the import and not its file.
          await save({ ...stored, state: 'failed', problem: 'Its file is missing.', finishedAt: isoNow() });
          continue;
        }
        log.info({ id: stored.id, rows: stored.storedRows }, 'An import goes on');
        begin(stored, false, project);
      }
    },
    async close() {
      const own = job;
      if (own === null) return;
      own.stop = 'close';
      // A store that has failed answers no batch any more.
      await Promise.race([own.ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}

const CLOSE_MS = 10_000;
const PAUSED = 'Capture is paused: resume it, so that the events of the file are stored.';
const INSPECT_ONLY = 'The project only shows events and stores none. Change that in its settings.';

function addNotStored(notStored: NotStored[], reason: string, row: number): void {
  const known = notStored.find((one) => one.reason === reason);
  if (known === undefined) notStored.push({ reason, count: 1, row });
  else known.count++;
}

/** Events that the store refused count as rows that were not taken. */
function withNotStored(
  report: ImportPiece['report'],
  notStored: readonly NotStored[],
): StoredImport['report'] {
  const refused = notStored.reduce((sum, { count }) => sum + count, 0);
  return {
    ...report,
    events: report.events - refused,
    rejected: report.rejected + refused,
    problems: [...report.problems, ...notStored].map(({ reason, count, row }) => ({ reason, count, row })),
    known_events: null,
  };
}
