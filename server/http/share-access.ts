import type { Request } from 'express';
import { fail } from '../errors.ts';
import { CHALLENGE, findCredential } from './auth.ts';
import type { ManagementRoute } from './define-route.ts';

/** A request that shows the token of a shared link. */
export interface ShareRequest {
  readonly token: string;
  /** Of the route, as its table writes it. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly url: URL;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * The response to such a request; null: this route is not readable with the token. Throws project_not_found,
 * not_found.
 */
export type ReadShared = (request: ShareRequest) => Promise<{ body: unknown } | null>;

/**
 * Answers a request that has no credential but `sharing_access_token` (management contract 2.2, point 4); null when it
 * has none. Throws authentication_failed for a token that is not valid here, and for anything but reading.
 */
export async function readWithShareToken(
  route: ManagementRoute,
  { req, url, sent, signal }: { req: Request; url: URL; sent: unknown; signal: AbortSignal },
  answerShared: ReadShared,
): Promise<{ body: unknown } | null> {
  const token = url.searchParams.get('sharing_access_token');
  if (!token || route.auth === 'none' || findCredential(req, url.searchParams, sent) !== null) return null;
  const isReading = req.method === 'GET' || req.method === 'HEAD';
  const params = req.params as Record<string, string>;
  const shared = isReading ? await answerShared({ token, path: route.path, params, url, signal }) : null;
  if (shared !== null) return shared;
  throw fail('authentication_failed', {
    detail: 'The token of a shared link does not give access to this.',
    headers: CHALLENGE,
  });
}
