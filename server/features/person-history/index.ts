export { personHistoryRoutes } from './person-history.routes.ts';
