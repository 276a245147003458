import { z } from 'zod';
import { booleanField, textField } from '../../http/fields.contract.ts';

export const formatName = z.enum([
  'posthog',
  'posthog_persons',
  'segment',
  'amplitude',
  'mixpanel',
  'mixpanel_people',
  'umami',
  'matomo',
  'ga4',
  'access_log',
  'custom',
]);
export type FormatName = z.output<typeof formatName>;

export const columnRole = z.enum([
  'event',
  'distinct_id',
  'anonymous_id',
  'timestamp',
  'uuid',
  'session_id',
  'properties',
  'property',
  'person_property',
  'ignore',
]);
export type ColumnRole = z.output<typeof columnRole>;

const columnMapping = z.object({
  column: z.string().max(1_000),
  becomes: columnRole,
  /** Of the property; empty: that of the column. */
  name: z.string().max(400).default(''),
});
export type ColumnMapping = z.output<typeof columnMapping>;

/** How the rows of a file become events (management contract 9.12). */
export const importSettings = z.object({
  format: formatName,
  /** Of times that name none; the IANA name. */
  time_zone: z
    .string()
    .max(100)
    .refine(isTimeZone, { message: 'This is not a time zone.', params: { error: 'invalid_choice' } })
    .default('UTC'),
  /** Of dates such as 01/02/2026; `auto`: as the column shows it. */
  date_order: z.enum(['auto', 'day_first', 'month_first']).default('auto'),
  /** Only for `custom`: what each column is. */
  columns: z.array(columnMapping).max(2_000).default([]),
  /** Only for `custom`: of rows that have no event name. */
  event_name: z.string().max(200).default(''),
  /** Only for `segment`, which has no types of groups. */
  group_type: z.string().min(1).max(400).default('company'),
  /** Only for `access_log`: of lines that do not name it. */
  host: z.string().max(255).default(''),
  /** Only for `access_log`: requests of robots are imported too. */
  bots: z.boolean().default(false),
});
export type ImportSettings = z.output<typeof importSettings>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Settings of a request; what is left out is guessed. */
const settingsBody = importSettings.partial();
export type SentSettings = z.output<typeof settingsBody>;

const reason = z.object({
  reason: z.string(),
  count: z.int(),
  /** The first row of it. */
  row: z.int(),
});

/** What became of the rows so far. */
export const importReport = z.object({
  rows: z.int(),
  /** Events of these rows; a row may be several, or only the mark that two IDs are one person. */
  events: z.int(),
  /** Distinct IDs in them, COUNTED_IDS at most. */
  distinct_ids: z.int(),
  /** Events whose UUID follows from the place of their row: in another file they count as others. */
  events_by_place: z.int().default(0),
  /** Events that the project had before, when they were counted. */
  known_events: z.int().nullable(),
  /** Rows that could not become events, which can be downloaded and mended. */
  rejected: z.int(),
  problems: z.array(reason),
  /** Rows and actions that are no events of theirs. */
  left_out: z.array(reason),
  /** The most frequent events. */
  names: z.array(z.object({ event: z.string(), count: z.int() })),
  /** ISO 8601, UTC. */
  first_event: z.string().nullable(),
  last_event: z.string().nullable(),
});
export type ImportReportJson = z.output<typeof importReport>;

/** `downloading`: its file comes from a host, and is not whole yet. */
const importState = z.enum([
  'downloading',
  'uploaded',
  'checking',
  'checked',
  'running',
  'done',
  'failed',
  'canceled',
]);
export type ImportState = z.output<typeof importState>;

const importJob = z.object({
  id: z.string(),
  /** Of the file. */
  name: z.string(),
  bytes: z.int(),
  /** `checked`: a dry run has ended. */
  state: importState,
  settings: importSettings.nullable(),
  /** From 0 to 1. */
  progress: z.number(),
  /** While it runs. */
  rows_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
  report: importReport.nullable(),
  /** Why it failed: a sentence. */
  problem: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
export type ImportJson = z.output<typeof importJob>;

const previewRow = z.object({
  row: z.int(),
  events: z.array(
    z.object({
      event: z.string(),
      distinct_id: z.string(),
      timestamp: z.string(),
      uuid: z.string(),
      properties: z.record(z.string(), z.unknown()),
    }),
  ),
  /** Why it becomes no event. */
  problem: z.string().nullable(),
  left_out: z.string().nullable(),
});
export type PreviewRow = z.output<typeof previewRow>;

/** What the file seems to be, and what its first rows become. */
const importPreview = z.object({
  container: z.enum(['plain', 'gzip', 'brotli', 'zip', 'parquet']),
  kind: z.enum(['csv', 'json', 'lines', 'parquet']),
  encoding: z.string().nullable(),
  separator: z.string().nullable(),
  /** Data files of an archive. */
  files: z.array(z.string()),
  guessed_format: formatName,
  /** Why nothing can be imported from it; null: it can. */
  refusal: z.string().nullable(),
  /** With the first value of each. */
  columns: z.array(z.object({ column: z.string(), sample: z.string() })),
  /** Those that were sent, with guesses where they say nothing. */
  settings: importSettings,
  rows: z.array(previewRow),
});
export type ImportPreviewJson = z.output<typeof importPreview>;

const mapping = z.object({ id: z.int(), name: z.string(), settings: importSettings, created_at: z.string() });
export type ImportMappingJson = z.output<typeof mapping>;

const importParams = z.object({ id: z.uuid() });
const mappingParams = z.object({ id: z.coerce.number().pipe(z.int32().min(1)) });

export const importsApi = {
  'GET P/burrow/imports/': { response: z.object({ results: z.array(importJob) }) },
  'POST P/burrow/imports/': { query: z.object({ name: textField(255) }), response: importJob },
  'GET P/burrow/imports/:id/': { params: importParams, response: importJob },
  'DELETE P/burrow/imports/:id/': { params: importParams, response: null },
  'POST P/burrow/imports/:id/preview/': { params: importParams, body: settingsBody, response: importPreview },
  'POST P/burrow/imports/:id/start/': {
    params: importParams,
    body: settingsBody.extend({ dry_run: booleanField().default(false) }),
    response: importJob,
  },
  'POST P/burrow/imports/:id/cancel/': { params: importParams, response: importJob },
  'GET P/burrow/imports/:id/rejected/': { params: importParams, response: null },
  'GET P/burrow/import_mappings/': { response: z.object({ results: z.array(mapping) }) },
  'POST P/burrow/import_mappings/': {
    body: z.object({ name: textField(200), settings: importSettings }),
    response: mapping,
  },
  'DELETE P/burrow/import_mappings/:id/': { params: mappingParams, response: null },
};
