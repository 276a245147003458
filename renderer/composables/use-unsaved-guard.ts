import { onScopeDispose, ref } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';

/**
 * Asks before a screen with changes that are not saved is left. `isAsking` opens the question, `answer` tells what was
 * chosen; closing the tab is asked by the browser itself.
 */
export function useUnsavedGuard(isChanged: () => boolean) {
  const isAsking = ref(false);
  let settle: ((isLeaving: boolean) => void) | null = null;

  function answer(isLeaving: boolean): void {
    isAsking.value = false;
    settle?.(isLeaving);
    settle = null;
  }

  function ask(): Promise<boolean> {
    settle?.(false);
    isAsking.value = true;
    return new Promise((resolve) => (settle = resolve));
  }

  /** The same page with another query is not left. */
  function guard(to: RouteLocationNormalized, from: RouteLocationNormalized): true | Promise<boolean> {
    return to.path === from.path || !isChanged() ? true : ask();
  }

  function onUnload(event: BeforeUnloadEvent): void {
    if (isChanged()) event.preventDefault();
  }

  onBeforeRouteLeave(guard);
  onBeforeRouteUpdate(guard);
  window.addEventListener('beforeunload', onUnload);
  onScopeDispose(() => {
    window.removeEventListener('beforeunload', onUnload);
    answer(false);
  });
  return { isAsking, answer };
}
