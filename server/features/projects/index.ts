export { projectBasicsOf } from './project-json.ts';
export { projectBasics, type ProjectBasics } from './projects.contract.ts';
export { projectRoutes } from './projects.routes.ts';
export { createProjects, newProjectToken, type Projects } from './projects.service.ts';
export { insertProject, type Project } from './projects.store.ts';
