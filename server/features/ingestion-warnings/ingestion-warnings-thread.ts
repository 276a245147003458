import type { OwnerContext } from '../../db/owner.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openWarningTable } from '../../warehouse/duckdb/warning-table.ts';
import { createWarningBook, ROWS_KEPT } from './warning-book.ts';
import type { IngestionWarning, Warn } from './ingestion-warning.ts';

/** Cases are in the table at most so long after they were noted. */
const SAVE_AFTER_MS = 1_000;

/** The warnings of the thread in which events are taken in. */
export interface IngestionWarnings {
  readonly warn: Warn;
  /** Notes a case of an event; `details` are what there is to say beside its name and distinct id. */
  warnAbout(row: EventRow, type: IngestionWarning['type'], details: IngestionWarning['sample']): void;
  /** Empties the samples that quote one of these texts, such as the distinct ids of a person who is being deleted. */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
  /** Saves what was noted, for a reader who wants to see all of it. */
  readonly calls: Readonly<Record<'ingestion_warnings.save', () => Promise<void>>>;
  /** Saves what was noted, and ends. */
  close(): Promise<void>;
}

/** Opens the table of warnings on a connection of its own, and saves to it once a second while cases come. */
export async function openIngestionWarnings(
  context: Pick<OwnerContext, 'connect' | 'clock' | 'log'>,
): Promise<IngestionWarnings> {
  const table = openWarningTable(await context.connect(), ROWS_KEPT);
  const book = createWarningBook(context.clock);
  let timer: NodeJS.Timeout | null = null;
  let queue: Promise<void> = Promise.resolve();

  /** One statement after another: they share a connection. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  /** Rejects when the table takes nothing now; then all of it is tried again a second later. */
  async function save(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (book.isEmpty) return;
    const cases = book.take();
    try {
      await table.add(cases);
    } catch (error) {
      book.putBack(cases);
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
    timer ??= setTimeout(() => void inTurn(saveOrLog), SAVE_AFTER_MS);
  }

  function warn(projectId: number, warning: IngestionWarning, count = 1): void {
    book.note(projectId, warning, count);
    saveLater();
  }

  return {
    warn,
    warnAbout({ projectId, event, distinctId, source, lib, libVersion }, type, details) {
      const sample = { event, distinct_id: distinctId, ...details };
      warn(projectId, { type, source, lib, libVersion, sample });
    },
    forget: (projectId, texts) =>
      inTurn(async () => {
        await save();
        await table.forget(projectId, texts);
      }),
    calls: { 'ingestion_warnings.save': () => inTurn(saveOrLog) },
    async close() {
      await inTurn(saveOrLog);
      if (timer !== null) clearTimeout(timer);
      table.close();
    },
  };
}
