import type { DroppedRow } from '../../api/ingestion.api.ts';

interface DropWords {
  title: string;
  /** What to do about it; code between backticks. */
  hint: string;
}

const WORDS: Record<string, DropWords> = {
  missing_event_name: {
    title: 'No event name',
    hint: '`capture()` was called without a name, or with an empty one. Give each event a name.',
  },
  missing_distinct_id: {
    title: 'No distinct_id',
    hint: 'An event needs somebody it happened to. Server SDKs take `distinctId` (Python: `distinct_id`) with each `capture()`.',
  },
  empty_distinct_id: {
    title: 'distinct_id is empty',
    hint: 'Somebody’s id was not known yet: often a user that is loaded after the event. Send it later, or with a random id.',
  },
  performance_event: {
    title: '$performance_event',
    hint: 'An old kind of event that PostHog no longer keeps either. Newer SDKs do not send it.',
  },
  not_storable: {
    title: 'Could not be stored',
    hint: 'A value in it fits no event, such as a time beyond the calendar. The sample names the event.',
  },
};

/** Why events were dropped: its short name and what to do about it. */
function dropWordsOf(reason: string): DropWords {
  return WORDS[reason] ?? { title: reason.replaceAll('_', ' '), hint: '' };
}

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
  return { reason, ...dropWordsOf(reason), count, rows };
}
