import type { z } from 'zod';
import type { consoleSession } from '../../server/features/console/console.contract.ts';
import { request } from './http.ts';

/** Who is signed in, and the projects. */
export type Session = z.output<typeof consoleSession>;

const PATH = '/api/burrow/session/';

/** The signed-in user; throws a 401 `ApiFailure` when there is none. */
export function getSession(): Promise<Session> {
  return request<Session>(PATH, { hasOwnCredential: true });
}

/** The signed-in user, `null` when there is none or the request fails. */
export async function findSession(): Promise<Session | null> {
  try {
    return await getSession();
  } catch {
    return null;
  }
}

/** Exchanges the one-time token of a console link, or a personal API key, for the session cookie. */
export function createSession(
  credential: { token: string } | { personal_api_key: string },
): Promise<Session> {
  return request<Session>(PATH, { method: 'POST', body: credential, hasOwnCredential: true });
}

/** Ends the session; the cookie is cleared by the answer. */
export function deleteSession(): Promise<void> {
  return request<void>(PATH, { method: 'DELETE', hasOwnCredential: true });
}

/** Changes the first name of the user who is signed in; the user as stored then. */
export function changeFirstName(firstName: string): Promise<Session['user']> {
  return request<Session['user']>('/api/users/@me/', { method: 'PATCH', body: { first_name: firstName } });
}
