import type { DroppedRow } from '../../api/ingestion.api.ts';
import { reasonWordsOf } from '../../composables/reason-words.ts';

export interface DropGroup {
  reason: string;
  title: string;
  hint: string;
  count: number;
  rows: readonly DroppedRow[];
}

/** Dropped events by reason, the most frequent first; within it by SDK and version. */
export function groupDrops(rows: readonly DroppedRow[]): DropGroup[] {
  const reasons = [...new Set(rows.map((row) => row.reason))];
  return reasons.map((reason) => groupOf(reason, rows)).toSorted((a, b) => b.count - a.count);
}

function groupOf(reason: string, all: readonly DroppedRow[]): DropGroup {
  const rows = all.filter((row) => row.reason === reason).toSorted((a, b) => b.count - a.count);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const { title, advice } = reasonWordsOf(reason);
  return { reason, title, hint: advice, count, rows };
}
