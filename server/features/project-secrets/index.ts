import type { Feature } from '../../http/define-route.ts';
import { projectSecretRoutes } from './project-secrets.routes.ts';
import { createProjectSecrets, type ProjectSecrets } from './project-secrets.service.ts';

export { type ProjectSecrets } from './project-secrets.service.ts';

export async function projectSecretsFeature(
  needs: Parameters<typeof createProjectSecrets>[0],
): Promise<Feature & { secrets: ProjectSecrets }> {
  const secrets = createProjectSecrets(needs);
  await secrets.load();
  return { name: 'project-secrets', secrets, routes: projectSecretRoutes({ secrets }) };
}
