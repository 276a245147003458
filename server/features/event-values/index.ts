export { eventValueRoutes } from './event-values.routes.ts';
