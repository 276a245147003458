/** The settings of TV mode; they are in the URL, so that a screen can be set up with a link. */
export interface Wall {
  /** Dashboards in their turn; with one alone nothing follows. */
  playlist: readonly number[];
  /** How long each page of a dashboard is shown. */
  seconds: number;
  /** Seconds between refreshes of the results. */
  refresh: number;
  theme: 'system' | 'light' | 'dark';
}

type Query = Readonly<Record<string, unknown>>;

export const LEAST_SECONDS = 5;
/** A day. */
const MOST_SECONDS = 86_400;
export const USUAL_SECONDS = 60;
/** For each page of a single dashboard. */
export const PAGE_SECONDS = 20;
const KEYS = new Set(['kiosk', 'playlist', 'seconds', 'refresh', 'theme']);

/** The wall of an address. By default a single dashboard turns its pages every 20 s, and several stay until the next refresh. */
export function readWall(query: Query): Wall {
  const refresh = secondsOf(query['refresh']) ?? USUAL_SECONDS;
  const theme = query['theme'];
  const playlist = String(query['playlist'] ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
  return {
    playlist,
    seconds: secondsOf(query['seconds']) ?? (playlist.length > 1 ? refresh : PAGE_SECONDS),
    refresh,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

/** What of an address makes it a wall. */
export function wallQuery({ playlist, seconds, refresh, theme }: Wall): Record<string, string> {
  return {
    kiosk: '',
    refresh: String(refresh),
    ...(playlist.length > 1 ? { playlist: playlist.join() } : {}),
    ...(playlist.length > 1 || seconds !== PAGE_SECONDS ? { seconds: String(seconds) } : {}),
    ...(theme === 'system' ? {} : { theme }),
  };
}

/** The address without its wall. */
export function withoutWall<T extends Query>(query: T): Partial<T> {
  return Object.fromEntries(Object.entries(query).filter(([key]) => !KEYS.has(key))) as Partial<T>;
}

/** Seconds as typed; null for an invalid number. */
export function secondsOf(text: unknown): number | null {
  const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value > 0
    ? Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, Math.round(value)))
    : null;
}
