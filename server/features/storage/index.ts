export { storageRoutes } from './storage.routes.ts';
