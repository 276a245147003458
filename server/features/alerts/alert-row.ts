import type { AlertCondition, AlertConfig, AlertState, BlockedWindow, Interval } from './alerts.contract.ts';

export interface AlertBounds {
  readonly lower?: number | null | undefined;
  readonly upper?: number | null | undefined;
}

/** What the value of an alert is compared with. */
export interface AlertThreshold {
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly type: 'absolute' | 'percentage';
  readonly bounds: AlertBounds;
}

/** What people set of an alert. */
export interface AlertFields {
  readonly insightId: number;
  readonly name: string;
  /** Ids of users. */
  readonly subscribedUsers: readonly number[];
  /** Null: it only records values. */
  readonly threshold: AlertThreshold | null;
  readonly condition: AlertCondition;
  readonly config: AlertConfig;
  readonly blockedWindows: readonly BlockedWindow[];
  readonly interval: Interval;
  readonly enabled: boolean;
  readonly skipWeekend: boolean;
  /** ISO 8601, UTC. */
  readonly snoozedUntil: string | null;
  readonly webhookUrl: string | null;
}

/** What its checks leave. */
export interface AlertProgress {
  readonly state: AlertState;
  /** ISO 8601, UTC; `nextCheckAt` null: as soon as possible. */
  readonly lastCheckedAt: string | null;
  readonly lastNotifiedAt: string | null;
  readonly nextCheckAt: string | null;
  readonly lastValue: number | null;
}

export interface Alert extends AlertFields, AlertProgress {
  readonly id: string;
  readonly projectId: number;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** What a webhook call ended with, tries included. */
export interface WebhookOutcome {
  readonly host: string;
  readonly attempts: number;
  readonly status: number | null;
  /** Null: it arrived. */
  readonly problem: string | null;
}

/** What a check says besides its value. */
export interface CheckDetails {
  /** The interval of the query, of a chart over time. */
  readonly interval: string | null;
  /** The intervals whose values were looked at: `2026-11-19`. */
  readonly dates: readonly string[];
  /** A sentence for each value that is outside of the bounds. */
  readonly breaches: readonly string[];
  /** Why the check failed. */
  readonly error: string | null;
  readonly webhook: WebhookOutcome | null;
}

export interface AlertCheck {
  readonly id: string;
  readonly alertId: string;
  readonly createdAt: string;
  readonly calculatedValue: number | null;
  readonly state: AlertState;
  readonly notificationSentAt: string | null;
  readonly details: CheckDetails;
}

/** A row of `alerts`, as the database gives it. */
export interface AlertRow extends Omit<
  Alert,
  'subscribedUsers' | 'threshold' | 'condition' | 'config' | 'blockedWindows'
> {
  readonly subscribedUsers: string;
  readonly threshold: string | null;
  readonly condition: string;
  readonly config: string;
  readonly blockedWindows: string | null;
}

/** The columns of an AlertRow, of a table named `a`. */
export const ALERT = `a.id, a.project_id AS "projectId", a.insight_id AS "insightId", a.name,
  a.subscribed_users AS "subscribedUsers", a.threshold, a.condition, a.config,
  a.schedule_restriction AS "blockedWindows", a.calculation_interval AS "interval", a.enabled,
  a.skip_weekend AS "skipWeekend", a.snoozed_until AS "snoozedUntil", a.state, a.webhook_url AS "webhookUrl",
  a.created_by AS "createdBy", a.created_at AS "createdAt", a.last_checked_at AS "lastCheckedAt",
  a.last_notified_at AS "lastNotifiedAt", a.next_check_at AS "nextCheckAt", a.last_value AS "lastValue"`;

export function toAlert(row: AlertRow): Alert {
  return {
    ...row,
    subscribedUsers: JSON.parse(row.subscribedUsers) as number[],
    threshold: row.threshold === null ? null : (JSON.parse(row.threshold) as AlertThreshold),
    condition: JSON.parse(row.condition) as AlertCondition,
    config: JSON.parse(row.config) as AlertConfig,
    blockedWindows: row.blockedWindows === null ? [] : (JSON.parse(row.blockedWindows) as BlockedWindow[]),
  };
}
