import { onScopeDispose, ref, shallowReactive, watchEffect } from 'vue';

/** What is on top of a printed page: the screen's title, and what it looks at, such as a date range. */
export const paper = shallowReactive({ title: '', note: '' });

/** While the browser lays out a page for paper, when that began in Unix milliseconds; else null. */
export const printingSince = ref<number | null>(null);

// Vue draws in a microtask, which ends before the browser lays the page out.
globalThis.addEventListener?.('beforeprint', () => change(true));
globalThis.addEventListener?.('afterprint', () => change(false));
// Developer tools show a page as on paper without printing it.
globalThis.matchMedia?.('print').addEventListener('change', ({ matches }) => change(matches));

function change(isPrinting: boolean): void {
  printingSince.value = isPrinting ? Date.now() : null;
}

/** Says on paper what the calling screen looks at, while it is shown. */
export function usePaperNote(note: () => string): void {
  watchEffect(() => (paper.note = note()));
  onScopeDispose(() => (paper.note = ''));
}
