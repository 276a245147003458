export { retentionRoutes } from './retention.routes.ts';
export { createRetention } from './retention.service.ts';
