import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../lib/clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SIGN_IN_LIFETIME_MS = 10 * MINUTE_MS;
const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** Minimum interval between two renewals of a cookie. */
const RENEWAL_MS = DAY_MS;
/** How long an expired token is kept, to tell expired from unknown. */
const MEMORY_MS = DAY_MS;

interface Dependencies {
  clock: Clock;
  /** Makes a text that cannot be guessed. */
  newSecret: () => string;
}

export type Redeemed = { userId: number; problem?: undefined } | { problem: 'used' | 'expired' | 'unknown' };

/** Tokens that sign in once, within ten minutes; in memory, so a restart ends them. */
export interface SignInTokens {
  issue(userId: number): string;
  /** Accepts a token that was issued before this server started. */
  accept(token: string, userId: number): void;
  redeem(token: string): Redeemed;
  /** Ends the tokens of a user. */
  forgetUser(userId: number): void;
}

export function createSignInTokens({ clock, newSecret }: Dependencies): SignInTokens {
  const tokens = new Map<string, { userId: number; expiresAt: number; used: boolean }>();

  function accept(token: string, userId: number): void {
    const now = clock();
    for (const [hash, { expiresAt }] of tokens) if (expiresAt + MEMORY_MS <= now) tokens.delete(hash);
    tokens.set(sha256(token), { userId, expiresAt: now + SIGN_IN_LIFETIME_MS, used: false });
  }

  return {
    issue(userId) {
      const token = newSecret();
      accept(token, userId);
      return token;
    },
    accept,
    redeem(token) {
      const found = tokens.get(sha256(token));
      if (found === undefined) return { problem: 'unknown' };
      if (found.used) return { problem: 'used' };
      if (found.expiresAt <= clock()) return { problem: 'expired' };
      found.used = true;
      return { userId: found.userId };
    },
    forgetUser(userId) {
      for (const [hash, token] of tokens) if (token.userId === userId) tokens.delete(hash);
    },
  };
}

/** Signed-in browsers; in memory. A session ends 30 days after its last use. */
export interface Sessions {
  /** Returns the secret for the cookie. */
  open(userId: number): string;
  /** `isRenewed`: the cookie has to be sent again, because its end has moved. */
  find(id: string): { userId: number; isRenewed: boolean } | null;
  close(id: string): void;
  /** Ends the sessions of a user. */
  forgetUser(userId: number): void;
}

export function createSessions({ clock, newSecret }: Dependencies): Sessions {
  // By hash: the time of a lookup by the secret itself would leak how much of a guess is right.
  const sessions = new Map<string, { userId: number; expiresAt: number }>();

  return {
    open(userId) {
      const now = clock();
      for (const [hash, { expiresAt }] of sessions) if (expiresAt <= now) sessions.delete(hash);
      const id = newSecret();
      sessions.set(sha256(id), { userId, expiresAt: now + SESSION_LIFETIME_MS });
      return id;
    },
    find(id) {
      const now = clock();
      const session = sessions.get(sha256(id));
      if (session === undefined || session.expiresAt <= now) return null;
      const isRenewed = session.expiresAt - now <= SESSION_LIFETIME_MS - RENEWAL_MS;
      if (isRenewed) session.expiresAt = now + SESSION_LIFETIME_MS;
      return { userId: session.userId, isRenewed };
    },
    close: (id) => void sessions.delete(sha256(id)),
    forgetUser(userId) {
      for (const [hash, session] of sessions) if (session.userId === userId) sessions.delete(hash);
    },
  };
}

/**
 * The cookie of the server on `port`: browsers send cookies to every port of a host, so each server uses its own
 * name.
 */
export function sessionCookieName(port: number): string {
  return `burrow_${port}`;
}

/** The port at which this request arrived. */
export function portOf(req: IncomingMessage): number {
  return req.socket.localPort ?? 0;
}

/** A Set-Cookie value; `id` null ends the cookie. */
export function sessionCookie(port: number, id: string | null, isSecure: boolean): string {
  const age = id === null ? 0 : SESSION_LIFETIME_MS / 1000;
  const cookie = `${sessionCookieName(port)}=${id ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`;
  return isSecure ? `${cookie}; Secure` : cookie;
}

/** The value of a cookie in a Cookie header (RFC 6265 4.2), or null. The first one counts. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** A sign-in link: the token is in the fragment, which browsers send to no server and put in no Referer. */
export function consoleUrl(serverUrl: string, token: string): string {
  return `${serverUrl}/#token=${token}`;
}
