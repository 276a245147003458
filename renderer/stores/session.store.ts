import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { api, type AnswerOf } from '../api/client.ts';
import type { ProjectBasics as Project } from '../../server/features/projects/projects.contract.ts';
import { ADMIN, OWNER } from '../../server/lib/member-levels.contract.ts';

type Session = AnswerOf<'GET /api/burrow/session/'>;

/** Why the sign-in screen is shown. `none`: the user opened the console without a link. */
export type SignInReason = 'none' | 'used' | 'expired' | 'foreign' | 'ended' | 'signed_out';

/** Edits of a page that are not saved yet. */
interface UnsavedEdits {
  isChanged(): boolean;
  /** Opens the dialog for unsaved edits; true to leave them. */
  ask(): Promise<boolean>;
}

/** The signed-in user, or the reason why there is none. */
export const useSessionStore = defineStore('session', () => {
  const session = shallowRef<Session | null>(null);
  /** A session that this browser still has although the link it came with opened nothing. */
  const standing = shallowRef<Session | null>(null);
  const reason = ref<SignInReason>('none');
  const failure = shallowRef<ApiFailure | null>(null);
  /** The session has ended with unsaved edits: the page stays until the user has signed in again, or left. */
  const isHeld = ref(false);
  const edits = new Set<UnsavedEdits>();
  const isSignedIn = computed(() => session.value !== null);
  /** What the user is in the organization: 1 member, 8 admin, 15 owner. */
  const level = computed(() => session.value?.user.organization?.membership_level ?? 1);
  const isAdmin = computed(() => level.value >= ADMIN);
  const isOwner = computed(() => level.value >= OWNER);

  /** Looks for a session; with the token of a console link, exchanges that first. Never throws: `failure` says what went wrong. */
  async function start(token: string | null): Promise<void> {
    failure.value = null;
    try {
      session.value =
        token === null
          ? await api.get('/api/burrow/session/', { hasOwnCredential: true })
          : await api.post('/api/burrow/session/', { body: { token }, hasOwnCredential: true });
      reason.value = 'none';
      isHeld.value = false;
    } catch (error) {
      await settle(error, token);
    }
  }

  async function settle(error: unknown, token: string | null): Promise<void> {
    if (!(error instanceof ApiFailure)) throw error;
    session.value = null;
    if (error.status !== 401) failure.value = error;
    else if (token !== null) {
      reason.value = reasonOf(error.message);
      standing.value = await findSession();
    }
  }

  /** A page says which edits it holds; the answer takes that back. */
  function hold(unsaved: UnsavedEdits): () => void {
    edits.add(unsaved);
    return () => edits.delete(unsaved);
  }

  /** Whether the page may be left: it has no unsaved edits, or the user confirms. */
  async function mayLeave(): Promise<boolean> {
    for (const unsaved of edits) if (unsaved.isChanged() && !(await unsaved.ask())) return false;
    return true;
  }

  /** Goes on with the session that this browser still has. */
  function resume(): void {
    session.value = standing.value;
    standing.value = null;
    reason.value = 'none';
  }

  /** Signs in with a personal API key; throws `ApiFailure` when it is refused. */
  async function signInWithKey(personalApiKey: string): Promise<void> {
    session.value = await api.post('/api/burrow/session/', {
      body: { personal_api_key: personalApiKey },
      hasOwnCredential: true,
    });
    reason.value = 'none';
    isHeld.value = false;
  }

  /** Goes on where this browser was signed in meanwhile, such as by a link that was opened in another tab. */
  async function lookAgain(): Promise<void> {
    const found = await findSession();
    if (!found || !isHeld.value) return;
    session.value = found;
    isHeld.value = false;
  }

  /** Ends the session here and on the server. */
  async function signOut(): Promise<void> {
    if (!(await mayLeave())) return;
    await api.delete('/api/burrow/session/', { hasOwnCredential: true });
    session.value = null;
    reason.value = 'signed_out';
  }

  /** Ends a session that the server no longer accepts. */
  function expire(): void {
    if (session.value === null) return;
    if ([...edits].some(({ isChanged }) => isChanged())) isHeld.value = true;
    else leave();
  }

  /** Gives up the session that has ended, and the edits on the page. */
  function leave(): void {
    isHeld.value = false;
    session.value = null;
    reason.value = 'ended';
  }

  /** Changes the first name of the user; throws `ApiFailure`. */
  async function rename(firstName: string): Promise<void> {
    const user = await api.patch('/api/users/@me/', { body: { first_name: firstName } });
    if (session.value) session.value = { ...session.value, user };
  }

  /** Adds a project, or replaces it by its present state. */
  function putProject(project: Project): void {
    if (!session.value) return;
    const { projects } = session.value;
    const isKnown = projects.some(({ id }) => id === project.id);
    const next = isKnown
      ? projects.map((one) => (one.id === project.id ? project : one))
      : [...projects, project];
    session.value = { ...session.value, projects: next };
  }

  function removeProject(projectId: number): void {
    if (!session.value) return;
    session.value = {
      ...session.value,
      projects: session.value.projects.filter(({ id }) => id !== projectId),
    };
  }

  /** Stores that a project has its first event, without another request. */
  function markIngested(projectId: number): void {
    if (!session.value) return;
    const projects = session.value.projects.map((project) =>
      project.id === projectId ? { ...project, ingested_event: true } : project,
    );
    session.value = { ...session.value, projects };
  }

  return {
    session,
    standing,
    reason,
    failure,
    isHeld,
    isSignedIn,
    level,
    isAdmin,
    isOwner,
    start,
    hold,
    resume,
    lookAgain,
    leave,
    signInWithKey,
    signOut,
    expire,
    rename,
    putProject,
    removeProject,
    markIngested,
  };
});

/** The session of this browser; null when there is none or the request fails. */
async function findSession(): Promise<Session | null> {
  try {
    return await api.get('/api/burrow/session/', { hasOwnCredential: true });
  } catch {
    return null;
  }
}

/** The server's sentence says why a link does not open the door; the screen answers each case differently. */
function reasonOf(detail: string): SignInReason {
  if (/used/i.test(detail)) return 'used';
  if (/expired/i.test(detail)) return 'expired';
  return 'foreign';
}
