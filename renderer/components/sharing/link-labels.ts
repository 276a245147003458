import type { ServerInfo } from '../../../server/features/console/console.contract.ts';

/** How long a token that was replaced works, in milliseconds; the server says until when. */
const GRACE = 5 * 60_000;
const MINUTE = 60_000;

/** One of the addresses by which a link can be opened. */
export interface LinkReach {
  id: string;
  label: string;
  origin: string;
}

/** The addresses under which this server can be reached, the one that this page came by first. */
export function reachesOf(server: ServerInfo | null, here: string): LinkReach[] {
  const own = { id: here, label: new URL(here).hostname, origin: here };
  if (!server?.listens_beyond_loopback) return [own];
  const others = server.lan_addresses
    .map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${server.port}`)
    .filter((origin) => origin !== here)
    .map((origin) => ({ id: origin, label: new URL(origin).hostname, origin }));
  return [own, ...others];
}

/** Who can open a link, in a sentence. */
export function reachLabel(server: ServerInfo | null): string {
  const anyone = 'Anyone with the link can view it without signing in. Viewers cannot change anything.';
  if (server === null) return anyone;
  return server.listens_beyond_loopback
    ? `${anyone} Burrow is reachable from the whole network of this computer.`
    : `${anyone} Burrow listens on ${server.host}, so the link only works on this computer.`;
}

/** What is left of the time in which a replaced link still works: a share of the whole, and words. Null: nothing. */
export function graceOf(oldUntil: string | null, now: number): { share: number; words: string } | null {
  if (oldUntil === null) return null;
  const left = Date.parse(oldUntil) - now;
  if (left <= 0) return null;
  const words = left < MINUTE ? 'under a minute left' : `${Math.ceil(left / MINUTE)} min left`;
  return { share: Math.min(1, left / GRACE), words };
}

/** HTML that shows what is behind a link inside another page. */
export function embedSnippet(origin: string, token: string, title: string): string {
  const attribute = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<iframe src="${origin}/embedded/${token}"\n  width="100%" height="720" title="${attribute(title)}"></iframe>`;
}
