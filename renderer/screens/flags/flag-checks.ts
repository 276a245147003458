import type { FlagDraft } from './flag-draft.ts';

export const MAX_KEY = 400;

/** What prevents a draft from being saved, by the part that shows it: `key`, `variant <id>`, `payload <id>`, `variants`, `set <id>`. */
export type FlagProblems = ReadonlyMap<string, string>;

/** The key that a description suggests: `Wording of the reminder` becomes `wording-of-the-reminder`. */
export function suggestKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
}

/** Why a key is none, as a sentence; the empty text when it is one (management contract 9.1). */
export function problemOfKey(key: string): string {
  if (key === '') return 'Enter a key.';
  if (!/^[\w-]+$/.test(key)) return 'Only letters, digits, - and _ are allowed.';
  return key.length > MAX_KEY ? `At most ${MAX_KEY} characters.` : '';
}

/** Why a payload is none, as a sentence; the empty text for JSON, and for no payload. */
export function problemOfPayload(text: string): string {
  if (text.trim() === '') return '';
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}. Put text in quotes.`;
  }
}

/** Everything that has to be mended before the draft can be saved. */
export function problemsOf(draft: FlagDraft): FlagProblems {
  const problems = new Map<string, string>();
  const note = (part: string, problem: string) => problem !== '' && problems.set(part, problem);
  note('key', problemOfKey(draft.key.trim()));
  if (draft.sets.length === 0) note('sets', 'Add at least one condition set.');
  if (draft.answer === 'variants') {
    if (draft.variants.length === 0) note('variants', 'Add at least one variant.');
    for (const [index, variant] of draft.variants.entries()) {
      const isTaken = draft.variants.findIndex(({ key }) => key.trim() === variant.key.trim()) < index;
      note(
        `variant ${variant.id}`,
        isTaken ? 'This variant key is already in use.' : problemOfKey(variant.key.trim()),
      );
      note(`payload ${variant.id}`, problemOfPayload(variant.payload));
    }
  } else {
    note('payload', problemOfPayload(draft.payload));
    if (draft.answer === 'value' && draft.payload.trim() === '')
      note('payload', 'Enter a payload for remote config.');
  }
  return problems;
}
