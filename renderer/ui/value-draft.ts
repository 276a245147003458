import { kindOf, type ValueKind } from './value-kind.ts';

/** The kinds among which somebody who types a value chooses. */
export type DraftKind = 'text' | 'number' | 'boolean' | 'json';

export interface ValueDraft {
  kind: DraftKind;
  text: string;
}

export type ReadValue = { value: unknown; problem?: undefined } | { problem: string };

const DRAFT_KINDS: Readonly<Record<ValueKind, DraftKind>> = {
  text: 'text',
  date: 'text',
  number: 'number',
  boolean: 'boolean',
  list: 'json',
  object: 'json',
  nothing: 'text',
};

/** A value as it is typed. */
export function draftOf(value: unknown): ValueDraft {
  const kind = DRAFT_KINDS[kindOf(value)];
  if (value === null || value === undefined) return { kind, text: '' };
  return { kind, text: kind === 'json' ? JSON.stringify(value, null, 2) : String(value) };
}

/** The same text under another kind; `true` and `false` for one that says neither. */
export function withKind(draft: ValueDraft, kind: DraftKind): ValueDraft {
  if (kind !== 'boolean') return { kind, text: draft.text };
  return { kind, text: /^(true|yes|1)$/i.test(draft.text.trim()) ? 'true' : 'false' };
}

/** The value that a draft writes, or what is wrong with it. */
export function readDraft({ kind, text }: ValueDraft): ReadValue {
  if (kind === 'text') return { value: text };
  if (kind === 'boolean') return { value: text === 'true' };
  if (kind === 'number') return readNumber(text.trim());
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { problem: 'null is not a value. Delete the property instead.' } : { value };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}` };
  }
}

function readNumber(text: string): ReadValue {
  const value = Number(text.replaceAll(/[ _]/g, ''));
  if (text === '' || !Number.isFinite(value)) return { problem: 'A number looks like 42 or -1.5.' };
  return { value };
}
