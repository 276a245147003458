import type { ServerInfo } from '../../server/features/console/console.contract.ts';
import { request } from './http.ts';

export type { ServerInfo };

/** Where this server listens and where it keeps its file. */
export function getServerInfo(): Promise<ServerInfo> {
  return request<ServerInfo>('/api/burrow/server/');
}
