import { onScopeDispose, shallowReactive } from 'vue';

/**
 * A key, or two pressed one after the other: `j`, `g l`, `mod+k` (Ctrl, or Cmd on a Mac), `mod+shift+z`, `space`, `escape`,
 * `?`. Shift is named beside `mod` alone; without it, it is in the letter or mark.
 */
export interface Hotkey {
  keys: string;
  /** What it does, for the overlay of keys; without it the key stays unlisted. */
  label?: string;
  group?: string;
  run(): void;
  /** Also while a text field or a dialog has the focus. */
  isGlobal?: boolean;
}

/** How long the first key of a pair waits for the second, in milliseconds. */
const PAIR_TIME = 1200;

/** A popover, menu or dialog that is open. A tooltip is none: it is there without being opened. */
const OPEN_LAYER = '[data-dismissable-layer]:not(:has([role="tooltip"]))';

const active = shallowReactive<Hotkey[]>([]);
let firstKey = '';
let firstKeyAt = 0;

/** The keys that work now, in the order in which their owners appeared. */
export function activeHotkeys(): readonly Hotkey[] {
  return active;
}

/** Makes keys work while the calling component lives. Of two with the same keys, the younger wins. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  if (active.length === 0) window.addEventListener('keydown', onKeydown);
  active.push(...hotkeys);
  onScopeDispose(() => {
    for (const hotkey of hotkeys) active.splice(active.indexOf(hotkey), 1);
    if (active.length === 0) window.removeEventListener('keydown', onKeydown);
  });
}

/** Writes keys as they stand on the keyboard: `mod+k` becomes `Ctrl K` or `⌘ K`. */
export function formatKeys(keys: string): string {
  const modifier = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl';
  const names: Record<string, string> = {
    mod: modifier,
    shift: 'Shift',
    alt: 'Alt',
    escape: 'Esc',
    space: 'Space',
    enter: 'Enter',
  };
  return keys
    .split(/[+ ]/)
    .map((key) => names[key] ?? key.toUpperCase())
    .join(' ');
}

function onKeydown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  // Esc closes what is over the page, also where nothing in it has the focus, and nothing else.
  if (event.key === 'Escape' && document.querySelector(OPEN_LAYER)) return;
  const key = nameOf(event);
  const pair = Date.now() - firstKeyAt < PAIR_TIME ? `${firstKey} ${key}` : key;
  const hotkey = find(pair, event) ?? find(key, event);
  firstKey = hotkey ? '' : key;
  firstKeyAt = Date.now();
  if (!hotkey) return;
  event.preventDefault();
  hotkey.run();
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  if (!event.ctrlKey && !event.metaKey) return key;
  return event.shiftKey ? `mod+shift+${key}` : `mod+${key}`;
}

function find(keys: string, event: KeyboardEvent): Hotkey | undefined {
  return active.findLast((hotkey) => hotkey.keys === keys && (hotkey.isGlobal || isFree(event, keys)));
}

/** What takes letters itself: fields, also those that are no inputs, lists that are searched by typing, dialogs and menus. */
const TAKES_LETTERS = [
  'input',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[role="searchbox"]',
  '[role="combobox"]',
  '[role="dialog"]',
  '[role="alertdialog"]',
  '[role="menu"]',
].join(', ');

/** Letters belong to a text field that has the focus, everything to an open dialog or menu, Space and Enter to a focused control. */
function isFree(event: KeyboardEvent, keys: string): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TAKES_LETTERS)) return false;
  const isPress = keys === 'space' || keys === 'enter';
  return !(isPress && target?.closest('button, a, [role="tab"]'));
}
