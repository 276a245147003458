import type { RetentionPreviewJson as RetentionPreview } from '../../../server/features/retention/retention.contract.ts';
import { formatBytes, formatCountOf, formatDay } from '../../ui/format.ts';

/** What these limits delete, in a sentence; `now` (Unix milliseconds) decides whether a day needs its year. */
export function consequenceOf(
  { events, newest, estimated_bytes, max_days, max_gb }: RetentionPreview,
  now: number,
): string {
  if (max_days === null && max_gb === null) return 'Events are kept indefinitely.';
  if (events === 0) return 'No events are deleted now: all stored events are within these limits.';
  const until = newest === null ? '' : `, up to ${formatDay(new Date(newest), now)}`;
  return `${formatCountOf(events, 'event')}${until}: approx. ${formatBytes(estimated_bytes)}, reused for new events.`;
}

/** What stays behind, in a sentence. */
export function remainderOf({ remaining }: RetentionPreview, now: number): string {
  if (remaining.events === 0) return 'No events remain.';
  const since = remaining.oldest === null ? '' : `, from ${formatDay(new Date(remaining.oldest), now)}`;
  return `${formatCountOf(remaining.events, 'event')} ${remaining.events === 1 ? 'remains' : 'remain'}${since}, approx. ${formatBytes(remaining.estimated_bytes)}.`;
}

/** Who loses every event, or nothing. */
export function personsOf({ persons_without_events: count }: RetentionPreview): string {
  if (count === 0) return '';
  return `${formatCountOf(count, 'person')} ${count === 1 ? 'loses its' : 'lose their'} last event.`;
}
