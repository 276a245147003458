import type { Feature } from '../../http/define-route.ts';
import type { Groups } from '../groups/index.ts';
import { projectRoutes } from './projects.routes.ts';
import { createProjects, type Projects, type ProjectsDependencies } from './projects.service.ts';

export { projectBasicsOf } from './project-json.ts';
export { type ProjectBasics } from './projects.contract.ts';
export { newProjectToken, type Projects } from './projects.service.ts';
export { insertProject, type DemoFacts, type Project } from './projects.store.ts';

export async function projectsFeature(
  needs: ProjectsDependencies & { groups: Pick<Groups, 'listTypes'> },
): Promise<Feature & { projects: Projects }> {
  const projects = createProjects(needs);
  await projects.load();
  const routes = projectRoutes({ projects, listGroupTypes: needs.groups.listTypes });
  return { name: 'projects', projects, routes };
}
