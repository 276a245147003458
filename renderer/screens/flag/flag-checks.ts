import type { FlagDraft } from './flag-draft.ts';

export const MAX_KEY = 400;

/** What keeps a draft from being saved, by the part it stands beside: `key`, `variant <id>`, `payload <id>`, `variants`, `set <id>`. */
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
  if (key === '') return 'Code asks for the flag by its key: give it one.';
  if (!/^[\w-]+$/.test(key)) return 'Letters, digits, - and _ only.';
  return key.length > MAX_KEY ? `At most ${MAX_KEY} characters.` : '';
}

/** Why a payload is none, as a sentence; the empty text for JSON, and for no payload. */
export function problemOfPayload(text: string): string {
  if (text.trim() === '') return '';
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `Not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}. Text stands in quotes.`;
  }
}

/** Everything that has to be mended before the draft can be saved. */
export function problemsOf(draft: FlagDraft): FlagProblems {
  const problems = new Map<string, string>();
  const note = (part: string, problem: string) => problem !== '' && problems.set(part, problem);
  note('key', problemOfKey(draft.key.trim()));
  if (draft.sets.length === 0) note('sets', 'Without a condition set it is for nobody: add one.');
  if (draft.answer === 'variants') {
    if (draft.variants.length === 0) note('variants', 'Add at least one variant.');
    for (const [index, variant] of draft.variants.entries()) {
      const isTaken = draft.variants.findIndex(({ key }) => key.trim() === variant.key.trim()) < index;
      note(
        `variant ${variant.id}`,
        isTaken ? 'Another variant has this key.' : problemOfKey(variant.key.trim()),
      );
      note(`payload ${variant.id}`, problemOfPayload(variant.payload));
    }
  } else {
    note('payload', problemOfPayload(draft.payload));
    if (draft.answer === 'value' && draft.payload.trim() === '')
      note('payload', 'A flag that is a value needs one.');
  }
  return problems;
}
