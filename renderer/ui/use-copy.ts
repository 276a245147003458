import { useTimeoutFn } from '@vueuse/core';
import { readonly, ref } from 'vue';

/** How long a control says "Copied", in milliseconds. */
const FEEDBACK_TIME = 1600;

/** Puts text on the clipboard; `false` when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A page reached over the network by plain http has no clipboard API; the older command still works there. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** Copies, and remembers for a moment what became of it, so that the control can say so. */
export function useCopy() {
  const outcome = ref<'idle' | 'copied' | 'refused'>('idle');
  const { start: resetLater } = useTimeoutFn(() => (outcome.value = 'idle'), FEEDBACK_TIME, {
    immediate: false,
  });

  async function copy(text: string): Promise<void> {
    outcome.value = (await copyText(text)) ? 'copied' : 'refused';
    resetLater();
  }

  return { outcome: readonly(outcome), copy };
}
