/** Takes the addresses of e-mail out of a text. */
export type HideEmails = (text: string) => string;

/** What ends a part of an address: also the marks of HogQL, JSON and URLs around it. */
const APART = String.raw`\s"'<>()[\]{},;:@/?&=#\\`;
/**
 * An address, its @ encoded for a URL or not. Its first part may be broken off, since letters that are apart may
 * belong to it; lengths are bounded, so that a long text is read in proportion to its length.
 */
const EMAIL = new RegExp(String.raw`(?<=\S)(?:@|%40)(?:[^${APART}.]{1,63}\.){1,8}[^${APART}.]{1,63}`, 'gi');
const FIRST_PART = new RegExp(String.raw`(?:[^${APART}]|(?<=\w)'(?=\w)){1,64}$`);

/** Each address as the same word. */
export const hideEmails: HideEmails = (text) => replaceEmails(text, () => '[hidden]');

/** Each address as a word with its number, the same for the same address: `[hidden 2]`. */
export function hideEmailsByNumber(): HideEmails {
  const numbers = new Map<string, number>();
  return (text) =>
    replaceEmails(text, (email) => {
      const known = email.toLowerCase().replace('%40', '@');
      const number = numbers.get(known) ?? numbers.size + 1;
      numbers.set(known, number);
      return `[hidden ${number}]`;
    });
}

function replaceEmails(text: string, wordFor: (email: string) => string): string {
  let shown = '';
  let from = 0;
  for (const { 0: rest, index } of text.matchAll(EMAIL)) {
    // Only what can belong to it is looked at.
    const before = text.slice(Math.max(from, index - 64), index);
    const first = FIRST_PART.exec(before)?.[0] ?? '';
    shown += text.slice(from, index - first.length) + wordFor(first + rest);
    from = index + rest.length;
  }
  return from === 0 ? text : shown + text.slice(from);
}
