/** The name by which SQL means a variable: letters, digits and underscores of its name, in lower case; '' when it has none. */
export function codeNameOf(name: string): string {
  return name
    .replace(/[^\p{L}\p{N} _]/gu, '')
    .trim()
    .replaceAll(' ', '_')
    .toLowerCase();
}
