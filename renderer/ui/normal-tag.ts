/** A tag as the server keeps it: trimmed and in small letters; empty for none. */
export function normalTag(text: string): string {
  return text.trim().replace(/,+$/, '').trim().toLowerCase().slice(0, 255);
}
