import { computed, shallowRef, watch } from 'vue';
import { listFlagNotes, type FlagNote } from '../../api/feature-flags.api.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { useGroupKindsStore } from '../../stores/group-kinds.store.ts';
import { pluralOf, singularOf } from '../../ui/group-words.ts';

interface Edited {
  projectId: number;
  flagId: number | null;
  /** The version that is stored; notes are asked for again with each. */
  version: () => number | undefined;
  groupTypeIndex: () => number | null;
}

/** What stands around a flag: what is noted of it, what other flags are called, who gets it. The editor does not wait for it. */
export function useFlagContext({ projectId, flagId, version, groupTypeIndex }: Edited) {
  const groupKinds = useGroupKindsStore();
  const notes = shallowRef<readonly FlagNote[]>([]);

  groupKinds.refreshNames();
  watch(version, loadNotes, { immediate: true });

  function loadNotes(): void {
    listFlagNotes(projectId).then(
      (found) => (notes.value = found),
      (error: unknown) => showFailure(error, 'The notes about this flag could not be loaded'),
    );
  }

  const note = computed(() => notes.value.find(({ id }) => id === flagId) ?? null);
  const names = computed(() => {
    const keys = new Map(notes.value.map(({ id, key }) => [id, key]));
    return { flag: (id: number) => keys.get(id) };
  });
  /** Those who get it: one, and many. */
  const subjects = computed(() => {
    const index = groupTypeIndex();
    if (index === null) return { one: 'person', many: 'persons' };
    const kind = groupKinds.find(index);
    if (!kind) return { one: 'group', many: 'groups' };
    return { one: singularOf(kind), many: pluralOf(kind).toLowerCase() };
  });

  return { note, names, subjects };
}
