import { ref, shallowRef } from 'vue';
import { listFlagOverrides, type FlagOverride } from '../../api/flag-overrides.api.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { useProjectStore } from '../../stores/project.store.ts';

/** What is forced on this machine; `changed` runs after something was forced or ended. */
export function useForced(changed: () => void) {
  const projectId = useProjectStore().current!.id;
  const overrides = shallowRef<readonly FlagOverride[]>([]);
  const isPanelOpen = ref(false);
  const isDialogOpen = ref(false);

  async function load(): Promise<void> {
    try {
      overrides.value = await listFlagOverrides(projectId);
    } catch (error) {
      showFailure(error, 'The local overrides could not be loaded');
    }
  }

  async function onChanged(): Promise<void> {
    changed();
    await load();
  }

  void load();
  return { overrides, isPanelOpen, isDialogOpen, onChanged };
}
