import { ApiFailure } from '../api/http.ts';

export interface Explanation {
  title: string;
  text: string;
}

/** What happened, what was not lost, and what to do. `what` names the requested object: `the latest events`. */
export function explainFailure(error: unknown, what: string): Explanation {
  if (!(error instanceof ApiFailure)) {
    return {
      title: 'Something went wrong on this screen',
      text: `It could not display ${what}. Stored events are safe. Reload the page.`,
    };
  }
  if (error.status === 0) {
    return {
      title: 'Burrow is not responding',
      text: `The server may be stopped or restarting. Stored events are safe, and SDKs retry events that they could not send.`,
    };
  }
  if (error.status === 403) return { title: `You do not have access to ${what}`, text: error.message };
  if (error.status >= 500) {
    return {
      title: `Could not load ${what}`,
      text: saysWhatToDo(error) ? error.message : `${error.message} Nothing was lost. Try again in a moment.`,
    };
  }
  return { title: `Could not load ${what}`, text: error.message };
}

/** Why something could not be done; `undone` says what: `The flag could not be saved`. */
export function explainUndone(error: unknown, undone: string): Explanation {
  if (!(error instanceof ApiFailure))
    return { title: undone, text: 'The console hit an unexpected error. Reload the page and try again.' };
  if (error.status === 0)
    return { title: undone, text: 'Burrow is not responding. Try again when it is back.' };
  const isRefusal = error.status < 500 && error.status !== 429;
  const isWhole = isRefusal || saysWhatToDo(error);
  return { title: undone, text: isWhole ? error.message : `${error.message} Try again.` };
}

/** A full disk or a damaged database does not get better by trying again. */
function saysWhatToDo({ code }: ApiFailure): boolean {
  return code === 'database_unavailable';
}

/** The same in one sentence. */
export function undoneSentence(error: unknown, undone: string): string {
  const { title, text } = explainUndone(error, undone);
  return `${title}: ${text}`;
}
