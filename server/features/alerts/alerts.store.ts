import type { Param, Statements } from '../../db/db.ts';
import {
  ALERT,
  toAlert,
  type Alert,
  type AlertCheck,
  type AlertFields,
  type AlertProgress,
  type AlertRow,
  type CheckDetails,
} from './alert-row.ts';

/** Null when the project has none with this id whose insight is there. */
export async function findAlert(db: Statements, projectId: number, id: string): Promise<Alert | null> {
  const row = await db.first<AlertRow>(
    `SELECT ${ALERT} FROM alerts a WHERE a.id = $id::UUID AND a.project_id = $projectId
       AND EXISTS (SELECT 1 FROM insights i WHERE i.id = a.insight_id AND NOT i.deleted)`,
    { id, projectId },
  );
  return row === null ? null : toAlert(row);
}

function paramsOf(fields: AlertFields): Record<string, Param> {
  const { insightId, name, interval, enabled, skipWeekend, snoozedUntil, webhookUrl } = fields;
  return {
    insightId,
    name,
    interval,
    enabled,
    skipWeekend,
    snoozedUntil,
    webhookUrl,
    subscribedUsers: JSON.stringify(fields.subscribedUsers),
    threshold: fields.threshold === null ? null : JSON.stringify(fields.threshold),
    condition: JSON.stringify(fields.condition),
    config: JSON.stringify(fields.config),
    blockedWindows: fields.blockedWindows.length === 0 ? null : JSON.stringify(fields.blockedWindows),
  };
}

/** `now` in Unix milliseconds. */
export async function insertAlert(
  tx: Statements,
  alert: AlertFields & Pick<Alert, 'id' | 'projectId' | 'createdBy' | 'state'> & { now: number },
): Promise<void> {
  const { id, projectId, createdBy, state, now } = alert;
  await tx.run(
    `INSERT INTO alerts (id, project_id, insight_id, name, subscribed_users, threshold, condition, config,
       schedule_restriction, calculation_interval, enabled, skip_weekend, snoozed_until, state, webhook_url, created_by,
       created_at)
     VALUES ($id::UUID, $projectId, $insightId, $name, $subscribedUsers, $threshold, $condition, $config,
       $blockedWindows, $interval, $enabled, $skipWeekend, $snoozedUntil::TIMESTAMP, $state, $webhookUrl, $createdBy,
       epoch_ms($now))`,
    { ...paramsOf(alert), id, projectId, createdBy, state, now },
  );
}

export async function updateAlert(
  tx: Statements,
  alert: AlertFields & Pick<Alert, 'id' | 'projectId' | 'state' | 'nextCheckAt'>,
): Promise<void> {
  const { id, projectId, state, nextCheckAt } = alert;
  await tx.run(
    `UPDATE alerts SET insight_id = $insightId, name = $name, subscribed_users = $subscribedUsers,
       threshold = $threshold, condition = $condition, config = $config, schedule_restriction = $blockedWindows,
       calculation_interval = $interval, enabled = $enabled, skip_weekend = $skipWeekend,
       snoozed_until = $snoozedUntil::TIMESTAMP, state = $state, webhook_url = $webhookUrl,
       next_check_at = $nextCheckAt::TIMESTAMP
     WHERE id = $id::UUID AND project_id = $projectId`,
    { ...paramsOf(alert), id, projectId, state, nextCheckAt },
  );
}

/** With its checks. */
export async function deleteAlert(tx: Statements, projectId: number, id: string): Promise<void> {
  await tx.run('DELETE FROM alert_checks WHERE alert_id = $id::UUID', { id });
  await tx.run('DELETE FROM alerts WHERE id = $id::UUID AND project_id = $projectId', { id, projectId });
}

/** What a check leaves in its alert, unless the alert was changed meanwhile. */
export async function saveProgress(
  tx: Statements,
  id: string,
  { state, lastCheckedAt, lastNotifiedAt, nextCheckAt, lastValue }: AlertProgress,
): Promise<void> {
  await tx.run(
    `UPDATE alerts SET state = $state, last_checked_at = $lastCheckedAt::TIMESTAMP,
       last_notified_at = $lastNotifiedAt::TIMESTAMP, next_check_at = $nextCheckAt::TIMESTAMP,
       last_value = $lastValue::DOUBLE, snoozed_until = NULL
     WHERE id = $id::UUID`,
    { id, state, lastCheckedAt, lastNotifiedAt, nextCheckAt, lastValue },
  );
}

/** Leaves out the check of an alert that is due, so its snooze is over; `nextCheckAt` in ISO 8601. */
export async function postpone(tx: Statements, id: string, nextCheckAt: string): Promise<void> {
  await tx.run(
    `UPDATE alerts SET next_check_at = $nextCheckAt::TIMESTAMP, snoozed_until = NULL,
       state = CASE state WHEN 'Snoozed' THEN 'Not firing' ELSE state END
     WHERE id = $id::UUID`,
    { id, nextCheckAt },
  );
}

export async function insertCheck(tx: Statements, check: AlertCheck & { projectId: number }): Promise<void> {
  const { details, ...rest } = check;
  await tx.run(
    `INSERT INTO alert_checks (id, project_id, alert_id, created_at, calculated_value, state, notification_sent_at, details)
     VALUES ($id::UUID, $projectId, $alertId::UUID, $createdAt::TIMESTAMP, $calculatedValue::DOUBLE, $state,
       $notificationSentAt::TIMESTAMP, $details)`,
    { ...rest, details: JSON.stringify(details) },
  );
}

/** What checks say of their webhooks where they still say something else. */
export async function replaceProblem(db: Statements, before: string, after: string): Promise<void> {
  // In a text within the JSON, quotes would be escaped.
  const written = (problem: string): string => `"problem":${JSON.stringify(problem)}`;
  await db.run(
    'UPDATE alert_checks SET details = replace(details, $before, $after) WHERE contains(details, $before)',
    { before: written(before), after: written(after) },
  );
}

/** `before` in ISO 8601. */
export async function deleteOldChecks(db: Statements, before: string): Promise<void> {
  await db.run('DELETE FROM alert_checks WHERE created_at < $before::TIMESTAMP', { before });
}

export async function saveDetails(tx: Statements, id: string, details: CheckDetails): Promise<void> {
  await tx.run('UPDATE alert_checks SET details = $details WHERE id = $id::UUID', {
    id,
    details: JSON.stringify(details),
  });
}
