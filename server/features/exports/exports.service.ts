import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Analytics } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor, ManagementRoute, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { checkRoom, whileRoom } from '../../lib/disk-room.ts';
import {
  ALL_TIME,
  EXPORTED_COLUMNS,
  exportedBoundsQuery,
  exportedCsvLine,
  exportedEventsQuery,
  exportedJsonLine,
  momentText,
  readExportTime,
  shortSpans,
  type CountedSpan,
  type ExportedEvent,
  type ExportedWhich,
} from '../../lib/exported-events.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import type { Projects } from '../projects/index.ts';
import type { HogqlStatement, Queries } from '../query/index.ts';
import type { ExportBody, ExportJson } from './exports.contract.ts';
import { copyLinesToParquet } from './exports.reads.ts';
import { createDefinitions } from './read-definitions.ts';
import { writeArchive, type ArchiveFile } from './write-archive.ts';

/** Milliseconds that a Parquet file of all events may take. */
const PARQUET_LIMIT_MS = 86_400_000;
/** The end of the server waits so long for an export that ends. */
const CLOSE_MS = 10_000;
/** Less of it gives no time that is left. */
const KNOWN_PROGRESS = 0.02;

export interface ExportParts {
  queries: Pick<Queries, 'rows'>;
  analytics: Analytics;
  projects: Pick<Projects, 'find' | 'levelOf' | 'onDelete'>;
  /** Of all features, which answer what the definitions of a project are. */
  routes: readonly ManagementRoute[];
  folder: string;
  version: string;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** Archives with everything of a project. They are kept until the next one, or the end of the server. */
export interface Exports {
  list(projectId: number): ExportJson[];
  /** Throws not_found. */
  find(projectId: number, id: string): ExportJson;
  /** Goes on after its answer. Throws invalid_input for a time and without room, conflict while another one runs. */
  start(actor: Actor, project: ProjectRef, body: ExportBody): Promise<ExportJson>;
  cancel(projectId: number, id: string): Promise<ExportJson>;
  remove(projectId: number, id: string): Promise<void>;
  /** Of the archive. */
  pathOf(id: string): string;
  close(): Promise<void>;
}

interface Job {
  readonly projectId: number;
  readonly startedMs: number;
  /** What there was to export when it began. */
  total: number;
  state: ExportJson;
  readonly abort: AbortController;
  /** Never fails. */
  ended: Promise<void>;
}

export function createExports(parts: ExportParts): Exports {
  const { queries, analytics, projects, folder, clock, newId, log } = parts;
  /** The last one of each project. */
  const jobs = new Map<number, Job>();
  const isoNow = (): string => new Date(clock()).toISOString();
  const pathOf = (id: string): string => join(folder, `${id}.zip`);
  const isRunning = (job: Job): boolean => job.state.state === 'running';
  // Archives of an earlier process belong to no export.
  const ready = rm(folder, { recursive: true, force: true });

  function shown(job: Job): ExportJson {
    const { state, startedMs, total } = job;
    if (state.state !== 'running') return state;
    const done = state.exported_events + state.exported_persons;
    // Definitions and the end of the archive are left when all rows are written.
    const progress = total === 0 ? 0 : Math.min(0.99, done / total);
    const seconds = (performance.now() - startedMs) / 1000;
    const left = progress < KNOWN_PROGRESS ? null : Math.round((seconds * (1 - progress)) / progress);
    return { ...state, progress, seconds_left: left };
  }

  function jobOf(projectId: number, id: string): Job {
    const job = jobs.get(projectId);
    if (job?.state.id !== id) throw fail('not_found');
    return job;
  }

  async function stop(job: Job): Promise<void> {
    job.abort.abort();
    await job.ended;
  }

  async function drop(job: Job): Promise<void> {
    await stop(job);
    if (jobs.get(job.projectId) === job) jobs.delete(job.projectId);
    await rm(pathOf(job.state.id), { force: true });
  }

  async function run(job: Job, actor: Actor, project: ProjectRef, which: ChosenEvents): Promise<void> {
    const { signal } = job.abort;
    const path = pathOf(job.state.id);
    const rowsOf = (statement: HogqlStatement) => queries.rows(project, statement, { actor, signal });
    const source = createSource(rowsOf, which);
    const definitions = createDefinitions({ routes: parts.routes, actor, project, signal });
    const events = await source.countEvents();
    const persons = await source.countPersons();
    job.total = events.count + persons.count;
    const count = (name: 'exported_events' | 'exported_persons' | 'exported_groups') => (): void => {
      job.state[name]++;
    };
    const lines = () => source.eventLines(job.state.format, events, count('exported_events'));

    /** DuckDB reads the lines from a file of their own. */
    async function* parquet(): AsyncGenerator<Buffer> {
      const [linesPath, parquetPath] = [`${path}.lines`, `${path}.parquet`];
      try {
        const room = whileRoom(folder, noRoom);
        await pipeline(Readable.from(lines()), toBuffers, room, createWriteStream(linesPath, { mode: 0o600 }), { signal }); // prettier-ignore
        await checkRoom(folder, (await stat(linesPath)).size, noRoom);
        const columns = EXPORTED_COLUMNS;
        const limits = { signal, timeoutMs: PARQUET_LIMIT_MS };
        await copyLinesToParquet(analytics, { lines: linesPath, columns, path: parquetPath }, limits);
        await rm(linesPath, { force: true });
        yield* createReadStream(parquetPath) as AsyncIterable<Buffer>;
      } finally {
        await Promise.all([linesPath, parquetPath].map((file) => rm(file, { force: true })));
      }
    }

    const isParquet = job.state.format === 'parquet';
    const files: ArchiveFile[] = [
      { name: `events.${job.state.format}`, isCompressed: isParquet, read: isParquet ? parquet : lines },
      { name: 'persons.jsonl', read: () => source.personLines(persons, count('exported_persons')) },
      {
        name: 'groups.jsonl',
        read: () => source.groupLines(definitions.groupTypes, count('exported_groups')),
      },
      { name: 'cohort-members.jsonl', read: () => source.memberLines(definitions.staticCohorts) },
      ...definitions.files(),
      {
        name: 'export.json',
        async *read() {
          const { from, to, events: names, format, created_at: createdAt } = job.state;
          const { exported_events: e, exported_persons: p, exported_groups: g } = job.state;
          const about = {
            burrow: parts.version,
            project: { id: project.id, name: project.name, timezone: project.timezone },
            exported_at: createdAt,
            format,
            from,
            to,
            event_names: names,
            events: e,
            persons: p,
            groups: g,
          };
          yield `${JSON.stringify(about, null, 2)}\n`;
        },
      },
    ];
    await writeWhole(path, (draft) =>
      writeArchive(draft, files, { mtime: new Date(clock()), noRoom, signal }),
    );
    const { size } = await stat(path);
    job.state = { ...job.state, state: 'done', progress: 1, seconds_left: null, bytes: size };
  }

  async function finish(job: Job, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isCanceled = job.abort.signal.aborted;
      const problem = isCanceled ? null : problemOf(error);
      job.state = { ...shown(job), state: isCanceled ? 'canceled' : 'failed', seconds_left: null, problem };
      if (!isCanceled && !(error instanceof ApiError)) log.error({ err: error }, 'An export failed');
    }
    job.state = { ...job.state, finished_at: isoNow() };
    const { state, exported_events: events, bytes } = job.state;
    log.info({ projectId: job.projectId, state, events, bytes }, 'An export has ended');
  }

  projects.onDelete(async () => {
    for (const job of jobs.values()) if (projects.find(job.projectId) === null) await drop(job);
  });

  return {
    list: (projectId) => [...jobs.values()].filter((job) => job.projectId === projectId).map(shown),
    find: (projectId, id) => shown(jobOf(projectId, id)),
    pathOf,
    async start(actor, project, body) {
      const now = clock();
      const which: ChosenEvents = {
        events: body.events,
        receivedUntil: BigInt(now) * 1000n,
        from: body.from === null ? ALL_TIME.from : timeOf('from', body.from, now).from,
        to: body.to === null ? ALL_TIME.to : timeOf('to', body.to, now).to,
      };
      if ([...jobs.values()].some(isRunning))
        throw fail('conflict', { detail: 'Another export is running. Wait until it has ended.' });
      const id = newId();
      const stem = project.name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|-+$/g, '').slice(0, 60); // prettier-ignore
      const job: Job = {
        projectId: project.id,
        startedMs: performance.now(),
        total: 0,
        state: {
          id,
          name: `${stem || 'project'}-${new Date(now).toISOString().slice(0, 10)}.zip`,
          state: 'running',
          ...body,
          progress: 0,
          seconds_left: null,
          exported_events: 0,
          exported_persons: 0,
          exported_groups: 0,
          bytes: null,
          problem: null,
          created_at: isoNow(),
          finished_at: null,
        },
        abort: new AbortController(),
        ended: Promise.resolve(),
      };
      const earlier = jobs.get(project.id);
      jobs.set(project.id, job);
      try {
        await ready;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (earlier !== undefined) await rm(pathOf(earlier.state.id), { force: true });
        await checkRoom(folder, 0, noRoom);
      } catch (error) {
        jobs.delete(project.id);
        throw error;
      }
      job.ended = finish(job, run(job, actor, project, which));
      return shown(job);
    },
    async cancel(projectId, id) {
      const job = jobOf(projectId, id);
      await stop(job);
      return shown(job);
    },
    remove: (projectId, id) => drop(jobOf(projectId, id)),
    async close() {
      const ending = [...jobs.values()].map(stop);
      await Promise.race([
        Promise.all(ending),
        new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
      ]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type ChosenEvents = ExportedWhich & Pick<CountedSpan, 'from' | 'to'>;

/** The rows of a project as lines, in bounded memory. */
function createSource(
  rowsOf: (statement: HogqlStatement) => AsyncIterable<readonly unknown[]>,
  which: ChosenEvents,
) {
  const values = { events: which.events };

  async function boundsOf(query: string): Promise<CountedSpan> {
    for await (const [from, to, count] of rowsOf({ query, values }))
      return { from: micros(from), to: micros(to) + 1n, count: Number(count) };
    throw new Error('A count has no row');
  }

  const personsIn = ({ from, to }: Pick<CountedSpan, 'from' | 'to'>): string =>
    `FROM persons WHERE created_at >= ${momentText(from)} AND created_at < ${momentText(to)}`;
  const countPersons = (span: Pick<CountedSpan, 'from' | 'to'> = ALL_TIME) =>
    boundsOf(
      `SELECT toUnixTimestamp64Micro(min(created_at)), toUnixTimestamp64Micro(max(created_at)), count() ${personsIn(span)}`,
    );
  const countEvents = (span: Pick<CountedSpan, 'from' | 'to'> = which) =>
    boundsOf(exportedBoundsQuery(which, span));

  return {
    countEvents: () => countEvents(),
    countPersons: () => countPersons(),
    async *eventLines(format: string, whole: CountedSpan, onEvent: () => void): AsyncGenerator<string> {
      if (format === 'csv') yield exportedCsvLine(EXPORTED_COLUMNS);
      const countIn = async (from: bigint, to: bigint) => (await countEvents({ from, to })).count;
      for await (const span of shortSpans(whole, countIn))
        for await (const row of rowsOf({ query: exportedEventsQuery(which, span, 'sorted'), values })) {
          onEvent();
          if (format === 'csv') yield exportedCsvLine(row as readonly string[]);
          else {
            const event = Object.fromEntries(EXPORTED_COLUMNS.map((name, at) => [name, row[at]]));
            // Columns of Parquet are texts.
            yield format === 'parquet'
              ? `${JSON.stringify(event)}\n`
              : exportedJsonLine(event as ExportedEvent);
          }
        }
    },
    /** A line for each distinct ID, as PostHog's batch exports have them. */
    async *personLines(whole: CountedSpan, onPerson: () => void): AsyncGenerator<string> {
      const countIn = async (from: bigint, to: bigint) => (await countPersons({ from, to })).count;
      let last: unknown = null;
      for await (const span of shortSpans(whole, countIn)) {
        const columns = `toString(id), pdi.distinct_id, properties, is_identified, toTimeZone(created_at, 'UTC')`;
        const query = `SELECT ${columns} ${personsIn(span)} ORDER BY created_at, id, pdi.distinct_id`;
        for await (const [id, distinctId, properties, isIdentified, createdAt] of rowsOf({ query })) {
          if (id !== last) onPerson();
          last = id;
          yield lineOf({ distinct_id: distinctId, person_id: id }, properties, {
            created_at: createdAt,
            is_identified: isIdentified,
          });
        }
      }
    },
    async *groupLines(
      readTypes: () => Promise<{ group_type: string; group_type_index: number }[]>,
      onGroup: () => void,
    ): AsyncGenerator<string> {
      const types = new Map((await readTypes()).map((type) => [type.group_type_index, type.group_type]));
      const query = `SELECT index, key, properties, toTimeZone(created_at, 'UTC') FROM groups`;
      for await (const [index, key, properties, createdAt] of rowsOf({ query })) {
        onGroup();
        const names = { group_type: types.get(Number(index)), group_type_index: index, group_key: key };
        yield lineOf(names, properties, { created_at: createdAt });
      }
    },
    async *memberLines(readStatic: () => Promise<number[]>): AsyncGenerator<string> {
      for (const id of await readStatic()) {
        const query = `SELECT toString(id) FROM persons WHERE id IN COHORT ${id}`;
        for await (const [personId] of rowsOf({ query }))
          yield `${JSON.stringify({ cohort_id: id, person_id: personId })}\n`;
      }
    },
  };
}

/** Whole numbers beyond 2^53 are texts; of no rows there is no first. */
function micros(value: unknown): bigint {
  return BigInt((value ?? 0) as string | number);
}

/** The properties are the stored text, with all digits of its numbers. */
function lineOf(before: object, properties: unknown, after: object): string {
  const text = typeof properties === 'string' && properties !== '' ? properties : '{}';
  return `${JSON.stringify(before).slice(0, -1)},"properties":${text},${JSON.stringify(after).slice(1)}\n`;
}

async function* toBuffers(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

function noRoom(): Error {
  return fail('invalid_input', { detail: 'There is not enough room on the disk for the export.' });
}

function problemOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return /ENOSPC|No space left|disk is full/i.test(String(error))
    ? noRoom().message
    : 'Unexpected; see the server log.';
}

/** Throws invalid_input. */
function timeOf(attr: 'from' | 'to', text: string, now: number): Pick<CountedSpan, 'from' | 'to'> {
  const span = readExportTime(text, now);
  if (span === null)
    throw fail('invalid_input', {
      attr,
      detail: 'Expected a day such as 2026-11-20, a time such as 2026-11-20T09:30:00Z, or one such as -7d.',
    });
  return { from: BigInt(Math.round(span.start)), to: BigInt(Math.round(span.end)) };
}
