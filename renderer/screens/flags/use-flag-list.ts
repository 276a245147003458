import { shallowRef } from 'vue';
import {
  listFeatureFlags,
  listFlagNotes,
  type FeatureFlag,
  type FlagNote,
} from '../../api/feature-flags.api.ts';
import { usePagedList } from '../../composables/use-paged-list.ts';

export type StateFilter = 'all' | 'true' | 'false' | 'STALE';
export type TypeFilter = 'all' | 'boolean' | 'multivariant' | 'remote_config';
export type RuntimeFilter = 'any' | 'all' | 'client' | 'server';

/** The flags that the URL describes, and the notes of all flags. */
export function useFlagList(projectId: number) {
  const notes = shallowRef<ReadonlyMap<number, FlagNote>>(new Map());
  const list = usePagedList({
    filters: {
      state: ['all', 'true', 'false', 'STALE'],
      type: ['all', 'boolean', 'multivariant', 'remote_config'],
      runtime: ['any', 'all', 'client', 'server'],
    },
    orders: { flag: 'key', called: 'last_called_at', changed: 'updated_at' },
    load: (query, { state, type, runtime }) => {
      // The list does not wait for the notes, nor fail with them.
      void listFlagNotes(projectId).then(
        (found) => (notes.value = new Map(found.map((note) => [note.id, note]))),
        () => {},
      );
      return listFeatureFlags(projectId, {
        ...query,
        active: state === 'all' ? undefined : state,
        type: type === 'all' ? undefined : type,
        evaluation_runtime: runtime === 'any' ? undefined : runtime,
      });
    },
  });

  /** Replaces a changed flag, without loading the whole list again. */
  function put(flag: FeatureFlag): void {
    const { value: shown } = list.answer;
    if (!shown) return;
    list.answer.value = { ...shown, results: shown.results.map((row) => (row.id === flag.id ? flag : row)) };
  }

  return { ...list, notes, put };
}
