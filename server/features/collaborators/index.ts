import type { Feature } from '../../http/define-route.ts';
import type { Members } from '../members/index.ts';
import { collaboratorRoutes } from './collaborators.routes.ts';
import { createCollaborators, type CollaboratorParts } from './collaborators.service.ts';
import { deleteCollaborationsOf } from './collaborators.store.ts';

export function collaboratorsFeature(needs: CollaboratorParts & { members: Members }): Feature {
  needs.members.onRemove((tx, { userId }) => deleteCollaborationsOf(tx, userId));
  return { name: 'collaborators', routes: collaboratorRoutes(createCollaborators(needs)) };
}
