import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  jsonObjectField,
  parameter,
  tagsField,
} from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

/** 21 everyone in the project can edit, 37 only collaborators can (management contract 3.2). */
const level = z.literal([21, 37]);
export const creationMode = z.enum(['default', 'template', 'duplicate', 'unlisted']);
const accessLevel = z.enum(['none', 'viewer', 'editor', 'manager']);
const anyObject = z.record(z.string(), z.unknown());

const MAX_NAME = 400;

/** What every answer about a dashboard shows (management contract 3.1). */
const shown = {
  id: z.int(),
  name: z.string(),
  description: z.string(),
  pinned: z.boolean(),
  created_at: z.iso.datetime(),
  created_by: embeddedUser.nullable(),
  is_shared: z.boolean(),
  deleted: z.boolean(),
  creation_mode: creationMode,
  tags: z.array(z.string()),
  restriction_level: level,
  effective_restriction_level: level,
  effective_privilege_level: level,
  user_access_level: accessLevel.nullable(),
};

/** A dashboard as the list shows it. */
export const dashboardListItem = z.strictObject(shown);
export type DashboardListItem = z.output<typeof dashboardListItem>;

export const dashboardPage = pageSchema(dashboardListItem);

/** A dashboard with its tiles. */
export const dashboard = z.strictObject({
  ...shown,
  use_template: z.string(),
  use_dashboard: z.int().nullable(),
  delete_insights: z.boolean(),
  filters: anyObject,
  variables: anyObject,
  tiles: z.array(anyObject),
});
export type DashboardJson = z.output<typeof dashboard>;

const writable = {
  name: z.preprocess((value) => value ?? (value === null ? '' : value), freeTextField(MAX_NAME)).optional(),
  description: freeTextField().optional(),
  pinned: booleanField().optional(),
  deleted: booleanField().optional(),
  use_template: freeTextField().optional(),
  use_dashboard: integerField().nullable().optional(),
  delete_insights: booleanField().optional(),
  tags: tagsField().optional(),
  restriction_level: z
    .preprocess((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value), level)
    .optional(),
  /** An object; checked with the body as a whole, whose refusal names no field. */
  filters: z.unknown().optional(),
  variables: anyObject.nullable().optional(),
};

/** The names of the fields that a client may set. */
export const WRITABLE_FIELDS: readonly string[] = Object.keys(writable);

interface Whole {
  use_template?: string | undefined;
  use_dashboard?: number | null | undefined;
  filters?: unknown;
}

/** Rules of the body as a whole. */
function checkWhole({ use_template, use_dashboard, filters }: Whole, context: z.RefinementCtx): void {
  if (filters !== undefined && !anyObject.safeParse(filters).success)
    context.addIssue({ code: 'custom', message: 'Filters are an object.' });
  if (use_template && use_dashboard)
    context.addIssue({
      code: 'custom',
      message: 'A dashboard is made from a template or from a dashboard, not from both.',
    });
}

export const createDashboardBody = z
  .object({ ...writable, duplicate_tiles: booleanField().optional() })
  .superRefine(checkWhole);
export type CreateDashboardBody = z.output<typeof createDashboardBody>;

export const updateDashboardBody = z.object(writable).superRefine(checkWhole);
export type UpdateDashboardBody = z.output<typeof updateDashboardBody>;

export const dashboardParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

export const listDashboardsQuery = z.object({
  creation_mode: parameter(creationMode),
  exclude_generated: parameter(booleanField()),
  search: parameter(z.string()),
  pinned: parameter(booleanField()),
});
export type ListDashboardsQuery = z.output<typeof listDashboardsQuery>;

/** How far results may come from what was computed earlier; a boolean is a word for two of these. */
const REFRESH = ['force_cache', 'blocking', 'async', 'lazy_async', 'force_blocking', 'force_async'] as const;
const REFRESH_BOOLEANS = ['true', 'false', 'True', 'False', '1', '0'] as const;

export const showDashboardQuery = z.object({
  refresh: parameter(z.enum([...REFRESH, ...REFRESH_BOOLEANS])),
  filters_override: parameter(jsonObjectField()),
  variables_override: parameter(jsonObjectField()),
  layoutSize: parameter(z.enum(['sm', 'xs'])),
});
export type ShowDashboardQuery = z.output<typeof showDashboardQuery>;
