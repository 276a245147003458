/** Why a pattern matches nobody (ingestion contract P-4), as a sentence; `null` when it can match. Judged by the engine that evaluates flags. */
export async function problemOfPattern(pattern: string): Promise<string | null> {
  const { RE2JS } = await import('re2js');
  try {
    RE2JS.compile(pattern);
    return null;
  } catch {
    return /\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)
      ? 'Look-around and back-references are not possible: this pattern matches nobody.'
      : 'This is no pattern: it matches nobody.';
  }
}
