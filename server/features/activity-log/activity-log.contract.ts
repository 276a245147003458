import { z } from 'zod';
import { timeBoundField } from '../../http/date-time.contract.ts';
import { integerField, parameter } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

/** Words separated by commas. */
const words = z.string().transform((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

/** Id or uuid of a person of this machine. */
const user = z.union([integerField(), z.guid()], { error: 'This must be the id or the uuid of a user.' });

/** Query of every list of the activity log; `limit` and `offset` are read by the paging of all lists. */
const listActivityQuery = z.object({
  user: parameter(user),
  /** `Dashboard`, `Insight`…; what no object has finds nothing. */
  scope: parameter(z.string()),
  scopes: parameter(words),
  item_id: parameter(z.string()),
  /** `created`, `updated`, `deleted`, `restored`… */
  activity: parameter(z.string()),
  activities: parameter(words),
  /** Part of the name that the object had. */
  search: parameter(z.string()),
  date_from: parameter(timeBoundField()),
  date_to: parameter(timeBoundField()),
  /** PostHog's newer names of both. */
  start_date: parameter(timeBoundField()),
  end_date: parameter(timeBoundField()),
});
export type ListActivityQuery = z.output<typeof listActivityQuery>;

const change = z.strictObject({
  /** The scope of what changed. */
  type: z.string(),
  action: z.enum(['created', 'changed', 'deleted']),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

/** An entry: who did what with which object, when, and what was before and after. */
const activityEntry = z.strictObject({
  id: z.guid(),
  /** null: the server itself, or a user whose account is deleted. */
  user: embeddedUser.nullable(),
  activity: z.string(),
  scope: z.string(),
  item_id: z.string(),
  detail: z.strictObject({
    name: z.string().nullable(),
    short_id: z.string().nullable(),
    changes: z.array(change),
  }),
  created_at: z.string(),
  /** The server did it by itself. */
  is_system: z.boolean(),
  unread: z.literal(false),
  /** null: a change of the organization or of a person of it. */
  project_id: z.int().nullable(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

export const activityPage = pageSchema(activityEntry);

/** The history of objects, in numbered pages; `total_count` is PostHog's name for `count`. */
export const historyPage = activityPage.extend({ total_count: z.int() });

export const activityLogApi = {
  'GET P/activity_log/': { query: listActivityQuery, response: activityPage },
  'GET /api/organizations/:organization_id/activity_log/': {
    params: z.object({ organization_id: z.string() }),
    query: listActivityQuery,
    response: activityPage,
  },
  'GET P/activity/': { response: historyPage },
};
