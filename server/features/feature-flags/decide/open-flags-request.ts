import { isJsonObject } from '../../../lib/exact-number.contract.ts';
import type { z } from 'zod';
import { ApiError, fail } from '../../../errors.ts';
import { decodeBody, type DecodedBody, type EncodedBody } from '../../../http/decode.ts';
import type { ProjectRef } from '../../../http/define-route.ts';
import { queryToken, type FindProject } from '../../../http/project-of-query.ts';
import { COOKIELESS_DISTINCT_ID } from '../../../lib/cookieless.ts';
import { storedName } from '../../capture/index.ts';
import { flagsRequestSchema, type FlagsRequest, type ParsedFlagsRequest } from './decide.contract.ts';

/**
 * Opens the body of a POST to `/decide` or `/flags`: key and subject. The key is checked before anything else in the
 * body (ingestion contract 1.8). Throws no_api_key, invalid_api_key, missing_distinct_id, malformed_data and
 * payload_too_large (7.6).
 */
export function openFlagsRequest(
  body: EncodedBody,
  findProject: FindProject,
): { project: ProjectRef; request: FlagsRequest } {
  const { json, form } = decode(body);
  if (!isJsonObject(json))
    throw fail('malformed_data', { detail: 'Malformed request data: expected an object.' });
  const project = findProject(tokenOf(json, form, body.search));
  if (project === null) throw fail('invalid_api_key');
  const parsed = flagsRequestSchema.safeParse(json);
  if (!parsed.success)
    throw fail('malformed_data', { detail: `Malformed request data: ${firstIssue(parsed.error)}` });
  return { project, request: namedRequest(parsed.data) };
}

/** The request with ids as events are stored with (ingestion contract 3.3). Throws missing_distinct_id. */
export function namedRequest(request: ParsedFlagsRequest): FlagsRequest {
  const { distinctId, anonDistinctId } = request;
  if (distinctId === null) throw fail('missing_distinct_id');
  return {
    ...request,
    distinctId: storedName(distinctId),
    // All cookieless visitors send the same one, so nothing may be kept under it.
    anonDistinctId:
      anonDistinctId === null || anonDistinctId === COOKIELESS_DISTINCT_ID
        ? null
        : storedName(anonDistinctId),
  };
}

/** An empty body counts as an empty object, so that the response is the error of the missing key. */
function decode(body: EncodedBody): DecodedBody {
  try {
    return decodeBody(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.row.code === 'no_data') return { json: {}, form: {} };
    if (error.row.code === 'invalid_payload') throw fail('malformed_data', { detail: error.message });
    throw error;
  }
}

function tokenOf(json: Record<string, unknown>, form: DecodedBody['form'], search: string): string {
  const given = [
    json['api_key'],
    json['token'],
    json['$token'],
    form['api_key'],
    form['token'],
    queryToken(search),
  ];
  const token = given.find((value) => (typeof value === 'string' ? value.trim() !== '' : value != null));
  if (token === undefined) throw fail('no_api_key');
  if (typeof token !== 'string') throw fail('invalid_api_key');
  return token.trim();
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'not readable.' : `${issue.path.join('.')}: ${issue.message}`;
}
