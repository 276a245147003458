import { expect } from 'vitest';

/** Types of fields, as the tables of the specification name them. */
type FieldType =
  | 'integer'
  | 'string'
  | 'boolean'
  | 'object'
  | 'array'
  | 'ISO 8601 date-time'
  | 'UUID'
  | 'e-mail'
  | 'URL'
  | 'User object';

export type Fields = Readonly<Record<string, FieldType>>;

/** Resource tables of the specification, field by field. */
export const USER: Fields = {
  id: 'integer',
  uuid: 'UUID',
  distinct_id: 'string',
  first_name: 'string',
  last_name: 'string',
  email: 'e-mail',
  is_email_verified: 'boolean',
  hedgehog_config: 'object',
  role_at_organization: 'string',
};

export const DASHBOARD_ITEM: Fields = {
  id: 'integer',
  name: 'string',
  description: 'string',
  pinned: 'boolean',
  created_at: 'ISO 8601 date-time',
  created_by: 'User object',
  is_shared: 'boolean',
  deleted: 'boolean',
  creation_mode: 'string',
  tags: 'array',
  restriction_level: 'integer',
  effective_restriction_level: 'integer',
  effective_privilege_level: 'integer',
  user_access_level: 'string',
};

export const DASHBOARD: Fields = {
  ...DASHBOARD_ITEM,
  use_template: 'string',
  use_dashboard: 'integer',
  delete_insights: 'boolean',
  filters: 'object',
  variables: 'object',
  tiles: 'array',
};

export const PAGE: Fields = {
  count: 'integer',
  next: 'URL',
  previous: 'URL',
  results: 'array',
};

export const COLLABORATOR: Fields = {
  id: 'UUID',
  dashboard_id: 'integer',
  user: 'User object',
  level: 'integer',
  added_at: 'ISO 8601 date-time',
  updated_at: 'ISO 8601 date-time',
  user_uuid: 'UUID',
};

export const SHARING: Fields = {
  created_at: 'ISO 8601 date-time',
  enabled: 'boolean',
  access_token: 'string',
};

export const STORED_EVENT: Fields = {
  id: 'string',
  distinct_id: 'string',
  properties: 'string',
  event: 'string',
  timestamp: 'string',
  person: 'string',
  elements: 'string',
  elements_chain: 'string',
};

export const FLAG_RESULT: Fields = {
  config: 'object',
  toolbarParams: 'object',
  errorsWhileComputingFlags: 'boolean',
  isAuthenticated: 'boolean',
  supportedCompression: 'array',
  featureFlags: 'object',
  featureFlagPayloads: 'object',
};

/** What has no value yet: a user's own choices, the source of a dashboard that is no copy, the end of a list. */
const MAY_BE_NULL = new Set(['hedgehog_config', 'role_at_organization', 'use_dashboard', 'next', 'previous']);

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  'ISO 8601 date-time': (value) => DATE_TIME.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  UUID: (value) => UUID.test(String(value)),
  'e-mail': (value) => /^[^@\s]+@[^@\s]+$/.test(String(value)),
  URL: (value) => URL.canParse(String(value)),
  'User object': (value) => problemsOf(value, USER).length === 0,
};

/** The fields that are missing or of another type than the table says, in words. */
export function problemsOf(value: unknown, fields: Fields): string[] {
  if (!CHECKS.object(value)) return ['it is no object'];
  const object = value as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, type]) => {
    if (!(name in object)) return [`${name} is missing`];
    if (object[name] === null && MAY_BE_NULL.has(name)) return [];
    return CHECKS[type](object[name]) ? [] : [`${name}, ${JSON.stringify(object[name])}, is no ${type}`];
  });
}

/** Holds when an object has every field of the table, each of its type. */
export function expectFields(value: unknown, fields: Fields): void {
  expect(problemsOf(value, fields)).toEqual([]);
}

/** Holds when an object has the fields of the table and no others. */
export function expectOnlyFields(value: unknown, fields: Fields): void {
  expectFields(value, fields);
  expect(Object.keys(value as object).sort()).toEqual(Object.keys(fields).sort());
}
