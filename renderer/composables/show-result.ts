import { nextTick } from 'vue';

/** Scrolls to what an action has just added, which may be below the window; what is in view stays where it is. */
export async function showResult(element: () => Element | null | undefined): Promise<void> {
  await nextTick();
  element()?.scrollIntoView({ block: 'nearest' });
}
