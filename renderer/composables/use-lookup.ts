import { readonly, ref } from 'vue';
import { undoneSentence } from './explain-failure.ts';

/** Loads the lists of a picker. One that fails is left out, and `problem` has the message to show below the others. */
export function useLookup() {
  const problem = ref('');
  let latest = 0;

  async function lookUp<Item>(...lists: readonly Promise<readonly Item[]>[]): Promise<Item[]> {
    latest += 1;
    const mine = latest;
    const found = await Promise.allSettled(lists);
    const failed = found.find((one) => one.status === 'rejected');
    if (mine === latest)
      problem.value = failed ? undoneSentence(failed.reason, 'The list is incomplete') : '';
    return found.flatMap((one) => (one.status === 'fulfilled' ? [...one.value] : []));
  }

  return { problem: readonly(problem), lookUp };
}

export type LookUp = ReturnType<typeof useLookup>['lookUp'];
