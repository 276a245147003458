/**
 * The focused element, to restore the focus later. In a menu, whose items are removed as soon as one is chosen, it is
 * the button that opened it.
 */
export function openerNow(): HTMLElement | null {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? null;
  const opener = button === null ? focused : document.getElementById(button);
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
