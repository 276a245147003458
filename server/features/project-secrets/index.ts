export { projectSecretRoutes } from './project-secrets.routes.ts';
export { createProjectSecrets, type ProjectSecrets } from './project-secrets.service.ts';
