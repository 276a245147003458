import type { Param, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import {
  ALERT,
  toAlert,
  type Alert,
  type AlertCheck,
  type AlertRow,
  type CheckDetails,
} from './alert-row.ts';
import type { ListAlertsQuery } from './alerts.contract.ts';

/** Which insights the caller may see, as `Access.visibility` says it. */
export interface SeenInsights {
  readonly userId: number;
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/** Alerts of the insights that the caller may see, those that fire first, then those that failed, then latest first; and how many there are in all. */
export async function listAlerts(
  db: Statements,
  projectId: number,
  seen: SeenInsights,
  query: ListAlertsQuery,
  slice: Slice,
): Promise<{ rows: Alert[]; count: number }> {
  const conditions = [
    'a.project_id = $projectId AND NOT i.deleted',
    '(coalesce(i.created_by = $userId, false) OR list_contains($exceptions::BIGINT[], i.id) <> $byDefault)',
  ];
  const params: Record<string, Param> = { projectId, ...seen };
  const add = (name: string, value: string | number | undefined, condition: string): void => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add('insightId', query.insight_id, 'a.insight_id = $insightId');
  add('createdBy', query.created_by, 'a.created_by = $createdBy');
  add('state', query.state, 'a.state = $state');
  add(
    'search',
    query.search?.trim().toLowerCase() || undefined,
    `(contains(lower(a.name), $search) OR contains(lower(coalesce(nullif(i.name, ''), i.derived_name, '')), $search))`,
  );
  const found = `SELECT ${ALERT} FROM alerts a JOIN insights i ON i.id = a.insight_id
    WHERE ${conditions.join(' AND ')}`;
  const order = `CASE state WHEN 'Firing' THEN 0 WHEN 'Errored' THEN 1 ELSE 2 END, "createdAt" DESC, id DESC`;
  const { rows, count } = await selectPage<AlertRow>(db, found, params, order, slice);
  return { rows: rows.map(toAlert), count };
}

/** Enabled alerts of all projects that are due at a moment, the longest due first; snoozed ones are not. */
export async function listDue(db: Statements, now: string): Promise<Alert[]> {
  const rows = await db.all<AlertRow>(
    `SELECT ${ALERT} FROM alerts a
     WHERE a.enabled AND (a.next_check_at IS NULL OR a.next_check_at <= $now::TIMESTAMP)
       AND (a.snoozed_until IS NULL OR a.snoozed_until <= $now::TIMESTAMP)
     ORDER BY a.next_check_at NULLS FIRST, a.id`,
    { now },
  );
  return rows.map(toAlert);
}

/** Whether there is an enabled alert, or a history that becomes old. */
export async function hasWork(db: Statements): Promise<boolean> {
  const found = await db.first(
    'SELECT 1 WHERE EXISTS (SELECT 1 FROM alerts WHERE enabled) OR EXISTS (SELECT 1 FROM alert_checks)',
  );
  return found !== null;
}

/** A window of checks; times in ISO 8601, from inclusive, to exclusive. */
export interface CheckWindow {
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  readonly offset: number;
}

const CHECK = `id, alert_id AS "alertId", created_at AS "createdAt", calculated_value AS "calculatedValue", state,
  notification_sent_at AS "notificationSentAt", details`;
type CheckRow = Omit<AlertCheck, 'details'> & { readonly details: string };

function toCheck(row: CheckRow): AlertCheck {
  return { ...row, details: JSON.parse(row.details) as CheckDetails };
}

/** Checks of an alert, latest first, and how many there are in all. */
export async function listChecks(
  db: Statements,
  alertId: string,
  { from, to, limit, offset }: CheckWindow,
): Promise<{ rows: AlertCheck[]; count: number }> {
  const found = `SELECT ${CHECK} FROM alert_checks
    WHERE alert_id = $alertId::UUID AND created_at >= coalesce($from::TIMESTAMP, '-infinity')
      AND created_at < coalesce($to::TIMESTAMP, 'infinity')`;
  const { rows, count } = await selectPage<CheckRow>(
    db,
    found,
    { alertId, from, to },
    '"createdAt" DESC, id DESC',
    { limit, offset },
  );
  return { rows: rows.map(toCheck), count };
}

/** The last check of each of these alerts, and how many each has. */
export async function listLastChecks(
  db: Statements,
  alertIds: readonly string[],
): Promise<Map<string, { rows: AlertCheck[]; count: number }>> {
  if (alertIds.length === 0) return new Map();
  const rows = await db.all<CheckRow & { count: number }>(
    `SELECT ${CHECK}, count(*) OVER (PARTITION BY alert_id) AS count FROM alert_checks
     WHERE list_contains($alertIds::UUID[], alert_id)
     QUALIFY row_number() OVER (PARTITION BY alert_id ORDER BY created_at DESC, id DESC) = 1`,
    { alertIds },
  );
  return new Map(rows.map(({ count, ...row }) => [row.alertId, { rows: [toCheck(row)], count }]));
}
