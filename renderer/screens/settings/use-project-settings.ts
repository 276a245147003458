import { computed, shallowRef } from 'vue';
import { api, type BodyOf } from '../../api/client.ts';
import type { ProjectDetail } from '../../../server/features/projects/projects.contract.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import { hasChosenNames } from '../../ui/person-labels.ts';
import { useChange } from '../../composables/use-change.ts';
import { ADMIN } from '../../../server/lib/member-levels.contract.ts';

/** The settings of the current project, and how they are changed. Only its admins may change them. */
export function useProjectSettings() {
  const projects = useProjectStore();
  const projectId = projects.current!.id;
  const project = shallowRef<ProjectDetail | null>(null);
  const failure = shallowRef<unknown>(null);
  const { isBusy, problem, attr, run } = useChange('The setting could not be saved');
  const isAdmin = computed(() => (project.value?.effective_membership_level ?? 0) >= ADMIN);

  async function load(): Promise<void> {
    failure.value = null;
    try {
      project.value = await api.get('P/', { projectId });
    } catch (error) {
      failure.value = error;
    }
  }

  /** Saves settings immediately; `false` when they were refused. */
  async function save(change: BodyOf<'PATCH P/'>): Promise<boolean> {
    let isSaved = false;
    await run(async () => {
      project.value = await api.patch('P/', { projectId, body: change });
      const known = projects.current!;
      hasChosenNames.value = (project.value.person_display_name_properties ?? []).length > 0;
      projects.put({ ...known, name: project.value.name, timezone: project.value.timezone });
      isSaved = true;
    });
    return isSaved;
  }

  void load();
  return { projectId, project, failure, isAdmin, isBusy, problem, attr, load, save };
}
