import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  jsonObjectField,
  parameter,
  tagsField,
  lenient,
} from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { insight } from '../insights/insights.contract.ts';
import { refreshParameter } from '../query/query.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

/** 21 everyone in the project can edit, 37 only collaborators can (management contract 3.2). */
const level = z.literal([21, 37]);
const creationMode = z.enum(['default', 'template', 'duplicate', 'unlisted']);
const accessLevel = z.enum(['none', 'viewer', 'editor', 'manager']);
const anyObject = z.record(z.string(), z.unknown());

const MAX_NAME = 400;

/** What every answer about a dashboard shows (management contract 3.1). */
const dashboardFields = {
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
const dashboardListItem = z.strictObject(dashboardFields);
export type DashboardListItem = z.output<typeof dashboardListItem>;

const dashboardPage = pageSchema(dashboardListItem);

/** Where the tiles of each dashboard lie, for small pictures in lists. */
const dashboardPreviews = z.strictObject({
  results: z.array(z.strictObject({ id: z.int(), layouts: z.array(anyObject) })),
});

/** The text of a tile. */
const tileText = z.strictObject({
  id: z.int(),
  body: z.string(),
  created_by: embeddedUser.nullable(),
  last_modified_at: z.iso.datetime(),
  last_modified_by: embeddedUser.nullable(),
  /** The project. */
  team: z.int(),
});

/** The content of a tile: an insight or a text (management contract 3.6). */
export const tile = z
  .strictObject({
    id: z.int(),
    layouts: anyObject,
    color: z.string().nullable(),
    insight: insight.nullable(),
    text: tileText.nullable(),
    order: z.int(),
    last_refresh: z.iso.datetime().nullable(),
    is_cached: z.boolean(),
    /** Why the insight has no answer. */
    error: z.strictObject({ type: z.string(), message: z.string() }).optional(),
    // Shown by tiles of which they were ever said.
    show_description: z.boolean().optional(),
    filters_overrides: anyObject.optional(),
    transparent_background: z.boolean().optional(),
  })
  .meta({ id: 'DashboardTile' });
export type TileJson = z.output<typeof tile>;

/** A dashboard with its tiles. */
export const dashboard = z
  .strictObject({
    ...dashboardFields,
    use_template: z.string(),
    use_dashboard: z.int().nullable(),
    delete_insights: z.boolean(),
    filters: anyObject,
    variables: anyObject,
    tiles: z.array(tile),
  })
  .meta({ id: 'Dashboard' });
export type DashboardJson = z.output<typeof dashboard>;

const writable = {
  name: lenient((value) => value ?? (value === null ? '' : value), freeTextField(MAX_NAME)).optional(),
  description: freeTextField().optional(),
  pinned: booleanField().optional(),
  deleted: booleanField().optional(),
  use_template: freeTextField().optional().meta({ example: '' }),
  use_dashboard: integerField().nullable().optional(),
  delete_insights: booleanField().optional(),
  tags: tagsField().optional(),
  restriction_level: lenient(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    level,
  ).optional(),
  /** An object; checked with the body as a whole, whose refusal names no field. */
  filters: z
    .unknown()
    .optional()
    .transform((value) => anyObject.safeParse(value).data ?? value),
  variables: anyObject.nullable().optional(),
};

interface DashboardBody {
  use_template?: string | undefined;
  use_dashboard?: number | null | undefined;
  filters?: unknown;
}

/** Rules of the body as a whole. */
function refineBody({ use_template, use_dashboard, filters }: DashboardBody, context: z.RefinementCtx): void {
  if (filters !== undefined && !anyObject.safeParse(filters).success)
    context.addIssue({ code: 'custom', message: 'Filters must be an object.' });
  if (use_template && use_dashboard)
    context.addIssue({
      code: 'custom',
      message: 'A dashboard can be created from a template or a dashboard, not both.',
    });
}

const MAX_COLOR = 400;

/** Fields of a tile besides its content. */
const tileFields = {
  color: z.string().max(MAX_COLOR).nullable().optional(),
  layouts: anyObject.nullable().optional(),
  show_description: booleanField().nullable().optional(),
  filters_overrides: anyObject.nullable().optional(),
  transparent_background: booleanField().nullable().optional(),
};

const content = {
  text: z
    .object({ id: integerField().nullish(), body: z.string().optional() })
    .nullable()
    .optional()
    .meta({ example: null }),
  /** An id or a short id; ignored where the tile is named by its own id, since answers hold the whole insight. */
  insight: z.unknown().optional().meta({ example: 12 }),
};

/** A change of a tile, or a new one (management contract 3.6). */
const tileChange = z.object({
  id: integerField().nullish(),
  ...tileFields,
  ...content,
  deleted: booleanField().nullish(),
});
export type TileChange = z.output<typeof tileChange>;

/** What a new tile holds: exactly one of both. */
const addTileBody = z
  .object({ ...tileFields, ...content })
  .superRefine(({ text, insight: named }, context) => {
    const hasText = text !== undefined && text !== null;
    const hasInsight = named !== undefined && named !== null;
    if (!hasText && !hasInsight)
      context.addIssue({
        code: 'custom',
        params: { error: 'required' },
        path: ['insight'],
        message: 'A tile requires an insight or a text.',
      });
    if (hasText && hasInsight)
      context.addIssue({ code: 'custom', message: 'A tile can have an insight or a text, not both.' });
  });

/** A tile to be copied inside its dashboard; what is not said of the copy is as at its original. */
const tileCopy = z.object({
  id: integerField(),
  layouts: anyObject.nullable().optional(),
  color: z.string().max(MAX_COLOR).nullable().optional(),
  show_description: booleanField().nullable().optional(),
});
export type TileCopy = z.output<typeof tileCopy>;

const createDashboardBody = z
  .object({ ...writable, duplicate_tiles: booleanField().optional() })
  .superRefine(refineBody);
export type CreateDashboardBody = z.output<typeof createDashboardBody>;

/**
 * Either a template, which `readTemplate` reads, or (as the specification has it) nothing but fields of a dashboard
 * (management contract 3.8).
 */
const createFromTemplateBody = z
  .object({ ...writable, duplicate_tiles: booleanField().optional(), template: z.unknown().optional() })
  .superRefine((body, context) => {
    refineBody(body, context);
    if (Object.values(body).every((value) => value === undefined))
      context.addIssue({
        code: 'custom',
        params: { error: 'required' },
        path: ['template'],
        message: 'A template is required.',
      });
  });

export const updateDashboardBody = z
  .object({
    ...writable,
    tiles: z.array(tileChange).optional(),
    duplicate_tiles: z.array(tileCopy).optional(),
  })
  .superRefine(refineBody);
export type UpdateDashboardBody = z.output<typeof updateDashboardBody>;

/** A value that is not an object is read as a tile with an invalid ID. */
const tileName = lenient(
  (value) => (typeof value === 'object' && !Array.isArray(value) ? (value ?? undefined) : { id: false }),
  z.object({ id: integerField() }).optional(),
);

/**
 * Either names a tile and its destination, or (as the specification has it) nothing but fields of a dashboard, which are
 * checked and not applied (management contract 3.7).
 */
const moveTileBody = z
  .object({ ...writable, tile: tileName.optional(), toDashboard: integerField().nullish() })
  .superRefine((body, context) => {
    refineBody(body, context);
    const hasDestination = body.toDashboard !== undefined && body.toDashboard !== null;
    if ((body.tile === undefined) === hasDestination)
      context.addIssue({
        code: 'custom',
        params: { error: 'required' },
        path: hasDestination ? ['tile', 'id'] : ['toDashboard'],
        message: hasDestination ? 'The tile to move is required.' : 'The target dashboard is required.',
      });
  })
  .transform(({ tile: moved, toDashboard }) => ({ tile: moved, toDashboard: toDashboard ?? undefined }));

const copyTileBody = z.object({ fromDashboardId: integerField(), tileId: integerField() });

const reorderTilesBody = z.object({
  tile_order: z
    .array(integerField())
    .min(1)
    .refine((ids) => new Set(ids).size === ids.length, { message: 'Each tile can only be listed once.' }),
});

const dashboardParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

const listDashboardsQuery = z.object({
  creation_mode: parameter(creationMode),
  exclude_generated: parameter(booleanField()),
  search: parameter(z.string()),
  pinned: parameter(booleanField()),
});
export type ListDashboardsQuery = z.output<typeof listDashboardsQuery>;

/** Of whatever changes a dashboard and answers it. */
const writeDashboardQuery = z.object({ refresh: refreshParameter() });
export type WriteDashboardQuery = z.output<typeof writeDashboardQuery>;

const showDashboardQuery = z.object({
  refresh: refreshParameter(),
  filters_override: parameter(jsonObjectField()),
  variables_override: parameter(jsonObjectField()),
  layoutSize: parameter(z.enum(['sm', 'xs'])),
});
export type ShowDashboardQuery = z.output<typeof showDashboardQuery>;

export const dashboardsApi = {
  'PATCH P/dashboards/:id/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: updateDashboardBody,
    response: dashboard,
  },
  'PUT P/dashboards/:id/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: updateDashboardBody,
    response: dashboard,
  },
  'GET P/dashboards/': { query: listDashboardsQuery, response: dashboardPage },
  'GET P/burrow/dashboard_previews/': { response: dashboardPreviews },
  'POST P/dashboards/': { query: writeDashboardQuery, body: createDashboardBody, response: dashboard },
  'POST P/dashboards/create_from_template_json/': {
    query: writeDashboardQuery,
    body: createFromTemplateBody,
    response: dashboard.optional(),
  },
  'GET P/dashboards/:id/': { params: dashboardParams, query: showDashboardQuery, response: dashboard },
  'GET P/dashboards/:id/stream_tiles/': {
    params: dashboardParams,
    query: showDashboardQuery,
    response: null,
  },
  'POST P/dashboards/:id/tiles/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: addTileBody,
    response: tile,
  },
  'PATCH P/dashboards/:id/move_tile/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: moveTileBody,
    response: dashboard.optional(),
  },
  'POST P/dashboards/:id/copy_tile/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: copyTileBody,
    response: dashboard,
  },
  'POST P/dashboards/:id/reorder_tiles/': {
    params: dashboardParams,
    query: writeDashboardQuery,
    body: reorderTilesBody,
    response: dashboard,
  },
};
