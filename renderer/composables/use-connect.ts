import { useRouter } from 'vue-router';
import { useProjectStore } from '../stores/project.store.ts';

/** Opens the screen that connects a product to the current project. */
export function useConnect(): () => void {
  const router = useRouter();
  const projects = useProjectStore();
  return () => void router.push({ name: 'connect', params: { projectId: projects.current!.id } });
}
