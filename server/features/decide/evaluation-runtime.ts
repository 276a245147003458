import type { IncomingHttpHeaders } from 'node:http';

/** Where a client runs; `all` asks for the flags of either. */
export type RequestRuntime = 'all' | 'client' | 'server';

const BROWSER = /Mozilla\/|Chrome\/|Safari\/|Firefox\/|Edge\//;
const MOBILE_SDK = /^posthog-(?:android|ios|react-native|flutter)\//;
const SERVER =
  /^posthog-(?:python|ruby|php|java|go|node|dotnet|elixir|rs|server)\/|python-requests\/|curl\/|Go-http-client\//;
/** Headers that only browsers send. */
const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-mode', 'sec-fetch-site'];

/**
 * Where the client of a request runs: what it says itself (a word that nobody knows is `all`), else what its headers tell,
 * as PostHog's service reads them; null when they tell nothing (ingestion contract 8.5).
 */
export function runtimeOf(said: string | null, headers: IncomingHttpHeaders): RequestRuntime | null {
  if (said !== null) {
    const word = said.toLowerCase();
    return word === 'client' || word === 'server' ? word : 'all';
  }
  const agent = headers['user-agent'] ?? '';
  if (BROWSER.test(agent) || MOBILE_SDK.test(agent)) return 'client';
  if (SERVER.test(agent)) return 'server';
  return BROWSER_HEADERS.some((name) => headers[name] !== undefined) ? 'client' : null;
}
