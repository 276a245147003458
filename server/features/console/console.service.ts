import { fail } from '../../errors.ts';
import type { Authenticate } from '../../http/auth.ts';
import type { Actor } from '../../http/define-route.ts';
import { createSignInTokens, type Sessions } from '../../http/session.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { RUN_KEY_SCOPE, type PersonalApiKeys } from '../personal-api-keys/index.ts';
import { FULL_GRANT, type Users } from '../users/index.ts';

/** How browsers sign in to the console, and stay so. */
export interface Console {
  /** A token that signs a user in once, within ten minutes; the owner when none is named. */
  issueToken(userId?: number): string;
  /** Accepts a sign-in token of the owner that was issued before this server started. */
  acceptToken(token: string): void;
  /** Exchanges a token or a personal key for a session; throws authentication_failed that says what is wrong. */
  signIn(credential: { token?: string | undefined; personal_api_key?: string | undefined }): {
    sessionId: string;
    actor: Actor;
  };
  signOut(sessionId: string): void;
  /** A session of a user who is signed in already, for what the server does on their behalf. */
  openSession(userId: number): string;
  /** Ends every session and link of a user. */
  forgetUser(userId: number): void;
  /** Who a key or a session belongs to. */
  authenticate: Authenticate;
  /** A key of this run that makes sign-in links and nothing else: for `burrow.json`. */
  newLinkKey(): string;
}

interface Dependencies {
  users: Users;
  keys: PersonalApiKeys;
  sessions: Sessions;
  clock: Clock;
  newSecret: () => string;
  log: Log;
}

const TOKEN_PROBLEMS = {
  used: 'This sign-in link was already used. Each link works once.',
  expired: 'This sign-in link has expired. Links work for 10 minutes.',
  unknown: 'This sign-in link does not belong to this server.',
};

export function createConsole({ users, keys, sessions, clock, newSecret, log }: Dependencies): Console {
  const tokens = createSignInTokens({ clock, newSecret });

  function userOf(credential: { token?: string | undefined; personal_api_key?: string | undefined }): number {
    if (credential.token !== undefined) {
      const redeemed = tokens.redeem(credential.token);
      if (redeemed.problem === undefined) return redeemed.userId;
      throw fail('authentication_failed', { detail: TOKEN_PROBLEMS[redeemed.problem] });
    }
    const actor = keys.authenticate(credential.personal_api_key ?? '');
    if (actor === null)
      throw fail('authentication_failed', { detail: 'This personal API key is not valid.' });
    // A session may do everything: a lesser key must not become one.
    const isFull =
      actor.scopes.includes('*') && actor.scopedProjects.length + actor.scopedOrganizations.length === 0;
    if (!isFull)
      throw fail('missing_scope', {
        detail: 'Signing in requires a personal API key with all scopes and all projects.',
      });
    return actor.user.id;
  }

  return {
    issueToken: (userId = users.owner().id) => tokens.issue(userId),
    acceptToken: (token) => tokens.accept(token, users.owner().id),
    signIn(credential) {
      const userId = userOf(credential);
      const actor = users.findActor(userId, FULL_GRANT);
      if (actor === null) throw fail('authentication_failed', { detail: 'This account is not active.' });
      void users.noteLogin(userId).catch((error: unknown) => {
        log.warn({ err: error, user: userId }, 'A sign-in could not be written down.');
      });
      return { sessionId: sessions.open(userId), actor };
    },
    signOut: (sessionId) => sessions.close(sessionId),
    openSession: (userId) => sessions.open(userId),
    forgetUser(userId) {
      tokens.forgetUser(userId);
      sessions.forgetUser(userId);
    },
    authenticate(credential) {
      if (credential.kind === 'key') {
        const actor = keys.authenticate(credential.key);
        return actor === null ? null : { actor, isRenewed: false };
      }
      const session = sessions.find(credential.id);
      const actor = session === null ? null : users.findActor(session.userId, FULL_GRANT);
      return session === null || actor === null ? null : { actor, isRenewed: session.isRenewed };
    },
    // It belongs to the machine: its owner is signed in.
    newLinkKey: () =>
      keys.createRunKey(() => users.owner().id, { label: 'burrow.json', scopes: [RUN_KEY_SCOPE] }),
  };
}
