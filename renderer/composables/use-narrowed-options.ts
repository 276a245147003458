import { useTimeoutFn } from '@vueuse/core';
import { computed, shallowRef, watch, type Ref } from 'vue';
import { matching } from '../ui/matching.ts';
import type { PickerOption } from '../ui/step-picker.ts';

/** What a picker offers, and whether the server has more of it. */
export interface LoadedOptions<Option> {
  options: readonly Option[];
  isCut: boolean;
}

interface Narrowed<Option> {
  isOpen: Ref<boolean>;
  query: Ref<string>;
  load(typed: string): Promise<LoadedOptions<Option>>;
}

/** Milliseconds without a keystroke after which the server is searched for what was not loaded. */
const TYPING_PAUSE = 120;
/** Options that are drawn: the more there are, the more is to be typed. */
const MOST_SHOWN = 40;

/**
 * The options of a picker: loaded once when it opens, and narrowed by each keystroke without a request. Only of a project
 * that has more than were loaded does the server search as well.
 */
export function useNarrowedOptions<Option extends PickerOption>({ isOpen, query, load }: Narrowed<Option>) {
  const loaded = shallowRef<LoadedOptions<Option>>({ options: [], isCut: false });
  const beyond = shallowRef<{ typed: string; options: readonly Option[] }>({ typed: '', options: [] });
  const typed = computed(() => query.value.trim());

  const matched = computed(() => {
    const { shown } = matching(loaded.value.options, typed.value, Infinity);
    if (beyond.value.typed !== typed.value) return shown;
    const known = new Set(shown.map(({ id }) => id));
    return [...shown, ...beyond.value.options.filter(({ id }) => !known.has(id))];
  });
  const found = computed(() => matched.value.slice(0, MOST_SHOWN));
  /** How many more have what was typed. */
  const left = computed(() => matched.value.length - found.value.length);

  const { start: searchLater, stop } = useTimeoutFn(() => void search(), TYPING_PAUSE, { immediate: false });

  watch(isOpen, async (open) => {
    query.value = '';
    if (open) loaded.value = await load('');
  });
  // What was typed before the options were loaded is searched for once it is known that there are more.
  watch([typed, () => loaded.value.isCut], ([text, isCut]) => {
    stop();
    if (text !== '' && isCut) searchLater();
  });

  async function search(): Promise<void> {
    const text = typed.value;
    const { options } = await load(text);
    if (text === typed.value) beyond.value = { typed: text, options };
  }

  return { found, left, typed };
}
