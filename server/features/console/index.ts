export type { ServerInfo } from './console.contract.ts';
export { consoleRoutes, consoleUrl } from './console.routes.ts';
export { createConsole, type Console } from './console.service.ts';
