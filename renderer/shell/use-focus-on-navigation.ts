import { nextTick, onScopeDispose, type Ref } from 'vue';
import { START_LOCATION, useRouter, type RouteLocationNormalized } from 'vue-router';

/**
 * A new screen takes the focus, as a new page would: assistive technology reads its heading, and Tab goes on from there.
 * Without a heading the region takes it. What has it in the new screen already keeps it. Returns the same for a skip link.
 */
export function useFocusOnNavigation(region: Readonly<Ref<HTMLElement | null>>): () => void {
  const stop = useRouter().afterEach(async (to, from, failure) => {
    if (failure || from === START_LOCATION || !isOtherScreen(to, from)) return;
    await nextTick();
    // A dialog that closes meanwhile, such as the palette, first gives the focus back, in a task of its own.
    requestAnimationFrame(() => setTimeout(() => isTaken(region.value) || focusContent()));
  });
  onScopeDispose(stop);

  function focusContent(): void {
    const target = region.value?.querySelector<HTMLElement>('h1:not(.paper-title)') ?? region.value;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  return focusContent;
}

/** Another state of the same screen, such as another tab or page of a list, leaves the focus where it is. */
function isOtherScreen(to: RouteLocationNormalized, from: RouteLocationNormalized): boolean {
  return to.name !== from.name || (to.meta.isOneThing === true && to.path !== from.path);
}

function isTaken(region: HTMLElement | null): boolean {
  const { activeElement } = document;
  return (
    activeElement !== null &&
    (region?.contains(activeElement) || activeElement.closest('[role$="dialog"]') !== null)
  );
}
