export { createApiReference } from './api-reference.ts';
export { openApiDocument } from './openapi-document.ts';
