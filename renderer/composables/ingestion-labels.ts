import type { IngestionReport } from '../../server/features/ingestion/ingestion.contract.ts';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatCountOf,
  formatDuration,
  formatShare,
} from '../ui/format.ts';
import { senderOf } from './sender-labels.ts';

/** What became of everything that was received, in a sentence. */
export function verdictOf({
  received,
  stored,
  duplicates,
  inspected,
  dropped,
  refused,
}: IngestionReport): string {
  if (received === 0) return 'No events were sent in this period.';
  const shown =
    inspected > 0
      ? `${formatCountOf(inspected, 'event')} ${wasOf(inspected)} shown live only: this project is set to inspect only.`
      : '';
  if (inspected === received) return shown;
  if (dropped === 0 && inspected === 0)
    return `Every event ${refused > 0 ? 'that was accepted ' : ''}was stored${duplicates === 0 ? '' : ' once'}.`;
  const kept = `${formatShare(stored + duplicates, received)} were stored.`;
  const gone =
    dropped > 0
      ? `${dropped === 1 ? 'One' : formatCount(dropped)} ${wasOf(dropped)} accepted with status 200, as the API requires, and dropped.`
      : '';
  return [kept, shown, gone].filter(Boolean).join(' ');
}

function wasOf(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/** Further notes of the report: duplicate events and rejected requests. */
export function asidesOf({ duplicates, refused }: IngestionReport): string[] {
  const twice = `${formatCountOf(duplicates, 'event')} ${duplicates === 1 ? 'was' : 'were'} sent twice because SDKs retry, and ${duplicates === 1 ? 'is' : 'are'} stored once.`;
  const away = `${formatCountOf(refused, 'request')} ${refused === 1 ? 'was' : 'were'} rejected. Connect lists the latest with the reason.`;
  return [...(duplicates > 0 ? [twice] : []), ...(refused > 0 ? [away] : [])];
}

/** How the store keeps up: names and values; `now` (Unix milliseconds) is the time of the report. */
export function pipelineOf(
  { queue, commit, store }: IngestionReport,
  now: number,
): [name: string, value: string][] {
  const hasCommits = commit.count > 0;
  const range = commit.events_min === commit.events_max ? '' : ` to ${formatCount(commit.events_max)}`;
  const times = `${formatDuration(commit.p50_ms)}, ${formatDuration(commit.p95_ms)}`;
  return [
    ['Waiting in the queue', formatCountOf(queue.events, 'event')],
    ['Commit time, p50 and p95', hasCommits ? times : 'none yet'],
    ['Events per commit', hasCommits ? formatCount(commit.events_min) + range : 'none yet'],
    ['File', formatBytes(store.file_bytes + store.wal_bytes)],
    ['Stored events', formatCount(store.events)],
    ['Last checkpoint', store.last_checkpoint ? formatAgo(store.last_checkpoint, now) : 'none yet'],
  ];
}

/** What each SDK and version brought, the busiest first. */
export function librariesOf({
  libraries,
}: IngestionReport): { name: string; stored: number; dropped: number }[] {
  return libraries
    .map(({ lib, lib_version, stored, dropped }) => ({
      name: senderOf({ lib, lib_version }),
      stored,
      dropped,
    }))
    .toSorted((a, b) => b.stored + b.dropped - (a.stored + a.dropped));
}
