/**
 * Why a pattern matches no persons (ingestion contract P-4), as a sentence; `null` when it can match. Checked by the
 * engine that evaluates flags.
 */
export async function problemOfPattern(pattern: string): Promise<string | null> {
  const { RE2JS } = await import('re2js');
  try {
    RE2JS.compile(pattern);
    return null;
  } catch {
    return /\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)
      ? 'Lookarounds and backreferences are not supported: this regex matches nothing.'
      : 'Invalid regex: it matches nothing.';
  }
}
