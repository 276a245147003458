export { collaboratorRoutes } from './collaborators.routes.ts';
export { createCollaborators, type Collaborators } from './collaborators.service.ts';
export { deleteCollaborationsOf } from './collaborators.store.ts';
