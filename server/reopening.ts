import type { ServerResponse } from 'node:http';
import { sendPublicJson } from './http/send.ts';
import { fail } from './errors.ts';
import type { Notices } from './lib/notices.ts';

const RETRY_AFTER = { 'Retry-After': '1' };

/** Answers a request while the database is reopened, so that no client takes silence for success. */
export function answerWhileReopening(res: ServerResponse, notices: Pick<Notices, 'refusal'>): void {
  const { req } = res;
  if (res.headersSent) return void res.destroy();
  const path = (req.url ?? '').split('?', 1)[0];
  if (path === '/_liveness') return sendPublicJson(req, res, 200, { status: 'ok' });
  if (path === '/_readiness') {
    const reason = notices.refusal()?.title ?? 'The database is being reopened';
    return sendPublicJson(req, res, 503, { status: 'unavailable', reason }, RETRY_AFTER);
  }
  sendPublicJson(req, res, 503, fail('store_unavailable').body, RETRY_AFTER);
}
