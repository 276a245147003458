/** The offered durations of an override. */
export const EXPIRIES = [
  { id: 'hour', label: 'For 1 hour', hours: 1 },
  { id: 'day', label: 'For 1 day', hours: 24 },
  { id: 'week', label: 'For 1 week', hours: 7 * 24 },
  { id: 'none', label: 'Until removed', hours: null },
] as const;

export type ExpiryId = (typeof EXPIRIES)[number]['id'];

/** The instant at which it ends, seen from `now` (Unix milliseconds); `null` for never. */
export function expiryOf(id: ExpiryId, now: number): string | null {
  const hours = EXPIRIES.find((expiry) => expiry.id === id)?.hours ?? null;
  return hours === null ? null : new Date(now + hours * 3_600_000).toISOString();
}
