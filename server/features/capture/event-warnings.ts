import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { WarningType } from '../ingestion-warnings/index.ts';
import type { JsonObject } from './envelope.ts';
import { problemOfTime, type EventTimes } from './event-time.ts';
import { RAW_PROPERTIES, type RawJson } from './fast/usual-json.ts';

/** Something that the developer of an event's sender should know, although the event was stored. */
export interface EventWarning {
  type: WarningType;
  /** What was sent, beside what the event is. */
  details: Readonly<Record<string, unknown>>;
}

/** What an event said before it was brought into its stored form. */
export interface SentEvent {
  item: JsonObject;
  /** Those that decide something; all of them unless they were kept as bytes. */
  properties: JsonObject;
  distinctId: string;
  times: EventTimes;
}

/** The event by which an SDK reports errors of its own, in the property of the same name with `_message`. */
const CLIENT_WARNING = '$$client_ingestion_warning';

/** What is to be said of an event that is stored; null for nearly all. */
export function warningsOf(sent: SentEvent, row: EventRow): readonly EventWarning[] | null {
  const { item, properties, distinctId, times } = sent;
  let warnings: EventWarning[] | null = null;
  const name = item.event as string;
  if (isCut(name, row.event)) warnings = and(warnings, 'event_name_truncated', { sent: name });
  if (isCut(distinctId, row.distinctId))
    warnings = and(warnings, 'distinct_id_truncated', { sent: distinctId });
  if (row.identity !== null && row.identity.merge !== null) {
    const { kind, otherId } = row.identity.merge;
    const other = kind === '$identify' ? properties.$anon_distinct_id : properties.alias;
    if (isCut(other, otherId)) warnings = and(warnings, 'distinct_id_truncated', { sent: other });
  }
  const problem = problemOfTime(times, row.timestamp);
  if (problem !== null) {
    warnings = and(warnings, problem, { timestamp: times.timestamp ?? null, offset: times.offset ?? null });
  }
  if (name === CLIENT_WARNING) {
    const message = wholeProperties(item, properties)[`${CLIENT_WARNING}_message`] ?? null;
    warnings = and(warnings, 'client_ingestion_warning', { message });
  }
  return warnings;
}

function and(
  warnings: readonly EventWarning[] | null,
  type: WarningType,
  details: EventWarning['details'],
): EventWarning[] {
  return [...(warnings ?? []), { type, details }];
}

/** Everything else that storing does to a text keeps its length. */
function isCut(sent: unknown, stored: string): boolean {
  return typeof sent === 'string' && sent.length > stored.length;
}

function wholeProperties(item: JsonObject, properties: JsonObject): JsonObject {
  const raw = (item as { [RAW_PROPERTIES]?: RawJson })[RAW_PROPERTIES];
  return raw === undefined
    ? properties
    : (parseExactly(raw.bytes.toString('utf8', raw.start, raw.end)) as JsonObject);
}
