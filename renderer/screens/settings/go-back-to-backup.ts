import { restoreBackup } from '../../api/backups.api.ts';
import { ApiFailure } from '../../api/http.ts';
import { createSession } from '../../api/session.api.ts';

const PAUSE_MS = 300;
/** A large backup is copied first. */
const LIMIT_MS = 10 * 60_000;

/**
 * Has the server go back to a backup, waits until it is there again, and loads the page anew, signed in. Throws
 * `ApiFailure` when the server refuses, or does not come back within ten minutes.
 */
export async function goBackToBackup(name: string): Promise<void> {
  const address = location.href;
  const { sign_in_token: token } = await restoreBackup(name);
  await signInWhenBack(token, Date.now() + LIMIT_MS);
  // Meanwhile the console may have noticed that nobody was signed in, and left for the sign-in screen.
  if (location.href === address) location.reload();
  else location.replace(address);
}

/** Only the server that begins anew takes the token: the old one refuses it, and between them nobody answers. */
async function signInWhenBack(token: string, until: number): Promise<void> {
  for (;;) {
    try {
      await createSession({ token });
      return;
    } catch (error) {
      if (!(error instanceof ApiFailure) || Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
