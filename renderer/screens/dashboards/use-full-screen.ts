import { onScopeDispose, ref, watch } from 'vue';

/**
 * Takes the whole screen while it is wanted, and tells when whoever looks has left it with Esc. Where the browser refuses,
 * as it does for an address that was opened without a click, `isWhole` stays false.
 */
export function useFullScreen(isWanted: () => boolean, onLeft: () => void) {
  const isWhole = ref(false);

  function onChange(): void {
    const isNow = document.fullscreenElement !== null;
    const isLeft = isWhole.value && !isNow;
    isWhole.value = isNow;
    if (isLeft && isWanted()) onLeft();
  }

  async function enter(): Promise<void> {
    if (!document.fullscreenEnabled) return;
    // The page as a whole, so that dialogs and menus stay above what fills it.
    await document.documentElement.requestFullscreen().catch(() => undefined);
    // Given up meanwhile.
    if (!isWanted()) leave();
  }

  function leave(): void {
    // It fails only when the browser has left full screen by itself meanwhile.
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
  }

  document.addEventListener('fullscreenchange', onChange);
  watch(isWanted, (wanted) => (wanted ? void enter() : leave()), { immediate: true });
  onScopeDispose(() => {
    document.removeEventListener('fullscreenchange', onChange);
    leave();
  });

  return { isWhole };
}
