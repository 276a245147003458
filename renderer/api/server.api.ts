import { request } from './http.ts';

export interface ServerInfo {
  version: string;
  url: string;
  port: number;
  host: string;
  listens_beyond_loopback: boolean;
  lan_addresses: string[];
  /** Name of the database file, `null` when nothing is kept on disk. */
  data_file: string | null;
  data_dir: string | null;
  ephemeral: boolean;
  started_at: string;
}

/** Where this server listens and where it keeps its file. */
export function getServerInfo(): Promise<ServerInfo> {
  return request<ServerInfo>('/api/burrow/server/');
}
