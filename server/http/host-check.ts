import { isIP } from 'node:net';

/** Allowed host names, in addition to those of loopback. */
export interface HostRules {
  /** The address or name given as `--host`. */
  host: string;
  /** Lower-case names given as `--allowed-host`. */
  allowedHosts: readonly string[];
  /** Whether the server can be reached from other machines. */
  beyondLoopback: boolean;
}

/**
 * The name in a Host header (RFC 9110 7.2): lower-case, without port, brackets and closing dot; null when the header is
 * absent or malformed. A name holds no user information, path or space, so nothing can hide behind a trusted prefix.
 */
export function hostName(header: string | undefined): string | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::(\d{1,5}))?$/i.exec(header ?? '') ?? [];
  const name = (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
  if (name === undefined || name === '' || Number(port ?? 0) > 65_535) return null;
  return bracketed !== undefined && isIP(name) !== 6 ? null : name;
}

/** Whether a name or address can only mean this machine (RFC 6761 6.3: `localhost` and all below it). */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || /^::ffff:127\./.test(name);
}

/**
 * Whether console and management API answer under this Host header. A page whose name an attacker points at this
 * machine (DNS rebinding) still sends its own name here, and is refused. An address cannot be rebound, so a server that
 * listens beyond loopback answers under any of its addresses.
 */
export function isAllowedHost(header: string | undefined, rules: HostRules): boolean {
  const name = hostName(header);
  if (name === null) return false;
  if (isLoopback(name) || rules.allowedHosts.includes(name)) return true;
  if (isIP(name) !== 0) return rules.beyondLoopback;
  return name === rules.host.toLowerCase();
}

/** The headers by which a browser identifies the requesting page. */
export interface RequestingPage {
  origin: string | undefined;
  /** `Sec-Fetch-Site` and `Sec-Fetch-Mode` (W3C Fetch Metadata); absent outside browsers. */
  fetchSite: string | undefined;
  fetchMode: string | undefined;
}

/**
 * Whether the request comes from no page at all, from a page of this server (`ownOrigin`: scheme, host and port as the
 * browser sees them), or from a link that was followed. Another port of this machine is another origin, although
 * cookies and SameSite cannot tell the two apart.
 */
export function isOwnPage(page: RequestingPage, ownOrigin: string): boolean {
  if (page.origin !== undefined) return page.origin === ownOrigin;
  if (page.fetchSite === 'cross-site' || page.fetchSite === 'same-site') return page.fetchMode === 'navigate';
  return true;
}
