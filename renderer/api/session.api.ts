import { request } from './http.ts';
import type { Project } from './projects.api.ts';

export interface User {
  id: number;
  uuid: string;
  email: string;
  first_name: string;
}

export interface Session {
  user: User;
  projects: Project[];
  current_project_id: number;
  version: string;
}

const PATH = '/api/burrow/session/';

/** Who is signed in here; a 401 `ApiFailure` when nobody is. */
export function getSession(): Promise<Session> {
  return request<Session>(PATH, { hasOwnCredential: true });
}

/** Exchanges the one-time token of a console link, or a personal API key, for the session cookie. */
export function createSession(
  credential: { token: string } | { personal_api_key: string },
): Promise<unknown> {
  return request(PATH, { method: 'POST', body: credential, hasOwnCredential: true });
}

/** Ends the session; the cookie is cleared by the answer. */
export function deleteSession(): Promise<void> {
  return request<void>(PATH, { method: 'DELETE', hasOwnCredential: true });
}
