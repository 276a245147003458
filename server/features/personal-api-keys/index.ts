import type { Feature } from '../../http/define-route.ts';
import { personalApiKeyRoutes } from './personal-api-keys.routes.ts';
import { createPersonalApiKeys, type PersonalApiKeys } from './personal-api-keys.service.ts';

export { hashOfKey } from './key-secret.ts';
export { keyOf, type PersonalApiKeys } from './personal-api-keys.service.ts';
export { deleteKeysOf, insertKey } from './personal-api-keys.store.ts';
export { RUN_KEY_SCOPE } from './personal-api-keys.service.ts';

export async function personalApiKeysFeature(
  needs: Parameters<typeof createPersonalApiKeys>[0],
): Promise<Feature & { keys: PersonalApiKeys }> {
  const keys = createPersonalApiKeys(needs);
  await keys.load();
  return { name: 'personal-api-keys', keys, routes: personalApiKeyRoutes({ keys }) };
}
