import { Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type ProjectSecretsJson, projectSecretsApi } from './project-secrets.contract.ts';
import type { ProjectSecrets } from './project-secrets.service.ts';
import type { ProjectSecret } from './project-secrets.store.ts';

const route = routesOf(projectSecretsApi);

/**
 * The secret keys of a project (management contract 2.2). Where PostHog has a path, it is that; it shows the key in its
 * project to admins, which here only the answer that makes it does.
 */
export function projectSecretRoutes({ secrets }: { secrets: ProjectSecrets }): ManagementRoute[] {
  const json = (projectId: number, secret: string | null = null): ProjectSecretsJson => {
    const { current, backup } = secrets.find(projectId);
    return { secret_api_token: secret, current: shown(current), backup: shown(backup) };
  };
  return [
    route('GET P/burrow/secret_token/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves whether a project has a secret API key and since when, without the key.',
      handle: ({ project }) => json(project.id),
    }),
    route('DELETE P/burrow/secret_token/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Removes the secret API keys of a project, which stop working immediately.',
      status: 204,
      handle: async ({ actor, project }) => {
        await secrets.deleteAll(actor, project);
        return Reply.empty(204);
      },
    }),
    route('PATCH P/rotate_secret_token/', {
      auth: 'key',
      scope: ['project:write'],
      summary:
        'Creates a secret API key of a project, which is shown once; the previous key works until removed.',
      handle: async ({ actor, project }) => json(project.id, await secrets.rotate(actor, project)),
    }),
    route('PATCH P/delete_secret_token_backup/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Removes the previous secret API key of a project, which stops working immediately.',
      handle: async ({ actor, project }) => {
        await secrets.deleteBackup(actor, project);
        return json(project.id);
      },
    }),
  ];
}

function shown(secret: ProjectSecret | null) {
  return secret === null ? null : { mask_value: secret.mask, created_at: secret.createdAt };
}
