import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  parameter,
  tagsField,
  textField,
  lenient,
} from '../../http/fields.contract.ts';
import { dateTimeField } from '../../http/date-time.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const MAX_NAME_LENGTH = 400;
const MAX_SLACK_FORMAT_LENGTH = 1200;

/** How a step compares a text. */
const matching = z.enum(['contains', 'regex', 'exact']);

/** A text of a step; its spaces count, because those of events do. */
const stepText = lenient((value) => (typeof value === 'number' ? String(value) : value), z.string());
const optionalText = stepText.nullish().transform((text) => text ?? null);
const optionalMatching = matching.nullish().transform((word) => word ?? null);

/** A step as clients send it: an event fits when all that the step says holds (management contract 9.7). */
export const stepBody = z.object({
  event: optionalText,
  properties: z
    .array(z.record(z.string(), z.unknown()))
    .nullish()
    .transform((properties) => properties ?? []),
  selector: optionalText,
  tag_name: optionalText,
  text: optionalText,
  text_matching: optionalMatching,
  href: optionalText,
  href_matching: optionalMatching,
  url: optionalText,
  url_matching: optionalMatching,
});
export type ActionStep = z.output<typeof stepBody>;

const step = z.strictObject({
  event: z.string().nullable(),
  properties: z.array(z.record(z.string(), z.unknown())),
  selector: z.string().nullable(),
  tag_name: z.string().nullable(),
  text: z.string().nullable(),
  text_matching: matching.nullable(),
  href: z.string().nullable(),
  href_matching: matching.nullable(),
  url: z.string().nullable(),
  url_matching: matching.nullable(),
});

const actionParams = z.object({ id: integerField().pipe(z.int32().min(1)) });

const listActionsQuery = z.object({ search: parameter(z.string()) });
export type ListActionsQuery = z.output<typeof listActionsQuery>;

/** Body of PATCH; what is absent stays. `steps` are replaced as a whole. */
const updateActionBody = z.object({
  name: textField(MAX_NAME_LENGTH).optional(),
  description: freeTextField().optional(),
  tags: tagsField().optional(),
  post_to_slack: booleanField().optional(),
  slack_message_format: freeTextField(MAX_SLACK_FORMAT_LENGTH).optional(),
  steps: z.array(stepBody).optional(),
  deleted: booleanField().optional(),
  /** Any moment pins it now, null unpins it. */
  pinned_at: dateTimeField().nullable().optional(),
});
export type UpdateActionBody = z.output<typeof updateActionBody>;

/** Body of POST and PUT. */
const createActionBody = updateActionBody.required({ name: true });
export type CreateActionBody = z.output<typeof createActionBody>;

export const action = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    post_to_slack: z.boolean(),
    slack_message_format: z.string(),
    steps: z.array(step),
    created_at: z.string(),
    created_by: embeddedUser.nullable(),
    deleted: z.boolean(),
    is_calculating: z.boolean(),
    last_calculated_at: z.string(),
    team_id: z.int(),
    is_action: z.literal(true),
    bytecode_error: z.null(),
    pinned_at: z.string().nullable(),
    creation_context: z.null(),
    user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']).nullable(),
  })
  .meta({ id: 'Action' });
export type ActionJson = z.output<typeof action>;

export const actionPage = pageSchema(action);

export const actionsApi = {
  'GET P/actions/': { query: listActionsQuery, response: actionPage },
  'POST P/actions/': { body: createActionBody, response: action },
  'GET P/actions/:id/': { params: actionParams, response: action },
  'PATCH P/actions/:id/': { params: actionParams, body: updateActionBody, response: action },
  'PUT P/actions/:id/': { params: actionParams, body: createActionBody, response: action },
};
