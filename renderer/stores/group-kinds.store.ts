import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import type { GroupTypeJson as GroupType } from '../../server/features/groups/groups.contract.ts';
import { useProjectStore } from './project.store.ts';

/** The kinds of groups of the current project: tabs of lists, words on the page of one. */
export const useGroupKindsStore = defineStore('group-kinds', () => {
  const projects = useProjectStore();
  const known = shallowRef<{ projectId: number; types: GroupType[] } | null>(null);

  const isLoaded = computed(() => known.value?.projectId === projects.current?.id);
  const types = computed(() => (isLoaded.value ? known.value!.types : []));

  /** Reloads; throws `ApiFailure`. The loaded types stay until the response. */
  async function refresh(): Promise<void> {
    const projectId = projects.current!.id;
    known.value = { projectId, types: await api.get('P/groups_types/', { projectId }) };
  }

  /** Reloads for a screen that needs only the names: without a response groups are shown by their index. */
  function refreshNames(): void {
    refresh().catch(() => {
      // The banner of the shell says when the server does not answer.
    });
  }

  /** Names a kind, for one and for many; throws `ApiFailure`. */
  async function rename(typeIndex: number, names: { singular: string; plural: string }): Promise<void> {
    const projectId = projects.current!.id;
    const types = await api.patch('P/groups_types/update_metadata/', {
      projectId,
      body: [{ group_type_index: typeIndex, name_singular: names.singular, name_plural: names.plural }],
    });
    known.value = { projectId, types };
  }

  /** Deletes a kind with all of its groups; throws `ApiFailure`. */
  async function remove(typeIndex: number): Promise<void> {
    await api.delete('P/groups_types/:index/', {
      projectId: projects.current!.id,
      index: typeIndex,
    });
    await refresh();
  }

  function find(typeIndex: number): GroupType | undefined {
    return types.value.find((type) => type.group_type_index === typeIndex);
  }

  return { types, isLoaded, refresh, refreshNames, rename, remove, find };
});
