import { watch, type Ref } from 'vue';

/** The button of the menu that has, or had last, the focus: what an item opens later finds nothing else of the menu. */
let menuButton: HTMLElement | null = null;

globalThis.document?.addEventListener('focusin', ({ target }) => {
  menuButton = target instanceof Element ? buttonOf(target.closest('[role="menu"]')) : null;
});

/**
 * The focused element, to restore the focus later. In a menu, whose items are removed as soon as one is chosen, it is
 * the button that opened it.
 */
export function openerNow(): HTMLElement | null {
  const focused = document.activeElement;
  if (focused === document.body) return menuButton?.isConnected ? menuButton : null;
  const opener = buttonOf(focused?.closest('[role="menu"]') ?? null) ?? focused;
  return opener instanceof HTMLElement ? opener : null;
}

function buttonOf(menu: Element | null): HTMLElement | null {
  const id = menu?.getAttribute('aria-labelledby') ?? null;
  return id === null ? null : document.getElementById(id);
}

/** Returns what gives the focus back when a dialog closes: to what had it when the dialog opened, while that exists. */
export function useReturnedFocus(isOpen: Readonly<Ref<boolean>>): (event: Event) => void {
  let opener: HTMLElement | null = null;
  watch(isOpen, (open) => open && (opener = openerNow()), { immediate: true, flush: 'sync' });
  return (event) => {
    if (!opener?.isConnected) return;
    event.preventDefault();
    opener.focus({ preventScroll: true });
  };
}
