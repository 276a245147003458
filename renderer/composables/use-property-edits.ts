import { toast } from 'vue-sonner';
import { ApiFailure } from '../api/http.ts';
import { undoneSentence } from './explain-failure.ts';

interface PropertyEdits {
  /** The properties as they are now. */
  properties: () => Record<string, unknown>;
  set: (name: string, value: unknown) => Promise<unknown>;
  unset: (name: string) => Promise<unknown>;
  /** Reads again what is shown. */
  reload: () => Promise<void>;
}

/** Editing of properties in place: each resolves to what went wrong, or to the empty text. A deletion can be taken back. */
export function usePropertyEdits({ properties, set, unset, reload }: PropertyEdits) {
  async function attempt(task: () => Promise<unknown>): Promise<string> {
    try {
      await task();
    } catch (error) {
      return problemOf(error);
    }
    await reload();
    return '';
  }

  function save(name: string, value: unknown): Promise<string> {
    return attempt(() => set(name, value));
  }

  async function remove(name: string): Promise<string> {
    const value = properties()[name];
    const problem = await attempt(() => unset(name));
    if (problem !== '') return problem;
    toast(`“${name}” deleted`, {
      action: { label: 'Undo', onClick: () => void restore(name, value) },
    });
    return '';
  }

  async function restore(name: string, value: unknown): Promise<void> {
    const problem = await save(name, value);
    if (problem !== '') toast.error(`“${name}” could not be restored`, { description: problem });
  }

  return { save, remove };
}

/** A refusal says what is wrong with the value; anything else is explained. */
function problemOf(error: unknown): string {
  const isRefusal = error instanceof ApiFailure && error.status >= 400 && error.status < 500;
  return isRefusal ? error.message : undoneSentence(error, 'The property could not be saved');
}
