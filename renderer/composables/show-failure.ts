import { toast } from 'vue-sonner';
import { ApiFailure } from '../api/http.ts';
import { explainFailure } from './explain-failure.ts';

const DURATION = 10_000;

/** Shows that a request failed; `what` names what it was about: `the flag`. `title` says more than the explanation does. */
export function showFailure(error: unknown, what: string, title?: string): void {
  const explanation = explainFailure(error, what);
  const isUnanswered = error instanceof ApiFailure && error.status === 0;
  const description = isUnanswered ? `This was not done. ${explanation.text}` : explanation.text;
  toast.error(title ?? explanation.title, { description, duration: DURATION });
}

/** Shows an error that nothing else has handled, so that no failed save is silent. */
export function showUnhandled(error: unknown): void {
  const isCancelled = error instanceof DOMException && error.name === 'AbortError';
  // The sign-in page says so.
  const isSignedOut = error instanceof ApiFailure && error.status === 401;
  if (isCancelled || isSignedOut) return;
  if (error instanceof ApiFailure) showFailure(error, 'this request');
  else
    toast.error('Something went wrong', {
      id: 'unhandled',
      description:
        'The last action may not have been done. Stored events are safe. Reload the page and try again.',
      duration: DURATION,
    });
}
