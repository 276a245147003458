import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Clock } from '../../lib/clock.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { WarningCases } from '../../warehouse/duckdb/warning-table.ts';
import type { IngestionWarning } from './ingestion-warning.ts';

/** Maximum rows of one project; those without new occurrences for longest are deleted. */
export const MAX_ROWS = 10_000;
/** Characters of a text in a sample. */
const SAMPLE_TEXT_LENGTH = 500;

interface Entry extends Omit<WarningCases, 'sample'> {
  sample: IngestionWarning['sample'];
}

/** Unsaved occurrences of warnings, counted by type and sender. */
export interface WarningBuffer {
  readonly isEmpty: boolean;
  note(projectId: number, warning: IngestionWarning, count?: number): void;
  /** Returns and clears the buffer. */
  drain(): WarningCases[];
  /** Adds occurrences that could not be saved. */
  restore(cases: readonly WarningCases[]): void;
}

/** Holds at most MAX_ROWS rows per project. */
export function createWarningBuffer(clock: Clock): WarningBuffer {
  let projects = new Map<number, Map<string, Entry>>();

  function put(entry: Entry): void {
    let entries = projects.get(entry.projectId);
    if (entries === undefined) projects.set(entry.projectId, (entries = new Map<string, Entry>()));
    const key = `${entry.type}\n${entry.source}\n${entry.lib}\n${entry.libVersion}`;
    const known = entries.get(key);
    // Moved to the end: the entry without new occurrences for longest is first and evicted first.
    entries.delete(key);
    entries.set(key, known === undefined ? entry : sumOf(known, entry));
    if (entries.size > MAX_ROWS) entries.delete(entries.keys().next().value!);
  }

  return {
    get isEmpty() {
      return projects.size === 0;
    },
    note(projectId, warning, count = 1) {
      const now = clock();
      put({ projectId, ...warning, count, firstSeen: now, lastSeen: now });
    },
    drain() {
      const entries = [...projects.values()].flatMap((project) => [...project.values()]);
      projects = new Map();
      return entries.map((entry) => ({ ...entry, sample: sampleText(entry.sample) }));
    },
    restore(cases) {
      for (const entry of cases) put({ ...entry, sample: parseExactly(entry.sample) as Entry['sample'] });
    },
  };
}

function sumOf(a: Entry, b: Entry): Entry {
  const newer = a.lastSeen > b.lastSeen ? a : b;
  return { ...newer, count: a.count + b.count, firstSeen: Math.min(a.firstSeen, b.firstSeen) };
}

/** Long texts are truncated, since samples are for people to read. */
function sampleText(sample: Entry['sample']): string {
  const cut = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, shortened(value)]));
  return jsonText(cut);
}

function shortened(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > SAMPLE_TEXT_LENGTH;
  return isLong ? `${value.slice(0, SAMPLE_TEXT_LENGTH)}…` : value;
}
