export { hashOfKey } from './key-secret.ts';
export { personalApiKeyRoutes } from './personal-api-keys.routes.ts';
export { createPersonalApiKeys, keyOf, type PersonalApiKeys } from './personal-api-keys.service.ts';
export { deleteKeysOf, insertKey, type PersonalApiKey } from './personal-api-keys.store.ts';
export { RUN_KEY_SCOPE } from './personal-api-keys.service.ts';
