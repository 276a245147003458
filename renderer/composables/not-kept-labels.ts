import type { IngestionReport } from '../../server/features/ingestion/ingestion.contract.ts';
import { formatBytes, formatCount } from '../ui/format.ts';

const NAMES: Record<string, string> = { 'session recording': 'Session recordings', logs: 'Logs' };

/** What was answered as PostHog does and is not kept here, by kind: its name, and how much it was. */
export function notKeptOf({
  accepted_not_kept,
}: Pick<IngestionReport, 'accepted_not_kept'>): { name: string; amount: string; lastSeen: string }[] {
  return accepted_not_kept
    .toSorted((a, b) => Date.parse(b.last_seen) - Date.parse(a.last_seen))
    .map(({ kind, count, bytes, last_seen }) => ({
      name: NAMES[kind] ?? kind,
      amount: `${formatCount(count)}, ${formatBytes(bytes)}`,
      lastSeen: last_seen,
    }));
}
