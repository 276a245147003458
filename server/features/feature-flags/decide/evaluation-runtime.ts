import type { IncomingHttpHeaders } from 'node:http';

/** The runtime of a client; `all` selects flags of both. */
export type RequestRuntime = 'all' | 'client' | 'server';

const BROWSER = /Mozilla\/|Chrome\/|Safari\/|Firefox\/|Edge\//;
const MOBILE_SDK = /^posthog-(?:android|ios|react-native|flutter)\//;
const SERVER =
  /^posthog-(?:python|ruby|php|java|go|node|dotnet|elixir|rs|server)\/|python-requests\/|curl\/|Go-http-client\//;
/** Headers that only browsers send. */
const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-mode', 'sec-fetch-site'];

/**
 * The runtime of a request's client: as in the request (an unknown value is `all`), else detected from headers as by
 * PostHog's service; null when unknown (ingestion contract 8.5).
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
