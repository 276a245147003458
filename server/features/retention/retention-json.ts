import { isoOrNull } from '../../lib/iso-date.ts';
import type { StoredEvents } from '../../warehouse/duckdb/event-sizes.ts';
import type { RetentionLimits } from '../../warehouse/duckdb/retention-plan.ts';
import type { RetentionPreview } from '../../warehouse/duckdb/retention-preview.ts';
import type { RetentionJson, RetentionPreviewJson } from './retention.contract.ts';
import type { RetentionNow } from './retention.service.ts';

const NOTE = 'Persons, groups and definitions are kept, even without any remaining events.';

export function retentionJson({ stored, state, events }: RetentionNow): RetentionJson {
  return {
    max_days: stored?.maxDays ?? null,
    max_gb: stored?.maxGb ?? null,
    updated_at: stored?.updatedAt ?? null,
    is_applying: state.isApplying,
    last_applied_at: isoOrNull(state.lastApplied),
    deleted_events: state.deletedEvents,
    ...eventsJson(events),
  };
}

export function previewJson({
  limits,
  preview,
}: {
  limits: RetentionLimits;
  preview: RetentionPreview;
}): RetentionPreviewJson {
  return {
    max_days: limits.maxDays,
    max_gb: limits.maxGb,
    ...eventsJson(preview),
    remaining: eventsJson(preview.remaining),
    months: preview.months.map(({ month, events, estimatedBytes }) => ({
      month,
      events,
      estimated_bytes: estimatedBytes,
    })),
    persons_without_events: preview.personsWithoutEvents,
    note: NOTE,
  };
}

function eventsJson({ events, oldest, newest, estimatedBytes }: StoredEvents): {
  events: number;
  oldest: string | null;
  newest: string | null;
  estimated_bytes: number;
} {
  return { events, oldest: isoOrNull(oldest), newest: isoOrNull(newest), estimated_bytes: estimatedBytes };
}
