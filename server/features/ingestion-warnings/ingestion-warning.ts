/** Why an event that was answered 200 is not stored, or not as it was sent: PostHog's word where it has one. */
export type WarningType =
  // Not stored.
  | 'missing_event_name'
  | 'missing_distinct_id'
  | 'empty_distinct_id'
  | 'performance_event'
  | 'skipping_event_invalid_process_person_profile'
  | 'illegal_distinct_id'
  | 'invalid_properties'
  | 'cookieless_disabled'
  | 'not_storable'
  | 'paused'
  // Stored, cut.
  | 'event_name_truncated'
  | 'distinct_id_truncated'
  // Stored, without the requested change.
  | 'cannot_merge_already_identified'
  | 'cannot_merge_with_illegal_distinct_id'
  | 'group_key_too_long'
  | 'group_type_limit_reached'
  | 'person_properties_size_violation'
  | 'group_properties_size_violation'
  // Stored, at another time.
  | 'event_timestamp_in_future'
  | 'ignored_invalid_timestamp'
  // Stored; the SDK's own words.
  | 'client_ingestion_warning';

/** One case. */
export interface IngestionWarning {
  type: WarningType;
  /** The path of the request. */
  source: string;
  lib: string;
  libVersion: string;
  /** What helps to find the case; flat, and short: texts are cut. */
  sample: Readonly<Record<string, unknown>>;
}

/** Notes a case, or so many alike. */
export type Warn = (projectId: number, warning: IngestionWarning, count?: number) => void;
