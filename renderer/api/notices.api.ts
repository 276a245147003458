import type { NoticeJson, NoticeListJson } from '../../server/features/notices/notices.contract.ts';
import { request } from './http.ts';

export type Notice = NoticeJson;

const PATH = '/api/burrow/notices/';
/** Milliseconds. */
const ANSWER_LIMIT = 4_000;

/** What is wrong with the server as a whole, errors first. */
export async function listNotices(): Promise<Notice[]> {
  // A server that hangs answers nothing; the next request finds out whether it is back.
  return (await request<NoticeListJson>(PATH, { signal: AbortSignal.timeout(ANSWER_LIMIT) })).results;
}

/** Dismisses a notice for all users. */
export function dismissNotice(id: string): Promise<void> {
  return request<void>(`${PATH}${encodeURIComponent(id)}/`, { method: 'DELETE' });
}
