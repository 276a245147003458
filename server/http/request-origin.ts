import type { IncomingMessage } from 'node:http';
import { fail } from '../errors.ts';
import { isAllowedHost, isOwnPage, type HostRules } from './host-check.ts';

/** The scheme, host and port under which the client reached this server, such as `http://localhost:2877`. */
function requestOrigin(req: IncomingMessage, trustProxy: boolean): string {
  const scheme = trustProxy && forwarded(req, 'x-forwarded-proto') === 'https' ? 'https' : 'http';
  const host = (trustProxy ? forwarded(req, 'x-forwarded-host') : null) ?? req.headers.host ?? '';
  return new URL(`${scheme}://${host}`).origin;
}

/**
 * Refuses what does not belong to console and management API: a foreign Host (DNS rebinding) and a foreign page
 * (cross-site requests). Returns the request's absolute URL. Throws foreign_host, foreign_origin.
 */
export function checkOrigin(req: IncomingMessage, rules: HostRules, trustProxy: boolean): URL {
  const forwardedHost = trustProxy ? forwarded(req, 'x-forwarded-host') : null;
  if (!isAllowedHost(req.headers.host, rules)) throw fail('foreign_host');
  if (forwardedHost !== null && !isAllowedHost(forwardedHost, rules)) throw fail('foreign_host');
  const origin = requestOrigin(req, trustProxy);
  const page = {
    origin: req.headers.origin,
    fetchSite: req.headers['sec-fetch-site'] as string | undefined,
    fetchMode: req.headers['sec-fetch-mode'] as string | undefined,
  };
  if (!isOwnPage(page, origin)) throw fail('foreign_origin');
  // The path is set apart from the host: `//evil.test` is a path of this server, not another one.
  const url = new URL(origin);
  const [path = '/', search = ''] = splitOnce(req.url ?? '/', '?');
  url.pathname = path;
  url.search = search;
  return url;
}

/** The first of the values that proxies have lined up. */
function forwarded(req: IncomingMessage, name: string): string | null {
  const header = req.headers[name];
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',', 1)[0]?.trim() || null;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
