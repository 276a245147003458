import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { ApiError, fail } from '../../errors.ts';
import type { DecodedLimits } from '../../http/body-limits.ts';
import { decodeBody, type EncodedBody } from '../../http/decode.ts';
import { queryToken } from '../../http/project-of-query.ts';
import type { RawCapture } from './capture-messages.ts';
import { openEnvelope, type Envelope, type JsonObject } from './envelope.ts';
import { normalizeEvent } from './normalize.ts';
import type { OpenedRequest } from './opened-request.ts';
import { checkTokenShape } from './token.ts';

const SESSION_ID = /^[A-Za-z0-9-]{1,70}$/;

/**
 * Opens a session recording: snapshots that are checked as PostHog checks them (ingestion contract 3.7), counted, and
 * not kept. Throws as openEnvelope does; an invalid snapshot is returned as `malformed`.
 */
export function openRecording(request: RawCapture, bytes: Uint8Array, limits: DecodedLimits): OpenedRequest {
  const body = decodeBody(encodedBody(request, bytes, limits));
  const envelope = openEnvelope(body, { kind: 'capture', search: request.search });
  const malformed = envelope.malformed ?? malformedSnapshot(envelope.items);
  return notKept({ ...envelope, items: [], malformed }, 'session recording', envelope.items.length);
}

function malformedSnapshot(items: readonly JsonObject[]): ApiError | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== null) return problem;
  }
  return undefined;
}

function problemOf({ properties }: JsonObject, index: number): ApiError | null {
  const own = isJsonObject(properties) ? properties : {};
  const session = own['$session_id'];
  if (typeof session !== 'string' || !SESSION_ID.test(session)) {
    return fail('invalid_payload', {
      detail: `invalid payload: element ${index} has no $session_id of at most 70 letters, digits and hyphens.`,
    });
  }
  const data = own['$snapshot_data'];
  if (Array.isArray(data) || isJsonObject(data)) return null;
  return fail('invalid_payload', { detail: `invalid payload: element ${index} has no $snapshot_data.` });
}

/**
 * Opens logs of an SDK (OpenTelemetry's JSON, key in the query), of which only the number of lines is read. What cannot
 * be decoded counts as one: an SDK that is refused tries again and again. Throws no_data, payload_too_large and the 401s.
 */
export function openLogs(request: RawCapture, bytes: Uint8Array, limits: DecodedLimits): OpenedRequest {
  const envelope: Envelope = {
    token: checkTokenShape(queryToken(request.search)),
    historicalMigration: false,
    sentAt: null,
    querySentAt: null,
    items: [],
  };
  return notKept(envelope, 'logs', countLines(encodedBody(request, bytes, limits)));
}

function countLines(body: EncodedBody): number {
  try {
    const { json } = decodeBody(body);
    const resources = listOf(json, 'resourceLogs');
    const scopes = resources.flatMap((resource) => listOf(resource, 'scopeLogs'));
    return scopes.reduce<number>((sum, scope) => sum + listOf(scope, 'logRecords').length, 0);
  } catch (error) {
    if (error instanceof ApiError && error.errorName === 'invalid_payload') return 1;
    throw error;
  }
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function notKept(
  envelope: Envelope,
  kind: NonNullable<OpenedRequest['notKept']>['kind'],
  count: number,
): OpenedRequest {
  return { envelope, normalize: normalizeEvent, reply: null, notKept: { kind, count } };
}

function encodedBody(request: RawCapture, bytes: Uint8Array, limits: DecodedLimits): EncodedBody {
  const { search, contentType, contentEncoding } = request;
  return {
    bytes,
    search,
    contentType,
    contentEncoding,
    maxDecodedBytes: limits.bytes,
    maxParts: limits.parts,
  };
}
