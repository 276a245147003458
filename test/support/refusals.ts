import type { TestResponse } from './test-app.ts';

/** What a refusal says, but for its sentence, whose wording is free. */
export interface Refusal {
  status: number;
  type: string;
  code: string;
  attr: string | null;
}

function row(status: number, type: string, code: string): Omit<Refusal, 'attr'> {
  return { status, type, code };
}

/** The errors of the management API by the names that its contract gives them (2.4). */
const REFUSALS = {
  'E-NOAUTH': row(401, 'authentication_error', 'not_authenticated'),
  'E-BADKEY': row(401, 'authentication_error', 'authentication_failed'),
  'E-SCOPE': row(403, 'authentication_error', 'permission_denied'),
  'E-KEYPROJECT': row(403, 'authentication_error', 'permission_denied'),
  'E-PROJECT': row(404, 'invalid_request', 'not_found'),
  'E-MEMBER': row(403, 'authentication_error', 'permission_denied'),
  'E-LEVEL': row(403, 'authentication_error', 'permission_denied'),
  'E-EDIT': row(403, 'authentication_error', 'permission_denied'),
  'E-404': row(404, 'invalid_request', 'not_found'),
  'E-REQ': row(400, 'validation_error', 'required'),
  'E-NULL': row(400, 'validation_error', 'null'),
  'E-BLANK': row(400, 'validation_error', 'blank'),
  'E-TYPE': row(400, 'validation_error', 'invalid_input'),
  'E-CHOICE': row(400, 'validation_error', 'invalid_choice'),
  'E-LEN': row(400, 'validation_error', 'max_length'),
  'E-LIST': row(400, 'validation_error', 'not_a_list'),
  'E-DICT': row(400, 'validation_error', 'not_a_dict'),
  'E-PK': row(400, 'validation_error', 'does_not_exist'),
  'E-UNIQUE': row(400, 'validation_error', 'unique'),
  'E-PARSE': row(400, 'invalid_request', 'parse_error'),
  'E-METHOD': row(405, 'invalid_request', 'method_not_allowed'),
  'E-MEDIA': row(415, 'invalid_request', 'unsupported_media_type'),
  'E-FORMAT': row(404, 'invalid_request', 'not_found'),
  'E-CONFLICT': row(409, 'server_error', 'conflict'),
  'E-THROTTLE': row(429, 'throttled_error', 'throttled'),
  'E-SERVER': row(500, 'server_error', 'error'),
};

export type RefusalName = keyof typeof REFUSALS;

/** The refusal of that name, at the field `attr` where it is about one. */
export function refusal(name: RefusalName, attr: string | null = null): Refusal {
  return { ...REFUSALS[name], attr };
}

/** What an answer refuses. Any other answer is its status and text, and equals no refusal. */
export function refusalOf(answer: TestResponse): Refusal | string {
  if (answer.status < 400 || !answer.text.startsWith('{')) return `${answer.status} ${answer.text}`;
  const { type, code, detail, attr, ...rest } = answer.json;
  if (typeof detail !== 'string' || detail === '' || Object.keys(rest).length > 0)
    return `${answer.status} ${answer.text}`;
  return { status: answer.status, type, code, attr };
}
