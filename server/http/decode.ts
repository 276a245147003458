import { fail } from '../errors.ts';
import { decodedLimits, type DecodedLimits } from './body-limits.ts';
import { decompressLz64 } from './decompress-lz64.ts';
import { readForm } from './form-text.ts';
import { gunzip, unbrotli, undeflate } from './inflate.ts';
import { holdsMoreParts } from './json-parts.ts';
import { opensJson, parseLenientJson } from './lenient-json.ts';
import { queryValue } from './query-text.ts';

/** A request as it arrived; nothing of node:http, so that any thread can decode it. */
export interface EncodedBody {
  bytes: Uint8Array;
  /** The raw query text, without `?`. */
  search: string;
  contentType: string;
  /** Empty when the header is absent. */
  contentEncoding: string;
  /** Bound for the data at every stage of decoding. */
  maxDecodedBytes: number;
  /** Bound for its objects and lists; left out: as many as an eighth of the bytes can hold. */
  maxParts?: number;
  /**
   * A reader of one usual shape of JSON, tried on a body that is bare JSON; it returns what JSON.parse would, or null to
   * leave the body to it.
   */
  readUsual?: (bytes: Buffer) => unknown;
}

export interface DecodedBody {
  json: unknown;
  /** The form's fields beside its data (`api_key`, `token`, `sent_at`, `compression`); empty when it was no form. */
  form: Readonly<Record<string, string>>;
}

type Compression = 'gzip' | 'lz64' | 'base64';

/** Spellings of the `compression` hint (ingestion contract 3.1.3); others are ignored. */
const COMPRESSIONS: ReadonlyMap<string, Compression> = new Map([
  ['gzip', 'gzip'],
  ['gzip-js', 'gzip'],
  ['lz64', 'lz64'],
  ['lz-string', 'lz64'],
  ['base64', 'base64'],
  ['b64', 'base64'],
]);

/** Very old SDK paths wrap the data in base64 twice (3.1.6). */
const MAX_BASE64_LAYERS = 2;
const STRICT_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const NO_FORM: Readonly<Record<string, string>> = Object.freeze({});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Turns the raw bytes of any public request into JSON (ingestion contract 3.1): query pixels, forms, gzip by its magic
 * bytes, LZString, base64, br, deflate. The one decoder of capture, decide and flags.
 * Throws no_data, invalid_payload or payload_too_large, and nothing else.
 */
export function decodeBody(body: EncodedBody): DecodedBody {
  const limit = decodedLimits(body.maxDecodedBytes, body.maxParts);
  const hint = compressionOf(queryValue(body.search, 'compression'));
  const pixel = queryValue(body.search, 'data');
  if (pixel !== null && pixel !== '') {
    return { json: decodeData(pixel, hint ?? compressionOf(body.contentEncoding), limit), form: NO_FORM };
  }
  if (body.bytes.length === 0) throw fail('no_data');
  if (body.bytes.length > limit.bytes) throw fail('payload_too_large');

  const bytes = undoTransport(body.bytes, body.contentEncoding, limit);
  const usual = body.readUsual?.(asBuffer(bytes)) ?? null;
  if (usual !== null) return { json: usual, form: NO_FORM };
  const text = decodeUtf8(bytes);
  const form = readForm(text, body.contentType);
  if (form === null) {
    return { json: decodeText(text, hint ?? compressionOf(body.contentEncoding), limit), form: NO_FORM };
  }
  const { data, ...fields } = form;
  if (data === undefined) throw fail('no_data');
  const formHint = hint ?? compressionOf(fields.compression ?? null) ?? compressionOf(body.contentEncoding);
  return { json: decodeData(data, formHint, limit), form: fields };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Parses bytes that are JSON in UTF-8 and nothing else. Throws no_data or invalid_payload. */
export function decodeJson(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes));
}

function compressionOf(name: string | null): Compression | null {
  return name === null || name === '' ? null : (COMPRESSIONS.get(name.trim().toLowerCase()) ?? null);
}

/** Undoes what lies around the whole body. A proxy may have inflated it and left the header: JSON is taken as it is. */
function undoTransport(bytes: Uint8Array, contentEncoding: string, limit: DecodedLimits): Uint8Array {
  if (contentEncoding !== '') {
    const encoding = contentEncoding.trim().toLowerCase();
    if ((encoding === 'br' || encoding === 'deflate') && !isJson(bytes)) {
      return gunzip((encoding === 'br' ? unbrotli : undeflate)(bytes, limit), limit);
    }
  }
  return gunzip(bytes, limit);
}

/** Decodes data out of a query or a form. */
function decodeData(data: string, hint: Compression | null, limit: DecodedLimits): unknown {
  return decodeText(opensJson(data) || !data.includes(' ') ? data : withPluses(data), hint, limit);
}

/** Base64 whose plus signs were not escaped: forms and queries read them as spaces. Byte by byte, as in form-text. */
function withPluses(text: string): string {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x20) bytes[at] = 0x2b;
  }
  return bytes.toString();
}

function decodeText(text: string, hint: Compression | null, limit: DecodedLimits): unknown {
  if (!opensJson(text)) {
    // LZString's text looks like base64 too, so its hint comes first (3.1.5).
    if (hint === 'lz64') return parseJson(undoLz64(text, limit));
    if (hint === 'base64' || looksLikeBase64(text)) {
      const json = decodeBase64(text, limit, MAX_BASE64_LAYERS);
      if (json !== undefined) return json;
    }
  }
  return parseJson(text);
}

function undoLz64(text: string, limit: DecodedLimits): string {
  const inner = decompressLz64(text, limit.bytes) ?? text;
  if (holdsMoreParts(Buffer.from(inner), limit.parts)) throw fail('payload_too_large');
  return inner;
}

/** The JSON inside base64, or undefined when there is none and the text is read as it is. */
function decodeBase64(text: string, limit: DecodedLimits, layers: number): unknown {
  const inner = tryUtf8(gunzip(Buffer.from(text, 'base64'), limit));
  if (inner === null) return undefined;
  const json = tryJson(inner);
  if (json !== undefined || layers === 1 || !looksLikeBase64(inner)) return json;
  return decodeBase64(inner, limit, layers - 1);
}

function looksLikeBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && STRICT_BASE64.test(text);
}

function isJson(bytes: Uint8Array): boolean {
  const text = tryUtf8(bytes);
  return text !== null && opensJson(text) && tryJson(text) !== undefined;
}

function decodeUtf8(bytes: Uint8Array): string {
  const text = tryUtf8(bytes);
  if (text === null) throw fail('invalid_payload', { detail: 'malformed request data: not UTF-8 text.' });
  return text;
}

function tryUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  const json = tryJson(text);
  if (json !== undefined) return json;
  if (text.trim() === '') throw fail('no_data');
  throw fail('invalid_payload', { detail: 'malformed request data: not JSON.' });
}

function tryJson(text: string): unknown {
  try {
    return parseLenientJson(text);
  } catch {
    return undefined;
  }
}
