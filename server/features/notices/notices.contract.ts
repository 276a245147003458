import { z } from 'zod';

/** A state of the whole server that every user has to see: the disk is full, the log was damaged. */
const noticeJson = z.object({
  id: z.string(),
  level: z.enum(['error', 'warning']),
  title: z.string(),
  text: z.string(),
  /** The console page that helps. */
  page: z.enum(['backups', 'ingestion', 'sql', 'storage']).nullable(),
  /** Whether events are answered 503 while the notice is active. */
  refuses_events: z.boolean(),
  /** Whether the notice lasts until a user dismisses it; all others end with their cause. */
  dismissible: z.boolean(),
  since: z.string(),
});
export type NoticeJson = z.output<typeof noticeJson>;

const noticeList = z.object({ results: z.array(noticeJson) });
export type NoticeListJson = z.output<typeof noticeList>;

const noticeParams = z.object({ notice_id: z.string() });

export const noticesApi = {
  'GET /api/burrow/notices/': { response: noticeList },
  'DELETE /api/burrow/notices/:notice_id/': { params: noticeParams, response: null },
};
