import { z } from 'zod';
import { dateTimeField } from '../../http/date-time.contract.ts';
import { booleanField, freeTextField, integerField, parameter } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const MAX_CONTENT_LENGTH = 8192;

/** On which charts an annotation is shown; `organization`: on those of every project. */
const scope = z.enum(['dashboard_item', 'dashboard', 'project', 'organization', 'recording']);
export type AnnotationScope = z.output<typeof scope>;
/** By a person, or by a script that reports a release. */
const creationType = z.enum(['USR', 'GIT']);
const id = () => integerField().pipe(z.int32().min(1));

const annotationParams = z.object({ id: id() });

/** Query of the list; `after` and `before` are about `created_at`. */
const listAnnotationsQuery = z.object({
  search: parameter(z.string()),
  scope: parameter(scope),
  after: parameter(dateTimeField()),
  before: parameter(dateTimeField()),
  /** Id of an insight, by PostHog's name. */
  dashboardItemId: parameter(id()),
});
export type ListAnnotationsQuery = z.output<typeof listAnnotationsQuery>;

/** Body of POST, PATCH and PUT (management contract 9.5); what is absent stays. */
export const annotationBody = z.object({
  content: freeTextField(MAX_CONTENT_LENGTH).nullable().optional(),
  date_marker: dateTimeField().nullable().optional(),
  creation_type: creationType.optional(),
  /** Id of an insight. */
  dashboard_item: integerField().nullable().optional(),
  dashboard_id: integerField().nullable().optional(),
  deleted: booleanField().optional(),
  scope: scope.optional(),
});
export type AnnotationBody = z.output<typeof annotationBody>;

export const annotation = z
  .strictObject({
    id: z.int(),
    content: z.string().nullable(),
    date_marker: z.string().nullable(),
    creation_type: creationType,
    dashboard_item: z.int().nullable(),
    dashboard_id: z.int().nullable(),
    dashboard_name: z.string().nullable(),
    insight_short_id: z.string().nullable(),
    insight_name: z.string().nullable(),
    insight_derived_name: z.string().nullable(),
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted: z.boolean(),
    scope,
  })
  .meta({ id: 'Annotation' });
export type AnnotationJson = z.output<typeof annotation>;

export const annotationPage = pageSchema(annotation);

export const annotationsApi = {
  'PATCH P/annotations/:id/': { params: annotationParams, body: annotationBody, response: annotation },
  'PUT P/annotations/:id/': { params: annotationParams, body: annotationBody, response: annotation },
  'GET P/annotations/': { query: listAnnotationsQuery, response: annotationPage },
  'POST P/annotations/': { body: annotationBody, response: annotation },
  'GET P/annotations/:id/': { params: annotationParams, response: annotation },
};
