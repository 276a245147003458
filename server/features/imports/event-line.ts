import { hash } from 'node:crypto';
import { isJsonObject, stringifyExactly } from '../../lib/exact-number.contract.ts';
import { COOKIELESS_DISTINCT_ID } from '../../lib/cookieless.ts';
import { RowProblem } from './import-error.ts';

/** An event that a row has become. */
export interface MappedEvent {
  event: string;
  distinctId: string;
  /** Unix microseconds. */
  timestamp: number;
  /** null: one follows from the row. */
  uuid: string | null;
  /** An object, or the text of one as it was written. */
  properties: Readonly<Record<string, unknown>> | string;
  /** A property more, of one that is a text. */
  elementsChain?: string;
}

const IDENTITY_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
]);

/**
 * The event as a member of a batch. Throws RowProblem for what capture would not store, so that the row can be mended
 * instead.
 */
export function eventLine(event: MappedEvent, uuid: string): string {
  if (event.event.trim() === '') throw new RowProblem('There is no event name');
  if (event.event === '$performance_event') throw new RowProblem('Performance events are not stored');
  if (event.distinctId.trim() === '') throw new RowProblem('There is no distinct ID');
  if (event.distinctId === COOKIELESS_DISTINCT_ID) throw new RowProblem('Cookieless events are not stored');
  const properties = propertiesText(event);
  if (IDENTITY_EVENTS.has(event.event) && /"\$process_person_profile"\s*:\s*false/.test(properties))
    throw new RowProblem('An anonymous event cannot identify anyone');
  return `{"event":${JSON.stringify(event.event)},"distinct_id":${JSON.stringify(event.distinctId)},"timestamp":"${isoOf(event.timestamp)}","uuid":"${uuid}","properties":${properties}}`;
}

function propertiesText({ properties, elementsChain }: MappedEvent): string {
  if (typeof properties !== 'string') {
    const all = elementsChain ? { ...properties, $elements_chain: elementsChain } : properties;
    return stringifyExactly(all);
  }
  const text = properties.trim() || '{}';
  if (!elementsChain) return text;
  const inside = text.slice(1).trimStart();
  return `{"$elements_chain":${JSON.stringify(elementsChain)}${inside.startsWith('}') ? '' : ','}${inside}`;
}

/** The text of an object, checked. Throws RowProblem. */
export function objectText(text: string): string {
  if (text.trim() === '') return '{}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RowProblem('The properties are not valid JSON');
  }
  if (!isJsonObject(value)) throw new RowProblem('The properties are not a JSON object');
  return text;
}

/** `2026-11-20T09:30:00.000Z`, with microseconds where there are any. */
export function isoOf(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  const iso = new Date(ms).toISOString();
  return rest === 0 ? iso : `${iso.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID that follows from a text, of version 5 (RFC 9562) in a namespace of this program's own. */
export function uuidOf(text: string): string {
  const hex = hash('sha1', `burrow import|${text}`, 'hex');
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A session ID as PostHog reads it: a UUID of version 7 that begins with a time, in Unix milliseconds. */
export function sessionUuid(startMs: number, key: string): string {
  const time = Math.max(0, Math.floor(startMs)).toString(16).padStart(12, '0');
  const hex = hash('sha1', `burrow session|${key}`, 'hex');
  const variant = ((parseInt(hex[3]!, 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
