import type { NoticeJson, NoticeListJson } from '../../server/features/notices/notices.contract.ts';
import { request } from './http.ts';

export type Notice = NoticeJson;

const PATH = '/api/burrow/notices/';

/** What is wrong with the server as a whole, errors first. */
export async function listNotices(): Promise<Notice[]> {
  return (await request<NoticeListJson>(PATH)).results;
}

/** Dismisses a notice for all users. */
export function dismissNotice(id: string): Promise<void> {
  return request<void>(`${PATH}${encodeURIComponent(id)}/`, { method: 'DELETE' });
}
