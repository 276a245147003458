import { fail } from '../errors.ts';
import { opensJson } from './lenient-json.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** A form without any of these fields is not from an SDK (ingestion contract 3.1.2). */
const SDK_FORM_FIELDS = ['data', '_', 'ip', 'compression'];
const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;
const KEPT_FIELDS = ['data', 'compression', 'api_key', 'token', 'sent_at'] as const;

export type FormFields = Partial<Record<(typeof KEPT_FIELDS)[number], string>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the fields an SDK's form may carry, or returns null when the text is no form: JSON under a form's content type
 * (plain `curl -d`), or text of another type that does not look like one. A text of the form type that holds none of
 * the fields that tell an SDK's form throws invalid_payload, as does a percent escape that is not UTF-8.
 */
export function readForm(text: string, contentType: string): FormFields | null {
  if (opensJson(text)) return null;
  if (isFormType(contentType)) {
    if (!SDK_FORM_FIELDS.some((name) => rawField(text, name) !== null)) {
      throw fail('invalid_payload', { detail: 'malformed request data: the form has no field "data".' });
    }
  } else if (rawField(text, 'data') === null) {
    return null;
  }
  const fields: FormFields = {};
  for (const name of KEPT_FIELDS) {
    const raw = rawField(text, name);
    if (raw !== null) fields[name] = decodeField(raw);
  }
  return fields;
}

function isFormType(contentType: string): boolean {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === FORM_TYPE;
}

/** The first field of that name, still encoded. Searches instead of splitting: a body may hold millions of `&`. */
function rawField(text: string, name: string): string | null {
  const opening = `${name}=`;
  let at = 0;
  if (!text.startsWith(opening)) {
    at = text.indexOf(`&${opening}`) + 1;
    if (at === 0) return null;
  }
  const end = text.indexOf('&', at);
  return text.slice(at + opening.length, end === -1 ? undefined : end);
}

/** Byte by byte: replacing in the text takes seconds when a large body is all plus or percent signs. */
function decodeField(raw: string): string {
  if (!raw.includes('%') && !raw.includes('+')) return raw;
  const bytes = Buffer.from(raw);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at]!;
    if (byte === PLUS) {
      byte = SPACE;
    } else if (byte === PERCENT) {
      const escaped = hexValue(bytes[at + 1]) * 16 + hexValue(bytes[at + 2]);
      // A percent sign that opens no escape is a literal one, as in the URL standard.
      if (!Number.isNaN(escaped)) {
        byte = escaped;
        at += 2;
      }
    }
    bytes[length++] = byte;
  }
  try {
    return utf8.decode(bytes.subarray(0, length));
  } catch {
    throw fail('invalid_payload', { detail: 'malformed request data: the form is not UTF-8.' });
  }
}

/** NaN when the byte is no hexadecimal digit. */
function hexValue(byte: number | undefined): number {
  if (byte === undefined) return NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}
