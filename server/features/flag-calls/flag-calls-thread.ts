import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openFlagCallTable } from '../../warehouse/duckdb/flag-call-table.ts';
import { calledFlag, FLAG_CALLED } from './called-flag.ts';
import { createFlagCallBook } from './flag-call-book.ts';

/** Calls are in the table at most so long after the commit of their events. */
const SAVE_AFTER_MS = 1_000;

/**
 * Notes of committed `$feature_flag_called` events when each flag was last called, and saves it once a second while such
 * events come; a kill loses the last second. An event of another name costs a comparison.
 */
export async function openFlagCalls(context: ParticipantContext): Promise<CommitParticipant> {
  const table = openFlagCallTable(await context.connect());
  const book = createFlagCallBook();
  let applied: EventRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let queue: Promise<void> = Promise.resolve();

  function note(row: EventRow): void {
    const key = calledFlag(row);
    // A clock that runs ahead must not make a flag look called for days to come.
    if (key !== null)
      book.note({ projectId: row.projectId, key, at: Math.min(row.timestamp, row.receivedAt) });
  }

  async function save(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (book.isEmpty) return;
    const calls = book.take();
    try {
      await table.save(calls);
    } catch (error) {
      for (const call of calls) book.note(call);
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
      if (!book.isEmpty) saveLater();
    },
    rolledBack() {
      applied = [];
    },
    async forgetProject(projectId) {
      book.forget(projectId);
      await queue;
    },
    async beforeWipe(projectId) {
      book.forget(projectId);
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
