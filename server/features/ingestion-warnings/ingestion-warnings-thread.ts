import type { OwnerContext } from '../../db/owner.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openWarningTable } from '../../warehouse/duckdb/warning-table.ts';
import { createWarningBuffer, MAX_ROWS } from './warning-buffer.ts';
import type { IngestionWarning, Warn } from './ingestion-warning.ts';

/** Maximum delay until an occurrence is saved. */
const SAVE_AFTER_MS = 1_000;

/** Ingestion warnings of the store thread. */
export interface IngestionWarnings {
  readonly warn: Warn;
  /** Adds an occurrence for an event; `details` are added to its name and distinct ID. */
  warnAbout(row: EventRow, type: IngestionWarning['type'], details: IngestionWarning['sample']): void;
  /** Clears samples that contain one of these texts, such as the distinct IDs of a deleted person. */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
  /** Saves the buffer before a read. */
  readonly calls: Readonly<Record<'ingestion_warnings.save', () => Promise<void>>>;
  /** Saves the buffer and closes. */
  close(): Promise<void>;
}

/** Opens the table of warnings on its own connection, and saves once a second while there are occurrences. */
export async function openIngestionWarnings(
  context: Pick<OwnerContext, 'connect' | 'clock' | 'log'>,
): Promise<IngestionWarnings> {
  const table = openWarningTable(await context.connect(), MAX_ROWS);
  const buffer = createWarningBuffer(context.clock);
  let timer: NodeJS.Timeout | null = null;
  let queue: Promise<void> = Promise.resolve();

  /** Runs one statement at a time: they share a connection. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  /** On failure, restores the buffer, schedules a retry in a second and rethrows. */
  async function save(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (buffer.isEmpty) return;
    const cases = buffer.drain();
    try {
      await table.add(cases);
    } catch (error) {
      buffer.restore(cases);
      saveLater();
      throw error;
    }
  }

  async function saveOrLog(): Promise<void> {
    try {
      await save();
    } catch (error) {
      context.log.warn({ error: String(error) }, 'Ingestion warnings could not be saved');
    }
  }

  function saveLater(): void {
    timer ??= setTimeout(() => void enqueue(saveOrLog), SAVE_AFTER_MS);
  }

  function warn(projectId: number, warning: IngestionWarning, count = 1): void {
    buffer.note(projectId, warning, count);
    saveLater();
  }

  return {
    warn,
    warnAbout({ projectId, event, distinctId, source, lib, libVersion }, type, details) {
      const sample = { event, distinct_id: distinctId, ...details };
      warn(projectId, { type, source, lib, libVersion, sample });
    },
    forget: (projectId, texts) =>
      enqueue(async () => {
        await save();
        await table.forget(projectId, texts);
      }),
    calls: { 'ingestion_warnings.save': () => enqueue(saveOrLog) },
    async close() {
      await enqueue(saveOrLog);
      if (timer !== null) clearTimeout(timer);
      table.close();
    },
  };
}
