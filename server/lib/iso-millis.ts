/** Unix milliseconds as ISO text with milliseconds and `Z`; null stays null. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
