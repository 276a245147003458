import { noResource, Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type PersonalApiKeyJson, personalApiKeysApi } from './personal-api-keys.contract.ts';
import type { PersonalApiKeys } from './personal-api-keys.service.ts';
import type { PersonalApiKey } from './personal-api-keys.store.ts';

const route = routesOf(personalApiKeysApi);

const OWN_KEYS = noResource(
  'Personal API keys belong to their user and can only be managed with full access.',
  ['*'],
);

/** Managing keys takes every scope: a lesser key could make itself a greater one (management contract 8.4). */
export function personalApiKeyRoutes({ keys }: { keys: PersonalApiKeys }): ManagementRoute[] {
  return [
    route('GET /api/personal_api_keys/', {
      auth: 'key',
      scope: OWN_KEYS,
      summary: 'Lists your personal API keys, newest first.',
      handle: ({ actor }) => keys.list(actor.user.id).map((key) => keyJson(key)),
    }),
    route('POST /api/personal_api_keys/', {
      auth: 'key',
      scope: OWN_KEYS,
      summary: 'Creates a personal API key, which is shown once.',
      status: 201,
      handle: async ({ body, actor }) => {
        const { key, secret } = await keys.create(body, actor);
        return Reply.json(201, keyJson(key, secret));
      },
    }),
    route('GET /api/personal_api_keys/@current/', {
      auth: 'key',
      // A key may always read its own permissions.
      scope: noResource('A key can always read itself.'),
      unrestricted: true,
      summary: 'Retrieves the key of this request.',
      handle: ({ actor }) => keyJson(keys.get('@current', actor)),
    }),
    route('GET /api/personal_api_keys/:id/', {
      auth: 'key',
      scope: OWN_KEYS,
      summary: 'Retrieves one of your personal API keys.',
      handle: ({ params, actor }) => keyJson(keys.get(params.id, actor)),
    }),
    route('PATCH /api/personal_api_keys/:id/', {
      auth: 'key',
      scope: OWN_KEYS,
      summary: 'Updates one of your personal API keys.',
      lookup: ({ params, actor }) => keys.get(params.id, actor),
      handle: async ({ found, body, actor }) => keyJson(await keys.update(found, body, actor)),
    }),
    route('DELETE /api/personal_api_keys/:id/', {
      auth: 'key',
      scope: OWN_KEYS,
      summary: 'Deletes a personal API key, which stops working immediately.',
      status: 204,
      lookup: ({ params, actor }) => keys.get(params.id, actor),
      handle: async ({ found, actor }) => {
        await keys.delete(found, actor);
        return Reply.empty(204);
      },
    }),
  ];
}

function keyJson(key: PersonalApiKey, value: string | null = null): PersonalApiKeyJson {
  return {
    id: key.id,
    label: key.label,
    value,
    mask_value: key.mask,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    user_id: key.userId,
    scopes: [...key.scopes],
    scoped_teams: [...key.scopedProjects],
    scoped_organizations: [...key.scopedOrganizations],
  };
}
