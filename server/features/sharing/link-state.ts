import { hashOfShareToken, newShareToken } from './share-token.ts';
import type { SharingConfiguration } from './sharing.store.ts';

/** The fields that decide what a link opens. */
export type LinkState = Pick<
  SharingConfiguration,
  'enabled' | 'accessToken' | 'tokenHash' | 'tokenUsed' | 'previousHash' | 'previousUntil' | 'expiresAt'
>;

/** How long a token that was replaced still works, in milliseconds (management contract 4.2). */
const GRACE_MS = 300_000;

export function newToken(): Pick<LinkState, 'accessToken' | 'tokenHash'> {
  const accessToken = newShareToken();
  return { accessToken, tokenHash: hashOfShareToken(accessToken) };
}

/** Whether a link opens something at `now`, Unix milliseconds. */
export function isOn({ enabled, expiresAt }: LinkState, now: number): boolean {
  return enabled && (expiresAt === null || Date.parse(expiresAt) > now);
}

/** A link whose end has passed is off like any other, and has no end: only turning it on opens it again. */
export function settled<L extends LinkState>(link: L, now: number): L {
  const { expiresAt } = link;
  if (expiresAt === null || Date.parse(expiresAt) > now) return link;
  return { ...turnedOff(link), expiresAt: null };
}

/** A token that was given away once is not used again: an old link stays dead (management contract 4.2). */
export function turnedOn<L extends LinkState>(link: L): L {
  if (link.enabled) return link;
  return { ...link, ...(link.tokenUsed ? newToken() : {}), enabled: true, tokenUsed: true };
}

/** Takes effect immediately, and for the previous token too. */
export function turnedOff<L extends LinkState>(link: L): L {
  return link.enabled ? { ...link, enabled: false, previousHash: null, previousUntil: null } : link;
}

/** Another token; the present one works for five minutes more, of a link that is on. */
export function refreshed<L extends LinkState>(link: L, now: number): L {
  const { enabled, tokenHash } = link;
  return {
    ...link,
    ...newToken(),
    tokenUsed: enabled,
    previousHash: enabled ? tokenHash : null,
    previousUntil: enabled ? new Date(now + GRACE_MS).toISOString() : null,
  };
}

/** Until when the token before the present one still works, or null. */
export function oldUntil(link: LinkState, now: number): string | null {
  const { previousUntil } = link;
  if (previousUntil === null || !isOn(link, now)) return null;
  return Date.parse(previousUntil) > now ? previousUntil : null;
}

/** The token before the present one works no longer. */
export function oldEnded<L extends LinkState>(link: L): L {
  return link.previousHash === null ? link : { ...link, previousHash: null, previousUntil: null };
}
