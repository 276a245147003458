import { ExactNumber } from '../lib/exact-number.contract.ts';
/** Text of objects and lists, cached because several flags may compare it. */
const texts = new WeakMap<object, string>();

/**
 * The text by which a property is compared (P-2): a text is itself, anything else its JSON, with the keys of objects in
 * order, as PostHog's service writes it. Null is the text `null`.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  let text = texts.get(value);
  if (text === undefined) {
    text = jsonText(value);
    texts.set(value, text);
  }
  return text;
}

function jsonText(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const members = Object.keys(value).toSorted();
  return `{${members.map((key) => `${JSON.stringify(key)}:${jsonText((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

/** The value of a list of one, which means that value; anything else as it is. */
export function unwrap(wanted: unknown): unknown {
  return Array.isArray(wanted) && wanted.length === 1 ? wanted[0] : wanted;
}
