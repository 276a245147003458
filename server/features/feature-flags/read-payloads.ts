import { fail } from '../../errors.ts';

/**
 * Payloads as they are stored: what is text must be JSON, and objects become JSON text. Their keys are those of the
 * variants, or `true` alone when the flag has none (null). Throws invalid_input at `filters`.
 */
export function readPayloads(
  payloads: Readonly<Record<string, unknown>>,
  variants: ReadonlySet<string> | null,
): Record<string, unknown> {
  const keys = Object.keys(payloads);
  if (variants !== null && !keys.every((key) => variants.has(key)))
    throw refused('Payload keys must match variant keys.');
  if (variants === null && keys.some((key) => key !== 'true'))
    throw refused("Without variants, a payload can only have the key 'true'.");
  return Object.fromEntries(Object.entries(payloads).map(([key, value]) => [key, stored(value)]));
}

function stored(value: unknown): unknown {
  if (typeof value === 'string' && !isJson(value)) throw refused('A payload is not valid JSON.');
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? JSON.stringify(value) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refused(detail: string) {
  return fail('invalid_input', { attr: 'filters', detail });
}
