import { useRoute, useRouter } from 'vue-router';
import type { ProjectBasics as Project } from '../../server/features/projects/projects.contract.ts';
import { showFailure } from '../composables/show-failure.ts';
import { useSessionStore } from '../stores/session.store.ts';

/** What the switcher and the palette both do. */
export function useShellActions() {
  const route = useRoute();
  const router = useRouter();
  const session = useSessionStore();

  /** Shows the same screen of another project; a project without events begins at Connect. */
  function openProject(project: Project): void {
    const name = project.ingested_event ? (route.name ?? 'home') : 'connect';
    void router.push({ name, params: { projectId: project.id } });
  }

  async function signOut(): Promise<void> {
    try {
      await session.signOut();
    } catch (error) {
      showFailure(error, 'You could not be signed out');
    }
  }

  return { openProject, signOut };
}
