import { ref, watch, type Ref } from 'vue';

interface Steps<Draft, Option, Done> {
  isOpen: Ref<boolean>;
  /** The draft that it opens with. */
  begin: () => Draft;
  /** The draft with an option added, or what is done when no step is open any more. */
  add: (draft: Draft, option: Option) => { draft: Draft } | { done: Done };
  choose: (done: Done) => void;
}

/** The draft of a `StepPicker`: it is reset each time it opens, and closes it after the last step. */
export function useStepDraft<Draft, Option, Done>({
  isOpen,
  begin,
  add,
  choose,
}: Steps<Draft, Option, Done>) {
  const draft = ref(begin()) as Ref<Draft>;
  const query = ref('');

  watch(isOpen, () => {
    draft.value = begin();
    query.value = '';
  });

  function take(option: Option): void {
    const next = add(draft.value, option);
    query.value = '';
    if ('draft' in next) {
      draft.value = next.draft;
      return;
    }
    isOpen.value = false;
    choose(next.done);
  }

  return { draft, query, take };
}
