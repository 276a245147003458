import { readonly, ref } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { explainFailure } from './explain-failure.ts';

/** Runs one change at a time, and says what the server thought of it. `what` names the thing changed: `this key`. */
export function useChange(what: string) {
  const isBusy = ref(false);
  const problem = ref('');
  /** The field that the server refused, by its name on the wire. */
  const attr = ref<string | null>(null);

  function reset(): void {
    problem.value = '';
    attr.value = null;
  }

  async function run(change: () => Promise<void>): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    reset();
    try {
      await change();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const isAnswer = error.status >= 400 && error.status < 500;
      problem.value = isAnswer ? error.message : explainFailure(error, what).title;
      attr.value = error.attr;
    } finally {
      isBusy.value = false;
    }
  }

  return { isBusy: readonly(isBusy), problem: readonly(problem), attr: readonly(attr), run, reset };
}
