export { personalApiKeyRoutes } from './personal-api-keys.routes.ts';
export { createPersonalApiKeys, keyOf, type PersonalApiKeys } from './personal-api-keys.service.ts';
export { insertKey } from './personal-api-keys.store.ts';
