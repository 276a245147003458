import { z } from 'zod';
import { booleanField, freeTextField, parameter, tagsField, textField } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';

const MAX_NAME_LENGTH = 400;
const MAX_ADDRESS_LENGTH = 8201;
const MAX_TEXT_LENGTH = 4000;
const MAX_TILES = 1000;

const object = z.record(z.string(), z.unknown());

/** A placeholder `{ID}` in queries of a template, until a user chooses an event. */
const variable = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.literal('event'),
  default: object,
  description: z.string(),
  required: z.boolean(),
});

/**
 * How a tile lies on its dashboard, and its look. The last three are only in files of Burrow: PostHog ignores unknown
 * keys.
 */
const placeShape = {
  layouts: object.nullish(),
  color: z.string().max(MAX_NAME_LENGTH).nullish(),
  show_description: z.boolean().nullish(),
  filters_overrides: object.nullish(),
  transparent_background: z.boolean().nullish(),
};
const tilePlace = z.object(placeShape);
export type TilePlaceBody = z.output<typeof tilePlace>;

/** A tile of a template that shows an insight: `query`, or `filters` as old templates have them. */
export const insightTile = z.looseObject({
  type: z.literal('INSIGHT'),
  name: z.string().max(MAX_NAME_LENGTH).nullish(),
  description: z.string().nullish(),
  query: object.nullish(),
  filters: object.nullish(),
  ...placeShape,
});

export const textTile = z.looseObject({
  type: z.literal('TEXT'),
  body: z.string().max(MAX_TEXT_LENGTH),
  ...placeShape,
});

/** A template as `create_from_template_json` takes it (management contract 3.8). */
export const templateBody = z.looseObject({
  id: z.string().nullish(),
  team_id: z.number().nullish(),
  created_at: z.string().nullish(),
  image_url: z.string().nullish(),
  template_name: z.string().min(1).max(MAX_NAME_LENGTH),
  dashboard_description: z.string(),
  dashboard_filters: object,
  tiles: z.array(object).min(1).max(MAX_TILES),
  variables: z.array(variable).nullish(),
  /** Values of the variables of SQL, as a dashboard holds them; in files of Burrow. */
  dashboard_variables: object.nullish(),
  tags: z.array(z.string()).nullish(),
});
export type TemplateBody = z.output<typeof templateBody>;

const scope = z.enum(['team', 'global', 'feature_flag']);
export type TemplateScope = z.output<typeof scope>;

/** A stored template (management contract 6). */
export const dashboardTemplate = z
  .strictObject({
    id: z.uuid(),
    template_name: z.string(),
    dashboard_description: z.string(),
    dashboard_filters: object,
    tags: z.array(z.string()),
    tiles: z.array(object),
    variables: z.array(object).nullable(),
    deleted: z.boolean(),
    created_at: z.string(),
    /** The id of a user. */
    created_by: z.int().nullable(),
    image_url: z.string().nullable(),
    /** Null: it came with the program. */
    team_id: z.int().nullable(),
    scope,
  })
  .meta({ id: 'DashboardTemplate' });
export type DashboardTemplateJson = z.output<typeof dashboardTemplate>;
export const dashboardTemplatePage = pageSchema(dashboardTemplate);

/** `scope=team`: those of the project alone. */
const listTemplatesQuery = z.object({
  scope: parameter(scope),
  search: parameter(z.string()),
});
export type ListTemplatesQuery = z.output<typeof listTemplatesQuery>;

const templateParams = z.object({ id: z.guid().transform((id) => id.toLowerCase()) });

/** Body of POST, PATCH and PUT; what is left out is empty, or stays. */
const writeTemplateBody = z.object({
  template_name: textField(MAX_NAME_LENGTH).optional(),
  dashboard_description: freeTextField(MAX_NAME_LENGTH).nullish(),
  dashboard_filters: object.nullish(),
  tags: tagsField().nullish(),
  tiles: z.array(object).max(MAX_TILES).nullish(),
  variables: z.array(variable).nullish(),
  deleted: booleanField().optional(),
  image_url: freeTextField(MAX_ADDRESS_LENGTH).nullish(),
  scope: scope.optional(),
});
export type WriteTemplateBody = z.output<typeof writeTemplateBody>;

/** The JSON Schema of `templateBody`. */
const jsonSchema = z.record(z.string(), z.unknown());

export const dashboardTemplatesApi = {
  'PATCH P/dashboard_templates/:id/': {
    params: templateParams,
    body: writeTemplateBody,
    response: dashboardTemplate,
  },
  'PUT P/dashboard_templates/:id/': {
    params: templateParams,
    body: writeTemplateBody,
    response: dashboardTemplate,
  },
  'GET P/dashboard_templates/': { query: listTemplatesQuery, response: dashboardTemplatePage },
  'POST P/dashboard_templates/': { body: writeTemplateBody, response: dashboardTemplate },
  'GET P/dashboard_templates/json_schema/': { response: jsonSchema },
  'GET P/dashboard_templates/:id/': { params: templateParams, response: dashboardTemplate },
};
