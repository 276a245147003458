import { computed } from 'vue';
import { userNameOf } from '../../composables/user-name.ts';
import type { FilterNames } from '../../ui/property-filter.ts';
import { conflictsOf, mergeDrafts } from './flag-conflict.ts';
import { draftOf } from './flag-draft.ts';
import type { useFlagEditor } from './use-flag-editor.ts';

/** What somebody else has saved while this flag was edited, beside what is here; and the decision between the two. */
export function useFlagConflict(editor: ReturnType<typeof useFlagEditor>, names: () => FilterNames) {
  const { theirs, saved, draft, newId, settle } = editor;

  const conflicts = computed(() => {
    if (!theirs.value || !saved.value || !draft.value) return [];
    const others = draftOf(theirs.value, newId);
    return conflictsOf({ base: saved.value, mine: draft.value, theirs: others }, names());
  });
  const isConflict = computed({
    get: () => theirs.value !== null,
    set: (isOpen) => {
      if (!isOpen) theirs.value = null;
    },
  });
  const author = computed(() => {
    const user = theirs.value?.last_modified_by;
    return user ? userNameOf(user) : 'Someone';
  });

  /** Goes on with a draft that has these parts of theirs. */
  function decide(taken: ReadonlySet<string>): void {
    if (theirs.value && draft.value) settle(mergeDrafts(draft.value, draftOf(theirs.value, newId), taken));
  }

  return { conflicts, isConflict, author, decide };
}
