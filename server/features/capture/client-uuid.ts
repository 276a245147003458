import { fail } from '../../errors.ts';

/** Forms that UUID libraries read besides the usual one: `urn:uuid:…`, `{…}`, without hyphens. */
const OTHER_FORMS =
  /^(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/**
 * The uuid that a client gave an event, in canonical lower case; null when it gave none (absent, null or empty).
 * Throws invalid_payload for anything that is not a UUID of RFC 4122's shape, of whatever version.
 */
export function readClientUuid(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') {
    if (isCanonical(value)) return value;
    const groups = OTHER_FORMS.exec(value.trim());
    if (groups !== null) return groups.slice(1).join('-').toLowerCase();
  }
  throw fail('invalid_payload', { detail: 'invalid payload: "uuid" is not a UUID.' });
}

/** Lower case, with hyphens, as SDKs send it; checked by character codes because every event passes here. */
function isCanonical(text: string): boolean {
  if (text.length !== 36) return false;
  for (let at = 0; at < 36; at++) {
    const code = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== 0x2d) return false;
    } else if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) {
      return false;
    }
  }
  return true;
}
