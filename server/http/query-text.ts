/** The value of `name` in a raw query text (no leading `?`), decoded, or null. The first one counts. */
export function queryValue(search: string, name: string): string | null {
  if (search === '' || !search.includes(name)) return null;
  return new URLSearchParams(search).get(name);
}
