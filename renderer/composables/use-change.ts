import { readonly, ref } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { undoneSentence } from './explain-failure.ts';

/**
 * Runs one change at a time, and says why it failed. `undone` says what could not be done, `The key could not be saved`;
 * a change of another sort says its own.
 */
export function useChange(undone: string) {
  const isBusy = ref(false);
  const problem = ref('');
  /** The field that the server refused, by its name on the wire. */
  const attr = ref<string | null>(null);

  function reset(): void {
    problem.value = '';
    attr.value = null;
  }

  async function run(change: () => Promise<void>, failed = undone): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    reset();
    try {
      await change();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // The message of a refused field is shown next to it, without the title.
      problem.value = error.attr === null ? undoneSentence(error, failed) : error.message;
      attr.value = error.attr;
    } finally {
      isBusy.value = false;
    }
  }

  return { isBusy: readonly(isBusy), problem: readonly(problem), attr: readonly(attr), run, reset };
}
