import { onScopeDispose, ref, watch } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';
import { markUnsavedOnDesktop, saveForDesktop } from '../api/desktop.api.ts';
import { useSessionStore } from '../stores/session.store.ts';

/**
 * Guards a screen with unsaved changes. `isAsking` opens the dialog, `answer` passes the choice. Closing the tab is
 * guarded by the browser itself; closing a window of the desktop app by the app, which can call `save`.
 */
export function useUnsavedGuard(isChanged: () => boolean, save: () => Promise<unknown>) {
  const session = useSessionStore();
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

  /** The same page with another query is not left; without a session there is no question. */
  function guard(to: RouteLocationNormalized, from: RouteLocationNormalized): true | Promise<boolean> {
    return to.path === from.path || !session.isSignedIn || !isChanged() ? true : ask();
  }

  function onUnload(event: BeforeUnloadEvent): void {
    if (isChanged()) event.preventDefault();
  }

  onBeforeRouteLeave(guard);
  onBeforeRouteUpdate(guard);
  window.addEventListener('beforeunload', onUnload);
  watch(isChanged, markUnsavedOnDesktop);
  saveForDesktop(async () => {
    await save();
    return !isChanged();
  });
  const release = session.hold({ isChanged, ask });
  onScopeDispose(() => {
    release();
    window.removeEventListener('beforeunload', onUnload);
    if (isChanged()) markUnsavedOnDesktop(false);
    answer(false);
  });
  return { isAsking, answer };
}
