import type { Feature } from '../../http/define-route.ts';
import type { Members } from '../members/index.ts';
import { accessControlRoutes } from './access-controls.routes.ts';
import { createAccessControls, type AccessControlsParts } from './access-controls.service.ts';
import { deleteManagementOfMember } from './access-controls.store.ts';
import { accessKinds } from './access-kinds.ts';

export function accessControlsFeature(needs: AccessControlsParts & { members: Members }): Feature {
  needs.members.onRemove((tx, { id }) => deleteManagementOfMember(tx, id));
  const routes = accessControlRoutes(createAccessControls(needs), accessKinds(needs), needs.resources);
  return { name: 'access-controls', routes };
}
