import type { Clock } from '../../lib/clock.ts';
import { withoutLoneSurrogates } from '../../lib/json-text.ts';
import type { WarningCases } from '../../warehouse/duckdb/warning-table.ts';
import type { IngestionWarning } from './ingestion-warning.ts';

/** Rows of one project; those without new cases for longest go. */
export const ROWS_KEPT = 10_000;
/** Characters of a text in a sample. */
const SAMPLE_TEXT_LENGTH = 500;

interface Entry extends Omit<WarningCases, 'sample'> {
  sample: IngestionWarning['sample'];
}

/** Cases that were not saved yet, counted by kind and sender. */
export interface WarningBook {
  readonly isEmpty: boolean;
  note(projectId: number, warning: IngestionWarning, count?: number): void;
  /** Everything noted since the last time, and starts anew. */
  take(): WarningCases[];
  /** Adds what could not be saved. */
  putBack(cases: readonly WarningCases[]): void;
}

/** Makes an empty book, which holds no more rows of a project than are ever kept. */
export function createWarningBook(clock: Clock): WarningBook {
  let projects = new Map<number, Map<string, Entry>>();

  function put(entry: Entry): void {
    let entries = projects.get(entry.projectId);
    if (entries === undefined) projects.set(entry.projectId, (entries = new Map<string, Entry>()));
    const key = `${entry.type}\n${entry.source}\n${entry.lib}\n${entry.libVersion}`;
    const known = entries.get(key);
    // Behind all others: the one without new cases for longest stands first, and goes first.
    entries.delete(key);
    entries.set(key, known === undefined ? entry : sumOf(known, entry));
    if (entries.size > ROWS_KEPT) entries.delete(entries.keys().next().value!);
  }

  return {
    get isEmpty() {
      return projects.size === 0;
    },
    note(projectId, warning, count = 1) {
      const now = clock();
      put({ projectId, ...warning, count, firstSeen: now, lastSeen: now });
    },
    take() {
      const entries = [...projects.values()].flatMap((project) => [...project.values()]);
      projects = new Map();
      return entries.map((entry) => ({ ...entry, sample: sampleText(entry.sample) }));
    },
    putBack(cases) {
      for (const entry of cases) put({ ...entry, sample: JSON.parse(entry.sample) as Entry['sample'] });
    },
  };
}

function sumOf(a: Entry, b: Entry): Entry {
  const newer = a.lastSeen > b.lastSeen ? a : b;
  return { ...newer, count: a.count + b.count, firstSeen: Math.min(a.firstSeen, b.firstSeen) };
}

/** Samples are kept for people to read: a text of megabytes tells no more than its beginning. */
function sampleText(sample: Entry['sample']): string {
  const cut = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, shortened(value)]));
  return withoutLoneSurrogates(JSON.stringify(cut));
}

function shortened(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > SAMPLE_TEXT_LENGTH;
  return isLong ? `${value.slice(0, SAMPLE_TEXT_LENGTH)}…` : value;
}
