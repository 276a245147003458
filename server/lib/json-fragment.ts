/**
 * A text as it stands between the quotes of a JSON text that JSON.stringify made: looking for it in the JSON finds every
 * value that contains the text, and few others.
 */
export function jsonFragment(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
