import type {
  ColumnRole,
  FormatName,
  ImportJson,
  ImportReportJson,
  ImportState,
} from '../../../server/features/imports/imports.contract.ts';

export const FORMATS: readonly { id: FormatName; label: string }[] = [
  { id: 'posthog', label: 'PostHog or Burrow events' },
  { id: 'posthog_persons', label: 'PostHog persons' },
  { id: 'segment', label: 'Segment or RudderStack' },
  { id: 'amplitude', label: 'Amplitude' },
  { id: 'mixpanel', label: 'Mixpanel events' },
  { id: 'mixpanel_people', label: 'Mixpanel people' },
  { id: 'umami', label: 'Umami' },
  { id: 'matomo', label: 'Matomo visits' },
  { id: 'ga4', label: 'Google Analytics 4 (BigQuery)' },
  { id: 'access_log', label: 'Server access log' },
  { id: 'custom', label: 'Custom' },
];

export const ROLES: readonly { id: ColumnRole; label: string }[] = [
  { id: 'event', label: 'Event name' },
  { id: 'distinct_id', label: 'Distinct ID' },
  { id: 'timestamp', label: 'Timestamp' },
  { id: 'anonymous_id', label: 'Anonymous ID' },
  { id: 'uuid', label: 'Event ID' },
  { id: 'session_id', label: 'Session ID' },
  { id: 'properties', label: 'All properties (JSON)' },
  { id: 'property', label: 'Event property' },
  { id: 'person_property', label: 'Person property' },
  { id: 'ignore', label: 'Ignore' },
];

export const STATES: Readonly<Record<ImportState, { label: string; tone: 'green' | 'warn' | 'neutral' }>> = {
  downloading: { label: 'downloading', tone: 'neutral' },
  uploaded: { label: 'not imported yet', tone: 'neutral' },
  checking: { label: 'dry run', tone: 'neutral' },
  checked: { label: 'dry run done', tone: 'neutral' },
  running: { label: 'importing', tone: 'neutral' },
  done: { label: 'imported', tone: 'green' },
  failed: { label: 'stopped', tone: 'warn' },
  canceled: { label: 'canceled', tone: 'warn' },
};

export function isRunning({ state }: ImportJson): boolean {
  return state === 'running' || state === 'checking' || state === 'downloading';
}

/** Events that the project did not have before. */
export function importedEvents({ events, known_events: known }: ImportReportJson): number {
  return events - (known ?? 0);
}

export function formatNameOf({ settings }: ImportJson): string {
  return FORMATS.find(({ id }) => id === settings?.format)?.label ?? '';
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};
const KINDS = { csv: 'table', json: 'JSON', lines: 'lines of a log', parquet: 'Parquet' } as const;
const CONTAINERS: Readonly<Record<string, string>> = { gzip: 'gzip', zip: 'ZIP archive', brotli: 'Brotli' };

/** What a file is, in few words: `table, semicolon, UTF-8, gzip`. */
export function describeFile(form: {
  container: string;
  kind: keyof typeof KINDS;
  encoding: string | null;
  separator: string | null;
  files: readonly string[];
}): string {
  const parts = [
    KINDS[form.kind],
    form.separator === null ? '' : (SEPARATORS[form.separator] ?? form.separator),
    form.encoding?.toUpperCase() ?? '',
    CONTAINERS[form.container] ?? '',
    form.files.length > 1 ? `${form.files.length} files` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
