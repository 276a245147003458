import type { IncomingMessage } from 'node:http';
import { Reply } from './define-route.ts';

/**
 * The response of an action without a body of its own: 200 and empty, or the result of `read` with `Prefer:
 * return=representation` (RFC 7240; management contract 1.1).
 */
export async function preferMinimal(
  req: IncomingMessage,
  read: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  if (!prefersRepresentation(req.headers['prefer'])) return Reply.empty(200, headers);
  return Reply.json(200, await read(), { ...headers, 'Preference-Applied': 'return=representation' });
}

/** The first of two equal preferences counts; names are case-insensitive (RFC 7240, section 2). */
function prefersRepresentation(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').toLowerCase().split(',');
  const preference = preferences
    .map((preference) => preference.split(';', 1)[0]!.replaceAll(/[\s"]/g, ''))
    .find((preference) => preference === 'return' || preference.startsWith('return='));
  return preference === 'return=representation';
}
