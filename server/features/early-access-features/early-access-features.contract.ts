import { z } from 'zod';
import { freeTextField, integerField, parameter, textField } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { minimalFlag } from '../feature-flags/feature-flags.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const MAX_NAME_LENGTH = 200;
const MAX_URL_LENGTH = 800;

/** From an idea to something that all have. */
const STAGES = ['draft', 'concept', 'alpha', 'beta', 'general-availability', 'archived'] as const;
const stage = z.enum(STAGES);
export type Stage = z.output<typeof stage>;

/** An address of the web, or nothing. */
const documentationUrl = freeTextField(MAX_URL_LENGTH)
  .refine((text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text)), {
    message: 'This must be a URL that starts with https:// or http://.',
  })
  .meta({ example: 'https://example.com/new-checkout' });

const featureParams = z.object({ id: z.guid() });

const listFeaturesQuery = z.object({
  /** Part of name or description. */
  search: parameter(z.string()),
  stage: parameter(stage),
});
export type ListFeaturesQuery = z.output<typeof listFeaturesQuery>;

/** Body of PATCH; what is absent stays. */
const updateFeatureBody = z.object({
  name: textField(MAX_NAME_LENGTH).optional(),
  description: freeTextField().optional(),
  stage: stage.optional(),
  documentation_url: documentationUrl.optional(),
  /** Anything that pages are to know of it. */
  payload: z.json().optional(),
});
export type UpdateFeatureBody = z.output<typeof updateFeatureBody>;

/** Body of PUT. */
const putFeatureBody = updateFeatureBody.required({ name: true, stage: true });

/** Body of POST. */
export const createFeatureBody = putFeatureBody.extend({
  /** A boolean flag of the project; by default one is created, with a key derived from the name. */
  feature_flag_id: integerField().optional(),
});
export type CreateFeatureBody = z.output<typeof createFeatureBody>;

/** An early access feature (management contract 9.11). */
export const earlyAccessFeature = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    stage,
    documentation_url: z.string(),
    payload: z.json(),
    /** null: it has been removed. */
    feature_flag: minimalFlag.nullable(),
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
    user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']).nullable(),
  })
  .meta({ id: 'EarlyAccessFeature' });
export type EarlyAccessFeatureJson = z.output<typeof earlyAccessFeature>;

export const earlyAccessFeaturePage = pageSchema(earlyAccessFeature);

/** A feature as pages get it. */
const publicFeature = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  stage: z.string(),
  documentationUrl: z.string(),
  flagKey: z.string(),
  payload: z.unknown(),
});
export type PublicFeature = z.output<typeof publicFeature>;

/** Answer of the public list of early access features (ingestion contract 10.5). */
export const publicFeatures = z.object({ earlyAccessFeatures: z.array(publicFeature) });
export type PublicFeatures = z.output<typeof publicFeatures>;

export const earlyAccessFeaturesApi = {
  'GET P/early_access_feature/': { query: listFeaturesQuery, response: earlyAccessFeaturePage },
  'POST P/early_access_feature/': { body: createFeatureBody, response: earlyAccessFeature },
  'GET P/early_access_feature/:id/': { params: featureParams, response: earlyAccessFeature },
  'PATCH P/early_access_feature/:id/': {
    params: featureParams,
    body: updateFeatureBody,
    response: earlyAccessFeature,
  },
  'PUT P/early_access_feature/:id/': {
    params: featureParams,
    body: putFeatureBody,
    response: earlyAccessFeature,
  },
  'DELETE P/early_access_feature/:id/': { params: featureParams, response: null },
};
