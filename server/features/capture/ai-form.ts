import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { getMultipartBoundary, parseMultipart, type MultipartPart } from '@remix-run/multipart-parser';
import { ApiError, fail } from '../../errors.ts';
import type { DecodedLimits } from '../../http/body-limits.ts';
import { decodeJson } from '../../http/decode.ts';
import { inflateAs } from '../../http/inflate.ts';
import type { RawCapture } from './capture-messages.ts';
import type { JsonObject } from './envelope.ts';
import { normalizeEvent } from './normalize.ts';
import type { OpenedRequest } from './opened-request.ts';

/** A part of this name holds one property, the rest of the name. */
const PROPERTY_PREFIX = 'event.properties.';
const MAX_PARTS = 1_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface AiForm {
  event: JsonObject | null;
  properties: JsonObject | null;
  blobs: Map<string, unknown>;
  accepted: JsonObject[];
}

/**
 * Opens a multipart AI event (PostHog's `rust/capture/src/ai_endpoint.rs`, from which the names of the parts and the
 * form of the answer come): a part `event`, perhaps a part `event.properties`, and parts `event.properties.<name>` for
 * large properties. PostHog puts the last into a file store and leaves their address in the event; here JSON and text
 * become the property itself, and of anything else name, type and size are kept. Nothing is written to disk.
 * Throws invalid_payload and payload_too_large.
 */
export function openAiForm(request: RawCapture, bytes: Uint8Array, limits: DecodedLimits): OpenedRequest {
  if (bytes.length === 0) throw fail('no_data');
  const form = readForm(inflateAs(request.contentEncoding, bytes, limits), request, limits);
  if (form.event === null) throw malformed('the form has no "event" part');
  if (form.properties !== null && form.event['properties'] !== undefined) {
    throw malformed('properties are set both in the "event" part and in their own part');
  }
  const own = form.properties ?? form.event['properties'] ?? {};
  if (!isJsonObject(own)) throw malformed('"properties" is not an object');
  const item = { ...form.event, properties: { ...own, ...Object.fromEntries(form.blobs) } };
  return {
    envelope: {
      token: request.claims!.token,
      historicalMigration: false,
      sentAt: null,
      querySentAt: null,
      items: [item],
    },
    normalize: normalizeEvent,
    reply: { notStored: () => undefined, text: () => JSON.stringify({ accepted_parts: form.accepted }) },
    notKept: null,
  };
}

function readForm(bytes: Uint8Array, { contentType }: RawCapture, limits: DecodedLimits): AiForm {
  const boundary = getMultipartBoundary(contentType)?.trim();
  if (boundary === undefined || boundary === '') throw malformed('the Content-Type has no boundary');
  const form: AiForm = { event: null, properties: null, blobs: new Map(), accepted: [] };
  let left = limits.bytes;
  try {
    const sizes = { maxFileSize: limits.bytes, maxTotalSize: limits.bytes, maxParts: MAX_PARTS };
    for (const part of parseMultipart(bytes, { boundary, ...sizes })) {
      const content = inflateAs(part.headers['content-encoding'] ?? '', part.bytes, {
        ...limits,
        bytes: left,
      });
      left -= content.length;
      takePart(form, part, content);
      form.accepted.push(describePart(part));
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw malformed('the multipart form is malformed');
  }
  return form;
}

function takePart(form: AiForm, part: MultipartPart, content: Uint8Array): void {
  const name = part.name ?? '';
  if (name === 'event' && form.event === null) form.event = objectOf(name, content);
  else if (name === 'event.properties' && form.properties === null) form.properties = objectOf(name, content);
  else {
    const property = name.startsWith(PROPERTY_PREFIX) ? name.slice(PROPERTY_PREFIX.length) : '';
    if (property === '' || property.includes('.') || form.blobs.has(property)) {
      throw malformed(`the part "${name.slice(0, 100)}" is unknown or duplicated`);
    }
    form.blobs.set(property, valueOf(part, content));
  }
}

function objectOf(name: string, content: Uint8Array): JsonObject {
  const json = decodeJson(content);
  if (!isJsonObject(json)) throw malformed(`the part "${name}" is not a JSON object`);
  return json;
}

/** What a part becomes as a property. */
function valueOf(part: MultipartPart, content: Uint8Array): unknown {
  const type = part.mediaType ?? 'text/plain';
  if (type === 'application/json') return decodeJson(content);
  const text = type.startsWith('text/') ? textOf(content) : null;
  return text ?? { name: part.filename ?? null, type, size: content.length };
}

/** The text, or null when the bytes are of another encoding than UTF-8. */
function textOf(content: Uint8Array): string | null {
  try {
    return utf8.decode(content);
  } catch {
    return null;
  }
}

function describePart(part: MultipartPart): JsonObject {
  return {
    name: part.name ?? '',
    length: part.size,
    'content-type': part.headers['content-type'] ?? null,
    'content-encoding': part.headers['content-encoding'] ?? null,
  };
}

function malformed(what: string): Error {
  return fail('invalid_payload', { detail: `malformed request data: ${what}.` });
}
