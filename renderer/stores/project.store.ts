import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { api } from '../api/client.ts';
import type { ProjectBasics as Project } from '../../server/features/projects/projects.contract.ts';
import { usePreferencesStore } from './preferences.store.ts';
import { useSessionStore } from './session.store.ts';

/** The projects of the signed-in user, and the one that the address names. */
export const useProjectStore = defineStore('project', () => {
  const sessions = useSessionStore();
  const preferences = usePreferencesStore();
  const selectedId = ref<number | null>(null);

  const projects = computed(() => sessions.session?.projects ?? []);
  const current = computed(() => findProject(selectedId.value) ?? home.value);

  /** The project of a URL without one: the last shown one, else the server's choice. */
  const home = computed(
    () =>
      findProject(preferences.projectId) ??
      findProject(sessions.session?.current_project_id ?? null) ??
      projects.value[0] ??
      null,
  );

  function findProject(id: number | null): Project | null {
    return projects.value.find((project) => project.id === id) ?? null;
  }

  /** Makes a project the current one; `false` when there is none of this id. */
  function select(id: number): boolean {
    if (!findProject(id)) return false;
    selectedId.value = id;
    preferences.projectId = id;
    return true;
  }

  /** Creates a project, in this computer's time zone unless another is named; throws `ApiFailure`. */
  async function create(
    name: string,
    timezone = Intl.DateTimeFormat().resolvedOptions().timeZone,
  ): Promise<Project> {
    const project = await api.post('/api/organizations/:organization_id/projects/', {
      organization_id: '@current',
      body: { name, timezone },
    });
    sessions.putProject(project);
    return project;
  }

  return {
    projects,
    current,
    home,
    select,
    create,
    put: sessions.putProject,
    remove: sessions.removeProject,
  };
});
