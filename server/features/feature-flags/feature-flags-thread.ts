import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openFlagCallTable, type FlagCall } from '../../warehouse/duckdb/flag-call-table.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';

/** Maximum number of buffered keys per project; keys come from clients. */
export const MAX_KEYS = 10_000;
/** No flag has a longer key. */
const MAX_KEY_LENGTH = 400;

/** The latest unsaved call of each flag. */
interface FlagCallBuffer {
  readonly isEmpty: boolean;
  note(call: FlagCall): void;
  /** Returns and clears the buffer. */
  drain(): FlagCall[];
  /** Drops the calls of a project. */
  forget(projectId: number): void;
}

export function createFlagCallBuffer(): FlagCallBuffer {
  let projects = new Map<number, Map<string, FlagCall>>();
  return {
    get isEmpty() {
      return projects.size === 0;
    },
    note(call) {
      const { projectId, key, at } = call;
      if (key === '' || key.length > MAX_KEY_LENGTH) return;
      let flags = projects.get(projectId);
      if (flags === undefined) projects.set(projectId, (flags = new Map<string, FlagCall>()));
      const known = flags.get(key);
      if (known === undefined ? flags.size < MAX_KEYS : known.at < at) flags.set(key, call);
    },
    drain() {
      const calls = [...projects.values()].flatMap((flags) => [...flags.values()]);
      projects = new Map();
      return calls;
    },
    forget: (projectId) => void projects.delete(projectId),
  };
}

/** SDKs send this event when code evaluates a flag (ingestion contract 11). */
const FLAG_CALLED = '$feature_flag_called';

/** The key of the flag that such an event names, or null. */
function calledFlag({ properties }: Pick<EventRow, 'properties'>): string | null {
  const { $feature_flag: key } = JSON.parse(textOfJson(properties)) as { $feature_flag?: unknown };
  return typeof key === 'string' ? key : null;
}

/** Calls are in the table at most so long after the commit of their events. */
const SAVE_AFTER_MS = 1_000;

/**
 * Notes of committed `$feature_flag_called` events when each flag was last called, and saves it once a second while such
 * events come; a kill loses the last second. An event of another name costs a comparison.
 */
export async function openFlagCalls(context: ParticipantContext): Promise<CommitParticipant> {
  const table = openFlagCallTable(await context.connect());
  const buffer = createFlagCallBuffer();
  let applied: EventRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let queue: Promise<void> = Promise.resolve();

  function note(row: EventRow): void {
    const key = calledFlag(row);
    // A clock that runs ahead must not make a flag look called for days to come.
    if (key !== null)
      buffer.note({ projectId: row.projectId, key, at: Math.min(row.timestamp, row.receivedAt) });
  }

  async function save(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (buffer.isEmpty) return;
    const calls = buffer.drain();
    try {
      await table.save(calls);
    } catch (error) {
      for (const call of calls) buffer.note(call);
      saveLater();
      context.log.warn({ error: String(error) }, 'When flags were last called could not be saved');
    }
  }

  /** One statement after another: they share a connection. */
  function saveInTurn(): Promise<void> {
    queue = queue.then(save);
    return queue;
  }

  function saveLater(): void {
    timer ??= setTimeout(() => void saveInTurn(), SAVE_AFTER_MS);
  }

  return {
    prepare: () => null,
    apply(rows) {
      for (const row of rows) if (row.event === FLAG_CALLED) applied.push(row);
    },
    write: () => null,
    committed() {
      if (applied.length === 0) return;
      for (const row of applied) note(row);
      applied = [];
      if (!buffer.isEmpty) saveLater();
    },
    rolledBack() {
      applied = [];
    },
    async forgetProject(projectId) {
      buffer.forget(projectId);
      await queue;
    },
    async beforeWipe(projectId) {
      buffer.forget(projectId);
      await queue;
      return () => undefined;
    },
    calls: { 'flag_calls.save': saveInTurn },
    async close() {
      await saveInTurn();
      if (timer !== null) clearTimeout(timer);
      table.close();
    },
  };
}

export {
  createFlagSubjectsThread,
  type FlagSubjectsThread,
  type SubjectSources,
} from './subjects/flag-subjects-thread.ts';
