/** Pages outside this machine that the console links to; each opens in the system's browser. */
const KNOWN_LINKS = ['https://posthog.com/docs', 'https://github.com/PostHog/', 'https://duckdb.org/docs'];

/**
 * `console`: a page of the server we started. `browser`: a known page outside. `action`: a button of the error page, which
 * leads nowhere. `refuse`: everything else.
 */
export type Destination = 'console' | 'browser' | 'action' | 'refuse';

/** Where a link, a redirect or a new window of a page may lead. `consoleOrigin` is null while no server runs. */
export function judgeDestination(target: string, consoleOrigin: string | null): Destination {
  if (!URL.canParse(target)) return 'refuse';
  const url = new URL(target);
  // A blob: address has the origin of its maker too.
  if (url.protocol.startsWith('http') && url.origin === consoleOrigin) return 'console';
  if (url.protocol === 'burrow:') return 'action';
  return KNOWN_LINKS.some((link) => startsWithLink(url, new URL(link))) ? 'browser' : 'refuse';
}

/** What the console's own pages may ask of the browser: to copy to the clipboard, and the whole screen for TV mode. */
const PERMITTED = ['clipboard-sanitized-write', 'fullscreen'];

/** Whether a page of `origin` is granted a permission of Electron's. */
export function isPermitted(permission: string, origin: string, consoleOrigin: string | null): boolean {
  return PERMITTED.includes(permission) && consoleOrigin !== null && origin === consoleOrigin;
}

/** Compares parsed parts, never text: `https://posthog.com@evil.test` starts like a known link and is none. */
function startsWithLink(url: URL, link: URL): boolean {
  const folder = link.pathname.endsWith('/') ? link.pathname : `${link.pathname}/`;
  return (
    url.origin === link.origin &&
    url.username === '' &&
    url.password === '' &&
    (url.pathname === link.pathname || url.pathname.startsWith(folder))
  );
}
