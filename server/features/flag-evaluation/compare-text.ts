import { textOf } from './property-text.ts';

/** Whether a value that is known holds. `now` in Unix milliseconds. */
export type Test = (value: unknown, now: number) => boolean;

/** P-2: equal as text whatever the case; of a list, one of them; an empty list means truthy. */
export function equals(wanted: unknown): Test {
  if (!Array.isArray(wanted)) {
    const text = textOf(wanted).toLowerCase();
    return (value) => textOf(value).toLowerCase() === text;
  }
  if (wanted.length === 0) return isTruthy;
  const texts = new Set(wanted.map((one) => textOf(one).toLowerCase()));
  return (value) => texts.has(textOf(value).toLowerCase());
}

/** True, the word, or a list of nothing else. */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'string') return value.toLowerCase() === 'true';
  return value === true || (Array.isArray(value) && value.every(isTruthy));
}

/** P-3: of a list, one of them is enough. */
export function contains(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.includes(part));
}

export function startsWith(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.startsWith(part));
}

export function endsWith(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.endsWith(part));
}

function anyText(wanted: unknown, holds: (text: string, part: string) => boolean): Test {
  const parts = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => textOf(one).toLowerCase());
  const [only] = parts;
  if (parts.length === 1) return (value) => holds(textOf(value).toLowerCase(), only!);
  return (value) => {
    const text = textOf(value).toLowerCase();
    return parts.some((part) => holds(text, part));
  };
}
