import type { IncomingHttpHeaders } from 'node:http';
import { validate as isUuid } from 'uuid';
import { fail } from '../../errors.ts';
import { isReadEncoding } from '../../http/inflate.ts';
import type { HeaderClaims } from './capture-messages.ts';
import { parseTime } from './event-time.ts';
import { checkTokenShape } from './token.ts';

/** Every request of capture v1 carries them, beside its key (ingestion contract 5). */
const REQUIRED = [
  'content-type',
  'posthog-sdk-info',
  'posthog-attempt',
  'posthog-request-id',
  'posthog-request-timestamp',
  'user-agent',
] as const;

/**
 * What the headers of a capture v1 request say. Throws the 401s of the key, missing_required_headers and
 * invalid_header_value (400), unsupported_media_type (415) for another content type than JSON or an encoding not read.
 */
export function readV1Claims(headers: IncomingHttpHeaders): HeaderClaims {
  const token = bearerToken(headers);
  const missing = REQUIRED.filter((name) => headers[name] === undefined);
  if (missing.length > 0) {
    throw fail('missing_required_headers', { detail: `These headers are required: ${missing.join(', ')}.` });
  }
  checkMediaType(headers, 'application/json');
  checkEncoding(headers);
  if (!isUuid(headers['posthog-request-id'])) throw invalid('PostHog-Request-Id', 'a UUID');
  if (!/^[1-9]\d{0,9}$/.test(textOf(headers['posthog-attempt']))) {
    throw invalid('PostHog-Attempt', 'a whole number from 1');
  }
  const sentAt = parseTime(headers['posthog-request-timestamp']);
  if (sentAt === null) throw invalid('PostHog-Request-Timestamp', 'a time (RFC 3339)');
  return { token, ...sdkOf(textOf(headers['posthog-sdk-info'])), sentAt };
}

/** What the headers of a multipart AI event say. Throws the 401s of the key, and unsupported_media_type (415). */
export function readAiClaims(headers: IncomingHttpHeaders): HeaderClaims {
  const token = bearerToken(headers);
  checkMediaType(headers, 'multipart/form-data');
  checkEncoding(headers);
  return { token, lib: '', libVersion: '', sentAt: null };
}

function bearerToken({ authorization }: IncomingHttpHeaders): string {
  const token = /^Bearer\s+(.*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw fail('missing_api_key');
  return checkTokenShape(token);
}

function checkMediaType(headers: IncomingHttpHeaders, expected: string): void {
  const given = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (given !== expected) {
    throw fail('unsupported_media_type', { detail: `The Content-Type must be ${expected}.` });
  }
}

function checkEncoding(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? '';
  if (!isReadEncoding(encoding)) {
    throw fail('unsupported_media_type', { detail: `The Content-Encoding '${encoding}' is not supported.` });
  }
}

/** `posthog-node/5.70.0` -> its name and version. */
function sdkOf(text: string): Pick<HeaderClaims, 'lib' | 'libVersion'> {
  const slash = text.lastIndexOf('/');
  return slash === -1
    ? { lib: text, libVersion: '' }
    : { lib: text.slice(0, slash), libVersion: text.slice(slash + 1) };
}

function invalid(header: string, expected: string): Error {
  return fail('invalid_header_value', { detail: `${header} must be ${expected}.` });
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : '';
}
