/**
 * The closed table of errors that Burrow answers: code -> status, type, text.
 * No other file invents one. Types and statuses follow the management contract (2.4) and the ingestion contract (1.7):
 * one flat JSON object `{type, code, detail, attr}`.
 */
export type ErrorType =
  'authentication_error' | 'invalid_request' | 'validation_error' | 'throttled_error' | 'server_error';

interface ErrorRow {
  status: number;
  type: ErrorType;
  code: string;
  detail: string;
}

function row(status: number, type: ErrorType, code: string, detail: string): ErrorRow {
  return { status, type, code, detail };
}

export const ERRORS = {
  // Management API (contract 2.4)
  not_authenticated: row(
    401,
    'authentication_error',
    'not_authenticated',
    'No credentials were sent with this request.',
  ),
  authentication_failed: row(
    401,
    'authentication_error',
    'authentication_failed',
    'These credentials are not valid.',
  ),
  missing_scope: row(
    403,
    'authentication_error',
    'permission_denied',
    'This key is missing a required scope.',
  ),
  key_excludes_project: row(
    403,
    'authentication_error',
    'permission_denied',
    'This key does not give access to this project.',
  ),
  permission_denied: row(
    403,
    'authentication_error',
    'permission_denied',
    'You do not have permission to do this.',
  ),
  no_project_access: row(
    403,
    'authentication_error',
    'permission_denied',
    'You do not have access to this project.',
  ),
  access_level: row(
    403,
    'authentication_error',
    'permission_denied',
    'Your access level does not allow this.',
  ),
  not_editable: row(
    403,
    'authentication_error',
    'permission_denied',
    'You do not have permission to edit this dashboard: only its collaborators can.',
  ),
  foreign_origin: row(
    403,
    'authentication_error',
    'permission_denied',
    'This request comes from a page that Burrow does not serve.',
  ),
  foreign_host: row(
    403,
    'authentication_error',
    'permission_denied',
    'This host name is not allowed. Allow it with --allowed-host.',
  ),
  project_not_found: row(404, 'invalid_request', 'not_found', 'Project not found.'),
  not_found: row(404, 'invalid_request', 'not_found', 'Not found.'),
  dashboard_not_found: row(404, 'invalid_request', 'not_found', 'Dashboard not found.'),
  unknown_path: row(404, 'invalid_request', 'not_found', 'This path does not exist.'),
  unknown_format: row(404, 'invalid_request', 'not_found', 'This format is not available.'),
  method_not_allowed: row(
    405,
    'invalid_request',
    'method_not_allowed',
    'This method is not allowed for this path.',
  ),
  unsupported_media_type: row(
    415,
    'invalid_request',
    'unsupported_media_type',
    'The media type of the body is not supported.',
  ),
  parse_error: row(400, 'invalid_request', 'parse_error', 'The body is not valid JSON.'),
  required: row(400, 'validation_error', 'required', 'This field is required.'),
  null: row(400, 'validation_error', 'null', 'This field may not be null.'),
  blank: row(400, 'validation_error', 'blank', 'This field may not be blank.'),
  invalid_input: row(400, 'validation_error', 'invalid_input', 'This value is not valid.'),
  invalid: row(400, 'validation_error', 'invalid', 'This value is not valid.'),
  invalid_choice: row(400, 'validation_error', 'invalid_choice', 'This is not a valid choice.'),
  max_length: row(400, 'validation_error', 'max_length', 'This value is too long.'),
  not_a_list: row(400, 'validation_error', 'not_a_list', 'A list was expected.'),
  not_a_dict: row(400, 'validation_error', 'not_a_dict', 'An object was expected.'),
  does_not_exist: row(400, 'validation_error', 'does_not_exist', 'This object does not exist.'),
  invalid_key: row(400, 'validation_error', 'invalid_key', 'This key is not valid.'),
  invalid_operator: row(400, 'validation_error', 'invalid_operator', 'This operator is not valid here.'),
  invalid_value: row(400, 'validation_error', 'invalid_value', 'This value is not valid for the operator.'),
  invalid_date: row(400, 'validation_error', 'invalid_date', 'This is not a valid date.'),
  cohort_does_not_exist: row(400, 'validation_error', 'cohort_does_not_exist', 'This cohort does not exist.'),
  behavioral_cohort_found: row(
    400,
    'validation_error',
    'behavioral_cohort_found',
    'Flags cannot use cohorts with behavioral conditions.',
  ),
  query_timeout: row(
    400,
    'validation_error',
    'timeout_exceeded',
    'The query exceeded the time limit. Try a shorter date range, or select fewer properties.',
  ),
  warehouse_away: row(
    503,
    'server_error',
    'warehouse_away',
    'ClickHouse does not answer. Events are still collected, and nothing is lost. Try again later.',
  ),
  query_memory: row(
    400,
    'validation_error',
    'memory_limit_exceeded',
    'The query exceeded the memory limit. Try a shorter date range, or group by fewer columns.',
  ),
  result_too_large: row(
    400,
    'validation_error',
    'too_many_bytes',
    'The result is larger than 128 MB. Select fewer columns or rows.',
  ),
  query_cancelled: row(400, 'validation_error', 'query_was_cancelled', 'The query was canceled.'),
  unique: row(400, 'validation_error', 'unique', 'This value is already in use.'),
  conflict: row(409, 'server_error', 'conflict', 'This was changed by someone else in the meantime.'),
  nothing_on_disk: row(
    400,
    'validation_error',
    'nothing_on_disk',
    'This server runs in memory: there is no database file to back up.',
  ),
  backup_under_way: row(
    409,
    'server_error',
    'backup_under_way',
    'A backup is already being created or restored. Wait until it is finished.',
  ),
  backup_unreadable: row(
    400,
    'validation_error',
    'backup_unreadable',
    'This file is not a Burrow database, or it is damaged. Nothing was changed.',
  ),
  backup_failed: row(
    500,
    'server_error',
    'backup_failed',
    'The backup could not be created. Stored data is not affected. See the server log for details.',
  ),
  throttled: row(429, 'throttled_error', 'throttled', 'Too many requests. Try again later.'),
  server_error: row(500, 'server_error', 'error', 'A server error occurred.'),
  database_unavailable: row(
    503,
    'server_error',
    'database_unavailable',
    'The database is not available right now. Try again.',
  ),

  // Public surface (ingestion contract 1.7, 7.6)
  no_data: row(400, 'validation_error', 'no_data', 'The request has no data. Send it with POST.'),
  invalid_payload: row(400, 'validation_error', 'invalid_payload', 'Malformed request data.'),
  missing_api_key: row(
    401,
    'authentication_error',
    'missing_api_key',
    'API key not provided. You can find your project API key under Connect.',
  ),
  empty_api_key: row(401, 'authentication_error', 'empty', 'Provided API key is not valid: empty'),
  not_string_api_key: row(
    401,
    'authentication_error',
    'not_string',
    'Provided API key is not valid: not_string',
  ),
  too_long_api_key: row(401, 'authentication_error', 'too_long', 'Provided API key is not valid: too_long'),
  not_ascii_api_key: row(
    401,
    'authentication_error',
    'not_ascii',
    'Provided API key is not valid: not_ascii',
  ),
  null_byte_api_key: row(
    401,
    'authentication_error',
    'null_byte',
    'Provided API key is not valid: null_byte',
  ),
  personal_api_key: row(
    401,
    'authentication_error',
    'personal_api_key',
    'Provided API key is not valid: personal_api_key',
  ),
  invalid_api_key: row(
    401,
    'authentication_error',
    'invalid_api_key',
    'Project API key invalid. You can find your project API key under Connect.',
  ),
  inconsistent_api_keys: row(
    401,
    'authentication_error',
    'invalid_api_key',
    'The events of one request carry inconsistent keys.',
  ),
  no_api_key: row(
    401,
    'authentication_error',
    'no_api_key',
    'API key not provided. You can find your project API key under Connect.',
  ),
  missing_distinct_id: row(
    400,
    'validation_error',
    'missing_distinct_id',
    'You need to set a user distinct_id.',
  ),
  missing_required_headers: row(
    400,
    'validation_error',
    'missing_required_headers',
    'The request is missing required headers.',
  ),
  invalid_header_value: row(
    400,
    'validation_error',
    'invalid_header_value',
    'A header has a value that is not valid.',
  ),
  rate_limit_exceeded: row(
    429,
    'validation_error',
    'rate_limit_exceeded',
    'Too many requests with this key. Try again later.',
  ),
  malformed_data: row(400, 'validation_error', 'malformed_data', 'Malformed request data.'),
  payload_too_large: row(413, 'validation_error', 'payload_too_large', 'maximum event size exceeded'),
  request_timeout: row(
    408,
    'invalid_request',
    'request_timeout',
    'The request body was not received in time.',
  ),
  store_unavailable: row(503, 'server_error', 'server_error', 'The event could not be stored. Try again.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The body of every error answer. */
export interface ErrorBody {
  type: ErrorType;
  code: string;
  detail: string;
  attr: string | null;
}

/** A refusal from the table; the only kind of error whose text reaches a client. */
export class ApiError extends Error {
  /** Its row of the table. */
  readonly errorName: ErrorName;
  readonly row: ErrorRow;
  readonly attr: string | null;
  readonly headers: Record<string, string>;

  constructor(errorName: ErrorName, options: FailOptions = {}) {
    super(options.detail ?? ERRORS[errorName].detail);
    this.errorName = errorName;
    this.row = ERRORS[errorName];
    this.attr = options.attr ?? null;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return this.row.status;
  }

  get body(): ErrorBody {
    return { type: this.row.type, code: this.row.code, detail: this.message, attr: this.attr };
  }
}

export interface FailOptions {
  /** A sentence better than the table's for this case. */
  detail?: string;
  /** The field that is wrong; nested names joined by two underscores. */
  attr?: string;
  headers?: Record<string, string>;
}

/** Makes the error to throw: `throw fail('not_found')`. */
export function fail(name: ErrorName, options?: FailOptions): ApiError {
  return new ApiError(name, options);
}
