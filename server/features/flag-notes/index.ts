export { flagNoteRoutes } from './flag-notes.routes.ts';
