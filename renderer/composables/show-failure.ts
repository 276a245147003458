import { toast } from 'vue-sonner';
import { ApiFailure } from '../api/http.ts';
import { explainUndone } from './explain-failure.ts';

const DURATION = 10_000;

/** Shows that something could not be done; `undone` says what: `The flag could not be saved`. */
export function showFailure(error: unknown, undone: string): void {
  const { title, text } = explainUndone(error, undone);
  toast.error(title, { description: text, duration: DURATION });
}

/** Shows an error that nothing else has handled, so that no failed save is silent. */
export function showUnhandled(error: unknown): void {
  const isCancelled = error instanceof DOMException && error.name === 'AbortError';
  // The sign-in page says so.
  const isSignedOut = error instanceof ApiFailure && error.status === 401;
  if (isCancelled || isSignedOut) return;
  if (error instanceof ApiFailure) showFailure(error, 'The last request failed');
  else
    toast.error('Something went wrong', {
      id: 'unhandled',
      description:
        'The last action may not have completed. Stored events are safe. Reload the page and try again.',
      duration: DURATION,
    });
}
