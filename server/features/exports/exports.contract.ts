import { z } from 'zod';
import { textField } from '../../http/fields.contract.ts';

const exportFormat = z.enum(['jsonl', 'csv', 'parquet']);
export type ExportedFormat = z.output<typeof exportFormat>;

/** A day, which is included, a time, or one before now such as `-7d`. */
const exportTime = textField(40).nullable().default(null);

const exportBody = z.object({
  /** Of the events. */
  format: exportFormat.default('jsonl'),
  from: exportTime,
  to: exportTime,
  /** Names; left out: all events. */
  events: z.array(textField(400)).min(1).max(1_000).nullable().default(null),
});
export type ExportBody = z.output<typeof exportBody>;

const exportState = z.enum(['running', 'done', 'failed', 'canceled']);
export type ExportState = z.output<typeof exportState>;

const exportJob = z.object({
  id: z.string(),
  /** Of the archive. */
  name: z.string(),
  state: exportState,
  format: exportFormat,
  from: z.string().nullable(),
  to: z.string().nullable(),
  events: z.array(z.string()).nullable(),
  /** From 0 to 1. */
  progress: z.number(),
  seconds_left: z.number().nullable(),
  /** So far. */
  exported_events: z.int(),
  exported_persons: z.int(),
  exported_groups: z.int(),
  /** Of the archive; null until it is complete. */
  bytes: z.int().nullable(),
  /** Why it failed: a sentence. */
  problem: z.string().nullable(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
});
export type ExportJson = z.output<typeof exportJob>;

const exportParams = z.object({ id: z.uuid() });

export const exportsApi = {
  'GET P/burrow/exports/': { response: z.object({ results: z.array(exportJob) }) },
  'POST P/burrow/exports/': { body: exportBody, response: exportJob },
  'GET P/burrow/exports/:id/': { params: exportParams, response: exportJob },
  'DELETE P/burrow/exports/:id/': { params: exportParams, response: null },
  'POST P/burrow/exports/:id/cancel/': { params: exportParams, response: exportJob },
  'GET P/burrow/exports/:id/file/': { params: exportParams, response: null },
};
