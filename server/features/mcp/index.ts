import type { Feature } from '../../http/define-route.ts';
import { mcpRoutes } from './mcp.routes.ts';

export { ToolError, type CallApi } from './tool.ts';
/** Loads the SDK with it. */
export const loadMcpServer = async () => (await import('./mcp-server.ts')).createMcpServer;

export function mcpFeature(needs: Parameters<typeof mcpRoutes>[0]): Feature {
  const { routes, close } = mcpRoutes(needs);
  return { name: 'mcp', routes, close };
}
