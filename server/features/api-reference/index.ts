export { createApiReference } from './api-reference.ts';
export type { Components, JsonSchema } from './named-schemas.ts';
export { type OpenApiDocument } from './openapi-document.ts';
export type { Operation } from './operation.ts';
