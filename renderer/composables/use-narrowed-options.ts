import { useTimeoutFn } from '@vueuse/core';
import { computed, shallowRef, watch, type Ref } from 'vue';
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

  const found = computed(() => {
    const narrowed = narrow(loaded.value.options, typed.value);
    if (beyond.value.typed !== typed.value) return narrowed.slice(0, MOST_SHOWN);
    const known = new Set(narrowed.map(({ id }) => id));
    return [...narrowed, ...beyond.value.options.filter(({ id }) => !known.has(id))].slice(0, MOST_SHOWN);
  });

  const { start: searchLater, stop } = useTimeoutFn(() => void search(), TYPING_PAUSE, { immediate: false });

  watch(isOpen, async (open) => {
    query.value = '';
    if (open) loaded.value = await load('');
  });
  watch(typed, (text) => {
    stop();
    if (text !== '' && loaded.value.isCut) searchLater();
  });

  async function search(): Promise<void> {
    const text = typed.value;
    const { options } = await load(text);
    if (text === typed.value) beyond.value = { typed: text, options };
  }

  return { found, typed };
}

/** Those whose name contains a text, whatever its case; those that begin with it first. */
function narrow<Option extends PickerOption>(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return options;
  const named = options.map((option) => ({ option, at: option.label.toLowerCase().indexOf(wanted) }));
  const fitting = named.filter(({ at }) => at !== -1);
  return [...fitting.filter(({ at }) => at === 0), ...fitting.filter(({ at }) => at > 0)].map(
    ({ option }) => option,
  );
}
