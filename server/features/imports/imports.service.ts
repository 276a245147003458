import type { Readable } from 'node:stream';
import type { Analytics, Db } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { NewActivity } from '../../lib/activity.ts';
import type { Statements } from '../../db/db.ts';
import type { Capture, ImportedBatch } from '../capture/index.ts';
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
  listInterrupted,
  listOwners,
  saveDownload,
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
  /** Begins a file that Burrow reads from a host. */
  download(actor: Actor, project: ProjectRef, name: string): Promise<ShownImport>;
  /** Adds rows behind the first `bytes` of it; returns how many it has then. Throws invalid_input without room. */
  addDownloaded(found: StoredImport, bytes: number, rows: string, progress: number): Promise<number>;
  /** From then on it is a file like any other. */
  endDownload(found: StoredImport, bytes: number): Promise<void>;
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
  /** Ends the reading with it: a reader may be silent for long. */
  readonly reading: AbortController;
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

  /** `before`: what ran when `stored` began to be read, which may be older than its end. */
  function shown(stored: StoredImport, before: Job | null = null): ShownImport {
    const own = job?.id === stored.id ? job : null;
    const state = own?.state ?? (before?.id === stored.id ? before.state : stored);
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

  async function find(projectId: number, id: string): Promise<ShownImport> {
    const before = job;
    const found = await findImport(db, projectId, id);
    if (found === null) throw fail('not_found');
    return shown(found, before);
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
    /** What becomes of the batches, in their order. */
    const waiting: { piece: ImportPiece; answer: Promise<BatchAnswer> }[] = [];
    const notStored: NotStored[] = begin.notStored.map((one) => ({ ...one }));
    let known = 0;
    let noted = performance.now();
    const storedRows = own.isDryRun ? 0 : begin.storedRows;
    let needsHeader = await folder.beginRejected(own.id, storedRows);
    let hasHeader = false;

    async function addHeader({ rejectedHeader }: ImportPiece): Promise<void> {
      if (!hasHeader) await folder.addRejected(own.id, rejectedHeader);
      hasHeader = true;
    }

    async function settle(): Promise<void> {
      const { piece, answer } = waiting.shift()!;
      const settled = await answer;
      known += settled.known;
      if (settled.notStored.length > 0) {
        await addHeader(piece);
        await folder.addRefused(own.id, piece.rows, await refusedLines(piece, settled, notStored));
      }
      advance(own, piece, notStored, piece.rows > own.state.storedRows);
      if (performance.now() - noted < NOTE_MS) return;
      noted = performance.now();
      await save(own.state);
    }

    async function send(piece: ImportPiece): Promise<BatchAnswer> {
      if (piece.batch === null) return { known: 0, notStored: [] };
      if (own.isDryRun) return { known: await countKnown(analytics, project.id, piece.uuids), notStored: [] };
      if (capturePause.current() !== null) throw new ImportError(PAUSED);
      if (projects.find(project.id)?.inspectOnly) throw new ImportError(INSPECT_ONLY);
      const answer = await capture.storeImported(Buffer.from(piece.batch.buffer), PATH, piece.imported);
      // That was changed while the batch was on its way, of which nothing is stored then.
      if (answer.notStored.some(([, reason]) => reason === 'paused')) throw new ImportError(PAUSED);
      if (answer.notStored.some(([, reason]) => reason === 'inspected')) throw new ImportError(INSPECT_ONLY);
      return { known: 0, ...answer };
    }

    const order = {
      path: folder.pathOf(own.id),
      name: begin.name,
      settings: begin.settings!,
      token: project.apiToken,
      storedRows,
    };
    for await (const piece of reader.read(order, own.reading.signal)) {
      if (own.stop !== null) break;
      if (needsHeader || piece.rejected !== '') await addHeader(piece);
      needsHeader = false;
      if (piece.rejected !== '') await folder.addRejected(own.id, piece.rejected);
      const answer = send(piece);
      // It is reported where it is awaited.
      answer.catch(() => undefined);
      waiting.push({ piece, answer });
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
    try {
      await save(own.state);
      // What is stored needs no second place.
      if (state === 'done' && isOver) await folder.removeFile(own.id);
    } catch (error) {
      log.error({ err: error, id: own.id }, 'The end of an import could not be kept');
    } finally {
      if (job === own) job = null;
    }
    const { storedRows, report } = own.state;
    if (isOver)
      log.info({ id: own.id, state, rows: storedRows, events: report?.events ?? 0 }, 'An import has ended');
  }

  function begin(state: StoredImport, isDryRun: boolean, project: Project): Job {
    const own: Job = {
      id: state.id,
      state,
      isDryRun,
      stop: null,
      reading: new AbortController(),
      marks: [],
      ended: Promise.resolve(),
    };
    job = own;
    own.ended = finish(own, project);
    return own;
  }

  async function stop(id: string): Promise<void> {
    const own = job?.id === id ? job : null;
    if (own === null) return;
    own.stop = 'cancel';
    own.reading.abort();
    await own.ended;
  }

  async function preview(
    { id, name }: Pick<StoredImport, 'id' | 'name'>,
    settings: SentSettings,
  ): Promise<ImportPreviewJson> {
    if (!(await folder.has(id)))
      throw fail('invalid_input', {
        detail: 'The file was removed when its import was complete. Upload it again.',
      });
    return await reader.preview({ path: folder.pathOf(id), name }, settings).catch((error: unknown) => {
      throw error instanceof ImportError ? fail('invalid_input', { detail: error.message }) : error;
    });
  }

  /** What arrives now becomes known while this looks: those that arrive are looked up before those that are known. */
  async function removeLeft(): Promise<void> {
    await folder.keepOnly(async () => {
      const arriving = [...receiving];
      const stored = await listOwners(db);
      return new Set([...arriving, ...stored.map(({ id }) => id)]);
    });
  }

  projects.onDelete(async () => {
    const own = job;
    if (own !== null && projects.find(own.state.projectId) === null) await stop(own.id);
    for (const { id, projectId } of await listOwners(db)) {
      if (projects.find(projectId) !== null) continue;
      await deleteImport(db, id);
    }
    // Its rows may be deleted already.
    await removeLeft();
  });

  return {
    async list(projectId) {
      const before = job;
      return (await listImports(db, projectId)).map((stored) => shown(stored, before));
    },
    find,
    async receive(actor, project, name, body, announced) {
      const id = newId();
      receiving.add(id);
      try {
        const bytes = await folder.receive(id, body, announced);
        const added = {
          id,
          projectId: project.id,
          name,
          bytes,
          state: 'uploaded' as const,
          createdBy: actor.user.id,
          now: clock(),
        };
        // Its project may have been deleted meanwhile.
        if (projects.find(project.id) === null) throw fail('not_found');
        await insertImport(db, added);
        return await find(project.id, id);
      } catch (error) {
        await folder.remove(id);
        throw error;
      } finally {
        receiving.delete(id);
      }
    },
    async download(actor, project, name) {
      const id = newId();
      const added = { id, projectId: project.id, name, bytes: 0, state: 'downloading' as const };
      await insertImport(db, { ...added, createdBy: actor.user.id, now: clock() });
      return await find(project.id, id);
    },
    async addDownloaded({ id }, kept, rows, progress) {
      const bytes = await folder.append(id, kept, rows);
      await saveDownload(db, { id, bytes, state: 'downloading', progress });
      return bytes;
    },
    endDownload: ({ id }, bytes) => saveDownload(db, { id, bytes, state: 'uploaded', progress: 0 }),
    async preview(found, settings) {
      checkWhole(found);
      return await preview(found, settings);
    },
    async start(actor, project, stored, sent, isDryRun) {
      const { id, name } = stored;
      checkWhole(stored);
      if (job !== null)
        throw fail('conflict', { detail: 'Another import is running. Wait until it has ended.' });
      if (!isDryRun && capturePause.current() !== null) throw fail('conflict', { detail: PAUSED });
      const own = projects.find(project.id)!;
      if (!isDryRun && own.inspectOnly) throw fail('conflict', { detail: INSPECT_ONLY });
      const { refusal, settings } = await preview({ id, name }, sent);
      if (refusal !== null) throw fail('invalid_input', { detail: refusal });
      // Another request may have started, ended or removed it meanwhile.
      const found = await find(project.id, id);
      if (job !== null)
        throw fail('conflict', { detail: 'Another import is running. Wait until it has ended.' });
      // With the same settings an import goes on where it ended; with others its rows may become other events.
      const isSame = JSON.stringify(found.settings) === JSON.stringify(settings);
      const goesOn = !isDryRun && isSame && (found.state === 'failed' || found.state === 'canceled');
      const { rowsPerSecond: _, secondsLeft: __, ...known } = found;
      const state: StoredImport = {
        ...known,
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
      return await find(found.projectId, found.id);
    },
    readRejected: ({ id }) => folder.readRejected(id),
    async remove({ id }) {
      await stop(id);
      await deleteImport(db, id);
      await folder.remove(id);
    },
    async resume() {
      await removeLeft();
      for (const stored of await listInterrupted(db)) {
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
      own.reading.abort();
      // A store that has failed answers no batch any more.
      await Promise.race([own.ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}

function checkWhole({ state }: StoredImport): void {
  if (state === 'downloading') throw fail('conflict', { detail: 'The file is still being downloaded.' });
}

const CLOSE_MS = 10_000;
const PAUSED = 'Capture is paused: resume it, so that the events of the file are stored.';
const INSPECT_ONLY = 'The project only shows events and stores none. Change that in its settings.';

/** What became of a batch: its events that the project had (a dry run), or those that the store refused. */
type BatchAnswer = ImportedBatch & { readonly known: number };

/** Lines for the file of rows that were not taken, of the events that the store refused; they are counted by reason. */
async function refusedLines(
  { uuids, rowOf, rowNumbers, rowTexts, form }: ImportPiece,
  { notStored: refused }: BatchAnswer,
  notStored: NotStored[],
): Promise<string[]> {
  const { refusedLine } = await import('./read/rejected-line.ts');
  /** A source may have given an ID twice. */
  const rowsOf = new Map<string, number[]>();
  for (const [at, uuid] of uuids.entries()) rowsOf.set(uuid, [...(rowsOf.get(uuid) ?? []), rowOf[at]!]);
  const lines = new Map<number, string>();
  for (const [uuid, reason] of refused) {
    const row = rowsOf.get(uuid)?.shift();
    if (row === undefined) continue;
    addNotStored(notStored, reason, rowNumbers[row]!);
    if (!lines.has(row)) lines.set(row, refusedLine(rowTexts[row]!, reason, form));
  }
  return [...lines.values()];
}

const MAX_REASONS = 100;

function addNotStored(notStored: NotStored[], reason: string, row: number): void {
  const named = notStored.find((one) => one.reason === reason);
  const known = named ?? (notStored.length < MAX_REASONS ? undefined : notStored.at(-1));
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
