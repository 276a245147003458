/**
 * A text with the escapes of JSON.stringify, without quotes: a search for it in JSON finds every value that contains
 * the text, and few others.
 */
export function jsonFragment(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
