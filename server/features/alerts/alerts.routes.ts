import type { Db } from '../../db/db.ts';
import {
  Reply,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import { spanEnd, spanStart } from '../../lib/time-bounds.ts';
import { hostAndPort } from '../../outgoing/call-outside.ts';
import { EDIT, type Access } from '../access/index.ts';
import type { Insights } from '../insights/index.ts';
import type { Outgoing } from '../outgoing/index.ts';
import type { Users } from '../users/index.ts';
import type { Alert, AlertCheck, AlertFields } from './alert-row.ts';
import { namedInsight, previewOf } from './alert-checks.ts';
import {
  alertsApi,
  type AlertCheckJson,
  type AlertJson,
  type AlertPreviewJson,
  type ShowAlertQuery,
} from './alerts.contract.ts';
import { listAlerts, listChecks, listLastChecks, type CheckWindow } from './alerts.reads.ts';
import type { Alerts } from './alerts.service.ts';

const route = routesOf(alertsApi);

/** Checks that an alert is shown with, unless the query names others. */
const CHECKS: CheckWindow = { from: null, to: null, limit: 5, offset: 0 };

export interface AlertRouteParts {
  alerts: Alerts;
  db: Db;
  access: Access;
  insights: Insights;
  users: Users;
  outgoing: Outgoing;
  clock: Clock;
}

interface PathContext {
  params: { id: string };
  project: ProjectRef;
  actor: Actor;
}

/** Alerts on insights (management contract 9.13). */
export function alertRoutes(parts: AlertRouteParts): ManagementRoute[] {
  const { alerts, db, access, insights, users, outgoing, clock } = parts;
  const read = { auth: 'key', scope: ['alert:read'] } as const;
  const write = {
    auth: 'key',
    scope: ['alert:write'],
    errors: ['does_not_exist', 'invalid_input', 'not_editable'],
  } as const;
  const find = ({ actor, project, params }: PathContext) => alerts.find(actor, project.id, params.id);
  const findToEdit = ({ actor, project, params }: PathContext) =>
    alerts.find(actor, project.id, params.id, 'edit');

  /** Alerts as they are answered, with their insights as the caller sees them. */
  async function jsonOf(
    actor: Actor,
    projectId: number,
    rows: readonly Alert[],
    checks: ReadonlyMap<string, { rows: readonly AlertCheck[]; count: number }>,
  ): Promise<AlertJson[]> {
    const ids = [...new Set(rows.map(({ insightId }) => insightId))];
    const seen = new Map((await insights.listSeen(actor, projectId, ids)).map((one) => [one.id, one]));
    return rows.flatMap((row): AlertJson[] => {
      const insight = seen.get(row.insightId);
      if (insight === undefined) return [];
      const level = insight.user_access_level;
      const mayEdit =
        insight.effective_privilege_level >= EDIT && (level === 'editor' || level === 'manager');
      const { threshold } = row;
      return [
        {
          id: row.id,
          insight,
          name: row.name,
          subscribed_users: row.subscribedUsers.flatMap((id) => users.embedded(id) ?? []),
          threshold:
            threshold === null
              ? null
              : {
                  id: threshold.id,
                  name: threshold.name,
                  created_at: threshold.createdAt,
                  configuration: { type: threshold.type, bounds: threshold.bounds },
                },
          condition: row.condition,
          config: row.config,
          detector_config: null,
          calculation_interval: row.interval,
          enabled: row.enabled,
          skip_weekend: row.skipWeekend,
          schedule_restriction:
            row.blockedWindows.length === 0 ? null : { blocked_windows: [...row.blockedWindows] },
          snoozed_until: row.snoozedUntil,
          state: row.state,
          created_by: users.embedded(row.createdBy),
          created_at: row.createdAt,
          last_notified_at: row.lastNotifiedAt,
          last_checked_at: row.lastCheckedAt,
          next_check_at: row.nextCheckAt,
          last_value: row.lastValue,
          checks: (checks.get(row.id)?.rows ?? []).map(checkJson),
          checks_total: checks.get(row.id)?.count ?? 0,
          investigation_agent_enabled: false,
          investigation_gates_notifications: false,
          investigation_inconclusive_action: 'notify',
          webhook_url: mayEdit ? row.webhookUrl : null,
          user_access_level: mayEdit ? 'editor' : 'viewer',
        },
      ];
    });
  }

  async function show(context: PathContext, window: CheckWindow = CHECKS): Promise<AlertJson> {
    const alert = await find(context);
    const checks = await listChecks(db, alert.id, window);
    const [json] = await jsonOf(context.actor, context.project.id, [alert], new Map([[alert.id, checks]]));
    return json!;
  }

  /** What a check by the caller would find now, and send. */
  async function preview(
    { actor, project }: Pick<PathContext, 'actor' | 'project'>,
    alert: AlertFields & { id: string },
    signal: AbortSignal,
  ): Promise<AlertPreviewJson> {
    const outcome = await alerts.evaluate(project, alert, actor, signal);
    const ofProject = { ...alert, projectId: project.id };
    const found = previewOf(ofProject, await namedInsight(parts, ofProject), outcome, clock());
    return {
      state: found.state,
      calculated_value: outcome.finding?.value ?? null,
      interval: outcome.finding?.interval ?? null,
      triggered_dates: [...(outcome.finding?.dates ?? [])],
      breaches: [...(outcome.finding?.breaches ?? [])],
      error: outcome.error,
      notification: found.notice === null ? null : { title: found.notice.title, text: found.notice.text },
      webhook:
        found.body === null
          ? null
          : {
              host: hostAndPort(alert.webhookUrl!),
              is_on: outgoing.isOn('alert_webhooks'),
              body: found.body,
            },
    };
  }

  const update = (method: 'PATCH' | 'PUT'): ManagementRoute =>
    route(`${method} P/alerts/:id/`, {
      ...write,
      summary: 'Updates or snoozes an alert; omitted fields are not changed.',
      lookup: findToEdit,
      handle: async (context) => {
        const { actor, project, params, body } = context;
        await alerts.update(actor, project, params.id, body);
        return await show(context);
      },
    });

  return [
    route('GET P/alerts/', {
      ...read,
      summary: 'Lists alerts with their last check, firing ones first.',
      handle: async ({ actor, project, query, url }) => {
        const seen = { userId: actor.user.id, ...access.visibility(actor, project.id, 'insight') };
        const { rows, count } = await listAlerts(db, project.id, seen, query, readPage(url.searchParams));
        const checks = await listLastChecks(
          db,
          rows.map(({ id }) => id),
        );
        return pageOf(url, await jsonOf(actor, project.id, rows, checks), count);
      },
    }),
    route('POST P/alerts/', {
      ...write,
      summary: 'Creates an alert on an insight.',
      status: 201,
      handle: async ({ actor, project, body }) => {
        const id = await alerts.create(actor, project, body);
        return Reply.json(201, await show({ params: { id }, project, actor }));
      },
    }),
    route('POST P/alerts/preview/', {
      ...write,
      summary: 'Evaluates an alert that is not stored and returns what it would send; sends nothing.',
      handle: async ({ actor, project, body, signal }) => {
        const fields = await alerts.draft(actor, project, body);
        return await preview({ actor, project }, { ...fields, id: '' }, signal);
      },
    }),
    route('GET P/alerts/:id/', {
      ...read,
      summary: 'Retrieves an alert with its last five checks, or those of a time.',
      lookup: find,
      handle: (context) => show(context, windowOf(context.query, context.project, clock())),
    }),
    update('PUT'),
    update('PATCH'),
    route('DELETE P/alerts/:id/', {
      ...write,
      summary: 'Deletes an alert and its history.',
      lookup: findToEdit,
      handle: async ({ actor, project, params }) => {
        await alerts.remove(actor, project.id, params.id);
      },
    }),
    route('POST P/alerts/:id/check/', {
      ...write,
      summary: 'Evaluates an alert now and returns what it would send; stores and sends nothing.',
      lookup: findToEdit,
      handle: ({ actor, project, found, signal }) => preview({ actor, project }, found, signal),
    }),
  ];
}

function windowOf(query: ShowAlertQuery, { timezone }: ProjectRef, now: number): CheckWindow {
  const { checks_date_from: from, checks_date_to: to, checks_limit: limit, checks_offset: offset } = query;
  return {
    from: from === undefined ? null : new Date(spanStart(from, timezone, now)).toISOString(),
    to: to === undefined ? null : new Date(spanEnd(to, timezone, now)).toISOString(),
    limit: limit ?? CHECKS.limit,
    offset: offset ?? 0,
  };
}

function checkJson({
  id,
  createdAt,
  calculatedValue,
  state,
  notificationSentAt,
  details,
}: AlertCheck): AlertCheckJson {
  const { dates, breaches, error, webhook, interval } = details;
  const isSilent = breaches.length === 0 && error === null && webhook === null;
  return {
    id,
    created_at: createdAt,
    calculated_value: calculatedValue,
    state,
    targets_notified: notificationSentAt !== null,
    anomaly_scores: null,
    triggered_points: null,
    triggered_dates: breaches.length === 0 ? null : [...dates],
    interval,
    triggered_metadata: isSilent ? null : { breaches: [...breaches], error, webhook },
    investigation_status: null,
    investigation_summary: null,
    investigation_verdict: null,
    investigation_notebook_short_id: null,
    notification_sent_at: notificationSentAt,
    notification_suppressed_by_agent: false,
  };
}
