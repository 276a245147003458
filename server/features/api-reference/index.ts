export { openApiDocument } from './openapi-document.ts';
