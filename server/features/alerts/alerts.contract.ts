import { z } from 'zod';
import { timeBoundField } from '../../http/date-time.contract.ts';
import { booleanField, freeTextField, integerField, parameter } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { basicInsight } from '../insights/insights.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const MAX_NAME_LENGTH = 255;
const MAX_SEARCH_LENGTH = 200;
const MAX_CHECKS = 500;
const MAX_WINDOWS = 5;
const MAX_USERS = 100;

const state = z.enum(['Firing', 'Not firing', 'Errored', 'Snoozed']);
export type AlertState = z.output<typeof state>;

/** How often an alert is checked; `real_time` is every minute. */
export const INTERVALS = ['real_time', 'every_15_minutes', 'hourly', 'daily', 'weekly', 'monthly'] as const;
const interval = z.enum(INTERVALS);
export type Interval = z.output<typeof interval>;

const condition = z.object({ type: z.enum(['absolute_value', 'relative_increase', 'relative_decrease']) });
export type AlertCondition = z.output<typeof condition>;

const bound = z.number().nullish();
const configuration = z.object({
  type: z.enum(['absolute', 'percentage']),
  /** A value outside of them fires. 0.2 of a percentage is 20 %. */
  bounds: z.object({ lower: bound, upper: bound }),
});

/** Of a trend: which series or formula, from 0, and whether the interval that is not over counts. */
const trendsConfig = z.object({
  type: z.literal('TrendsAlertConfig'),
  series_index: integerField().pipe(z.int().min(0)).default(0),
  check_ongoing_interval: booleanField().nullish(),
});
/** Of SQL: which row and column. Without a column, the first one with a number. */
const hogqlConfig = z.object({
  type: z.literal('HogQLAlertConfig'),
  evaluation: z.enum(['first_row', 'last_row', 'any_row']).default('last_row'),
  column: z.string().nullish(),
  /** The column that names a row. */
  label_column: z.string().nullish(),
});
const config = z.discriminatedUnion('type', [trendsConfig, hogqlConfig]);
export type AlertConfig = z.output<typeof config>;

/** Half-open, by the clocks of the project; an end before its start is on the next day. */
const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This must be a time such as 22:30.')
  .meta({ example: '22:30' });
const blockedWindow = z.object({ start: clock, end: clock });
export type BlockedWindow = z.output<typeof blockedWindow>;
const scheduleRestriction = z.object({ blocked_windows: z.array(blockedWindow).max(MAX_WINDOWS) });

const writeShape = {
  /** Id of an insight that is a trend or SQL. */
  insight: integerField(),
  name: freeTextField(MAX_NAME_LENGTH).default(''),
  /** Ids of users; kept for clients of PostHog, as Burrow sends no email. */
  subscribed_users: z.array(integerField()).max(MAX_USERS),
  /** `{}` removes it: the alert then only records values. */
  threshold: z.union([
    z.strictObject({}),
    z.object({ name: freeTextField(MAX_NAME_LENGTH).nullish(), configuration }),
  ]),
  condition,
  config: config.nullish(),
  calculation_interval: interval.default('daily'),
  enabled: booleanField().default(true),
  skip_weekend: booleanField().nullish(),
  schedule_restriction: scheduleRestriction.nullish(),
  /** From now: `2h`, `1d`; null ends it. */
  snoozed_until: z.string().nullish(),
  /** Where a firing check is sent as JSON, if an admin has turned webhooks on; null: nowhere. */
  webhook_url: freeTextField().nullish(),
  /** Not available: only null is accepted. */
  detector_config: z
    .null({ error: 'Anomaly detection is not available in Burrow. Use a threshold.' })
    .optional(),
};

/** Body of POST, and of the check of an alert that is not stored. */
export const createAlertBody = z.object(writeShape);
export type CreateAlertBody = z.output<typeof createAlertBody>;

/** Body of PATCH and PUT; what is absent stays. */
export const updateAlertBody = z.object({
  ...writeShape,
  insight: writeShape.insight.optional(),
  name: freeTextField(MAX_NAME_LENGTH).optional(),
  subscribed_users: writeShape.subscribed_users.optional(),
  threshold: writeShape.threshold.optional(),
  condition: condition.optional(),
  calculation_interval: interval.optional(),
  enabled: booleanField().optional(),
});
export type UpdateAlertBody = z.output<typeof updateAlertBody>;

const instant = z.string().nullable();

const webhookOutcome = z.object({
  host: z.string(),
  /** One and its repetitions. */
  attempts: z.int(),
  status: z.int().nullable(),
  /** Null: it arrived. */
  problem: z.string().nullable(),
});

/** What a check found. Fields of anomaly detection are always null. */
const alertCheck = z
  .strictObject({
    id: z.string(),
    created_at: z.string(),
    calculated_value: z.number().nullable(),
    state,
    targets_notified: z.boolean(),
    anomaly_scores: z.null(),
    triggered_points: z.null(),
    triggered_dates: z.array(z.string()).nullable(),
    interval: z.string().nullable(),
    triggered_metadata: z
      .strictObject({
        breaches: z.array(z.string()),
        error: z.string().nullable(),
        webhook: webhookOutcome.nullable(),
      })
      .nullable(),
    investigation_status: z.null(),
    investigation_summary: z.null(),
    investigation_verdict: z.null(),
    investigation_notebook_short_id: z.null(),
    notification_sent_at: instant,
    notification_suppressed_by_agent: z.literal(false),
  })
  .meta({ id: 'AlertCheck' });
export type AlertCheckJson = z.output<typeof alertCheck>;

export const alert = z
  .strictObject({
    id: z.string(),
    insight: basicInsight,
    name: z.string(),
    subscribed_users: z.array(embeddedUser),
    threshold: z
      .strictObject({ id: z.string(), name: z.string(), created_at: z.string(), configuration })
      .nullable(),
    condition,
    config,
    detector_config: z.null(),
    calculation_interval: interval,
    enabled: z.boolean(),
    skip_weekend: z.boolean(),
    schedule_restriction: scheduleRestriction.nullable(),
    snoozed_until: instant,
    state,
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
    last_notified_at: instant,
    last_checked_at: instant,
    next_check_at: instant,
    last_value: z.number().nullable(),
    /** Latest first: the last five, or those of the query's window; in lists the last one. */
    checks: z.array(alertCheck),
    checks_total: z.int(),
    investigation_agent_enabled: z.literal(false),
    investigation_gates_notifications: z.literal(false),
    investigation_inconclusive_action: z.literal('notify'),
    /** Null for callers who may not edit the insight, as the URL may be a secret. */
    webhook_url: z.string().nullable(),
    /** Whether the caller may change it. */
    user_access_level: z.enum(['viewer', 'editor']),
  })
  .meta({ id: 'Alert' });
export type AlertJson = z.output<typeof alert>;

/** What a firing alert sends to its webhook (docs/alerts.md). */
export const webhookBody = z
  .strictObject({
    type: z.literal('alert_firing'),
    alert_id: z.string(),
    alert_name: z.string(),
    project_id: z.int(),
    /** Short id, as in addresses. */
    insight_id: z.string(),
    insight_name: z.string(),
    state: z.literal('Firing'),
    value: z.number().nullable(),
    breaches: z.array(z.string()),
    checked_at: z.string(),
  })
  .meta({ id: 'AlertWebhook' });
export type WebhookBody = z.output<typeof webhookBody>;

/** What a check would find now; nothing is stored or sent. */
const alertPreview = z.strictObject({
  state: z.enum(['Firing', 'Not firing', 'Errored']),
  calculated_value: z.number().nullable(),
  interval: z.string().nullable(),
  triggered_dates: z.array(z.string()),
  breaches: z.array(z.string()),
  error: z.string().nullable(),
  /** What a firing check sends; null: it would send nothing. */
  notification: z.strictObject({ title: z.string(), text: z.string() }).nullable(),
  webhook: z
    .strictObject({
      host: z.string(),
      /** Whether an admin has turned webhooks on. */
      is_on: z.boolean(),
      body: webhookBody,
    })
    .nullable(),
});
export type AlertPreviewJson = z.output<typeof alertPreview>;

const listAlertsQuery = z.object({
  insight_id: parameter(integerField()),
  /** Id of a user. */
  created_by: parameter(integerField()),
  search: parameter(z.string().max(MAX_SEARCH_LENGTH)),
  state: parameter(state),
});
export type ListAlertsQuery = z.output<typeof listAlertsQuery>;

const showAlertQuery = z.object({
  checks_date_from: parameter(timeBoundField()),
  checks_date_to: parameter(timeBoundField()),
  checks_limit: parameter(integerField().pipe(z.int().min(1).max(MAX_CHECKS))),
  checks_offset: parameter(integerField().pipe(z.int().min(0))),
});
export type ShowAlertQuery = z.output<typeof showAlertQuery>;

const alertParams = z.object({ id: z.guid() });

export const alertsApi = {
  'GET P/alerts/': { query: listAlertsQuery, response: pageSchema(alert) },
  'POST P/alerts/': { body: createAlertBody, response: alert },
  'POST P/alerts/preview/': { body: createAlertBody, response: alertPreview },
  'GET P/alerts/:id/': { params: alertParams, query: showAlertQuery, response: alert },
  'PUT P/alerts/:id/': { params: alertParams, body: updateAlertBody, response: alert },
  'PATCH P/alerts/:id/': { params: alertParams, body: updateAlertBody, response: alert },
  'DELETE P/alerts/:id/': { params: alertParams, response: null },
  'POST P/alerts/:id/check/': { params: alertParams, response: alertPreview },
};
