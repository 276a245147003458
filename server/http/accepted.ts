import type { IncomingMessage } from 'node:http';
import { Reply } from './define-route.ts';

/**
 * The answer of an action that tells nothing of itself: 200 and empty, or with `Prefer: return=representation` (RFC 7240)
 * what `read` gives (management contract 1.1).
 */
export async function accepted(
  req: IncomingMessage,
  read: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  if (!wantsRepresentation(req.headers['prefer'])) return Reply.empty(200, headers);
  return Reply.json(200, await read(), { ...headers, 'Preference-Applied': 'return=representation' });
}

/** Of two preferences for the same the first counts; names are not case-sensitive (RFC 7240, section 2). */
function wantsRepresentation(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').toLowerCase().split(',');
  const asked = preferences
    .map((preference) => preference.split(';', 1)[0]!.replaceAll(/[\s"]/g, ''))
    .find((preference) => preference === 'return' || preference.startsWith('return='));
  return asked === 'return=representation';
}
