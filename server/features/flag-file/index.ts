export { flagFileRoutes } from './flag-file.routes.ts';
export { createFlagFiles, type FlagFiles } from './flag-file.service.ts';
export { FlagFileError, startWithFile } from './start-file.ts';
