import { ref, shallowRef } from 'vue';
import { askSharedPage } from '../api/shared-page.api.ts';
import type { ViewerAsk } from '../../server/features/sharing/sharing.contract.ts';
import type { SharedData } from './shared-data.ts';

/** Where the address keeps what a viewer asks for: a reload keeps it, and it can be sent. */
const PARAMETER = 'filters';

/** The page under the dates and filters of whoever looks: the newest wish counts, and one that failed leaves all as it was. */
export function useViewerFilters(given: SharedData) {
  const data = shallowRef(given);
  const isBusy = ref(false);
  const problem = ref('');
  let running: AbortController | null = null;

  async function change(next: ViewerAsk): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    isBusy.value = true;
    problem.value = '';
    const search = new URLSearchParams(location.search);
    search.delete(PARAMETER);
    if (Object.keys(next).length > 0) search.set(PARAMETER, JSON.stringify(next));
    const rest = search.size > 0 ? `?${search.toString()}` : '';
    try {
      const { pathname } = location;
      const found = await askSharedPage<SharedData>({ pathname, search: rest }, mine.signal);
      if (running !== mine) return;
      data.value = found;
      history.replaceState(history.state, '', location.pathname + rest);
    } catch (error) {
      if (!mine.signal.aborted)
        problem.value = error instanceof TypeError ? 'Burrow is not responding.' : (error as Error).message;
    } finally {
      if (running === mine) isBusy.value = false;
    }
  }

  return { data, isBusy, problem, change };
}
