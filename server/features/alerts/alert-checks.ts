import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { hostAndPort } from '../../outgoing/call-outside.ts';
import type { Insights } from '../insights/index.ts';
import type { Outgoing } from '../outgoing/index.ts';
import type { Project, Projects } from '../projects/index.ts';
import { FULL_GRANT, type Users } from '../users/index.ts';
import type { Alert, AlertFields, CheckDetails } from './alert-row.ts';
import { isPaused, nextCheck } from './alert-schedule.ts';
import { LOST, UNANSWERED, type AlertWebhooks } from './alert-webhooks.ts';
import type { WebhookBody } from './alerts.contract.ts';
import { hasWork, listDue } from './alerts.reads.ts';
import type { Alerts, Outcome } from './alerts.service.ts';
import {
  deleteOldChecks,
  findAlert,
  insertCheck,
  postpone,
  replaceProblem,
  saveDetails,
  saveProgress,
} from './alerts.store.ts';
import type { Finding } from './evaluate-alert.ts';

/** Milliseconds between two looks at the clock: a timer until the next check would stop while a laptop sleeps. */
const LOOK_MS = 2_000;
const DAY_MS = 86_400_000;
const KEPT_MS = 14 * DAY_MS;

/** What the desktop app shows, and which page of the console a click on it opens. */
export interface AlertNotice {
  readonly title: string;
  readonly text: string;
  /** A path of the console. */
  readonly path: string;
}

/** Checks alerts when they are due. */
export interface AlertChecks {
  /** Checks every alert that is due now, one after another; those of a time in which nothing ran once. */
  runDue(): Promise<void>;
  /** Says of webhooks that were on their way when Burrow ended that they are lost, and begins to look at the clock. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface AlertChecksParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  log: Log;
  projects: Pick<Projects, 'find'>;
  users: Pick<Users, 'findActor'>;
  insights: Insights;
  outgoing: Pick<Outgoing, 'isOn'>;
  /** Shows a notification on this machine; left out: there is no desktop app. */
  onAlert?: ((notice: AlertNotice) => void) | undefined;
}

export function createAlertChecks(
  parts: AlertChecksParts & { alerts: Alerts; webhooks: AlertWebhooks },
): AlertChecks {
  const { db, clock, newId, log, projects, users, insights, outgoing, alerts, webhooks, onAlert } = parts;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  /** Whether something changed while the due ones were being checked. */
  let isStale = false;

  const iso = (ms: number): string => new Date(ms).toISOString();

  async function check(alert: Alert, project: Project): Promise<void> {
    const creator = alert.createdBy === null ? null : users.findActor(alert.createdBy, FULL_GRANT);
    const outcome = await alerts.evaluate(project, alert, creator, closing.signal);
    const now = clock();
    const state = stateOf(outcome);
    const insight = await namedInsight(parts, alert);
    const firing = state === 'Firing';
    // It says at every check that it fires, and once that it cannot be checked.
    const notifies = firing || (state === 'Errored' && alert.state !== 'Errored');
    const sends = firing && alert.webhookUrl !== null && outgoing.isOn('alert_webhooks');
    const details: CheckDetails = {
      ...detailsOf(outcome),
      webhook: sends
        ? { host: hostAndPort(alert.webhookUrl!), attempts: 0, status: null, problem: UNANSWERED }
        : null,
    };
    const id = newId();
    const isSaved = await db.transaction(async (tx) => {
      const current = await findAlert(tx, alert.projectId, alert.id);
      // What was changed or deleted meanwhile is checked again.
      if (current === null || !isSame(current, alert)) return false;
      await insertCheck(tx, {
        id,
        projectId: alert.projectId,
        alertId: alert.id,
        createdAt: iso(now),
        calculatedValue: outcome.finding?.value ?? null,
        state,
        notificationSentAt: notifies ? iso(now) : null,
        details,
      });
      await saveProgress(tx, alert.id, {
        state,
        lastCheckedAt: iso(now),
        lastNotifiedAt: notifies ? iso(now) : alert.lastNotifiedAt,
        nextCheckAt: iso(nextCheck(alert, now, project.timezone)),
        lastValue: outcome.finding?.value ?? null,
      });
      return true;
    });
    if (!isSaved) return;
    if (notifies) onAlert?.(noticeOf(alert, insight, outcome));
    if (sends)
      webhooks.send(alert.webhookUrl!, webhookBodyOf(alert, insight, outcome.finding!, iso(now)), (webhook) =>
        db.transaction((tx) => saveDetails(tx, id, { ...details, webhook })),
      );
  }

  async function checkOne(alert: Alert): Promise<void> {
    const project = projects.find(alert.projectId);
    const now = clock();
    const [insight] = await insights.listByIds(db, alert.projectId, [alert.insightId]);
    const timezone = project?.timezone ?? 'UTC';
    // A deleted insight may come back, and with it its alerts.
    if (project === null || insight === undefined || isPaused(alert, now, timezone))
      return await leaveOut(alert, timezone);
    await check(alert, project);
  }

  /** What was changed meanwhile is not left out. */
  async function leaveOut(alert: Alert, timezone: string): Promise<void> {
    await db.transaction(async (tx) => {
      const current = await findAlert(tx, alert.projectId, alert.id);
      if (current === null || isSame(current, alert))
        await postpone(tx, alert.id, iso(nextCheck(alert, clock(), timezone)));
    });
  }

  async function runAll(): Promise<void> {
    await tidy().catch(onFailure);
    do {
      isStale = false;
      for (const alert of await listDue(db, iso(clock()))) {
        if (closing.signal.aborted) return;
        try {
          await checkOne(alert);
        } catch (error) {
          if (closing.signal.aborted) return;
          log.error({ err: error, alert: alert.id }, 'An alert was not checked');
          const timezone = projects.find(alert.projectId)?.timezone ?? 'UTC';
          await leaveOut(alert, timezone);
        }
      }
    } while (isStale && !closing.signal.aborted);
  }

  let tidiedAt = -Infinity;
  /** Deletes the old history of all alerts, once a day; also of those that are not checked any more. */
  async function tidy(): Promise<void> {
    const now = clock();
    if (Math.abs(now - tidiedAt) < DAY_MS) return;
    await deleteOldChecks(db, iso(now - KEPT_MS));
    tidiedAt = now;
    await arm();
  }

  /** One run at a time; a call during a run is part of it. */
  function runDue(): Promise<void> {
    isStale = true;
    running ??= runAll().finally(() => (running = null));
    return running;
  }

  /** No timer runs while there is nothing to check or to delete. */
  async function arm(): Promise<void> {
    const isNeeded = await hasWork(db);
    if (closing.signal.aborted || isNeeded === (timer !== null)) return;
    if (timer !== null) clearInterval(timer);
    timer = isNeeded ? setInterval(look, LOOK_MS) : null;
    timer?.unref();
  }

  /** The next moment at which an alert is due; the database is read only then. */
  let lookAgainAt = -Infinity;
  let lastLook = -Infinity;
  function look(): void {
    const now = clock();
    // A clock that was set back must not end the checks.
    if (now < lookAgainAt && now >= lastLook) return void (lastLook = now);
    lastLook = now;
    lookAgainAt = (Math.floor(now / LOOK_MINUTE_MS) + 1) * LOOK_MINUTE_MS;
    runDue().catch(onFailure);
  }

  const onFailure = (error: unknown): void => {
    if (!closing.signal.aborted) log.error({ err: error }, 'Alerts were not checked');
  };

  alerts.onChange(() => {
    lookAgainAt = -Infinity;
    isStale = true;
    arm().catch(onFailure);
  });

  return {
    runDue,
    async start() {
      await replaceProblem(db, UNANSWERED, LOST);
      await arm();
    },
    async close() {
      closing.abort();
      if (timer !== null) clearInterval(timer);
      await running?.catch(() => undefined);
      await webhooks.close();
    },
  };
}

/** Schedules are of whole minutes. */
const LOOK_MINUTE_MS = 60_000;

function stateOf({ finding, error }: Outcome): 'Firing' | 'Not firing' | 'Errored' {
  if (error !== null) return 'Errored';
  return finding!.breaches.length > 0 ? 'Firing' : 'Not firing';
}

/** How messages name the insight of an alert. */
export async function namedInsight(
  { insights, db }: { insights: Insights; db: Db },
  { projectId, insightId }: Pick<Alert, 'projectId' | 'insightId'>,
): Promise<{ name: string; shortId: string }> {
  const [row] = await insights.listByIds(db, projectId, [insightId]);
  return { name: row?.name || row?.derivedName || 'Untitled insight', shortId: row?.shortId ?? '' };
}

/** What a check would find and send, for an alert that may not be stored. */
export function previewOf(
  alert: AlertFields & { id: string; projectId: number },
  insight: { name: string; shortId: string },
  outcome: Outcome,
  now: number,
): { state: 'Firing' | 'Not firing' | 'Errored'; notice: AlertNotice | null; body: WebhookBody | null } {
  const state = stateOf(outcome);
  const isFiring = state === 'Firing';
  return {
    state,
    notice: state === 'Not firing' ? null : noticeOf(alert, insight, outcome),
    body:
      isFiring && alert.webhookUrl !== null
        ? webhookBodyOf(alert, insight, outcome.finding!, new Date(now).toISOString())
        : null,
  };
}

function noticeOf(
  { id, projectId, name }: Pick<Alert, 'id' | 'projectId' | 'name'>,
  insight: { name: string; shortId: string },
  { finding, error }: Outcome,
): AlertNotice {
  const title = name || insight.name;
  const more = (finding?.breaches.length ?? 0) - 1;
  return {
    title: error === null ? `Alert: ${title}` : `Alert could not be checked: ${title}`,
    text: error ?? `${finding!.breaches[0]}${more > 0 ? ` And ${more} more.` : ''}`,
    path: `/project/${projectId}/insights/${insight.shortId}?alert=${id}`,
  };
}

function webhookBodyOf(
  { id, projectId, name }: Pick<Alert, 'id' | 'projectId' | 'name'>,
  insight: { name: string; shortId: string },
  { value, breaches }: Finding,
  checkedAt: string,
): WebhookBody {
  return {
    type: 'alert_firing',
    alert_id: id,
    alert_name: name,
    project_id: projectId,
    insight_id: insight.shortId,
    insight_name: insight.name,
    state: 'Firing',
    value,
    breaches: [...breaches],
    checked_at: checkedAt,
  };
}

function detailsOf({ finding, error }: Outcome): CheckDetails {
  return {
    interval: finding?.interval ?? null,
    dates: finding?.dates ?? [],
    breaches: finding?.breaches ?? [],
    error,
    webhook: null,
  };
}

const KEPT_FIELDS = [
  'insightId',
  'threshold',
  'condition',
  'config',
  'interval',
  'enabled',
  'skipWeekend',
  'blockedWindows',
  'snoozedUntil',
  'webhookUrl',
] as const;

function isSame(a: Alert, b: Alert): boolean {
  return KEPT_FIELDS.every((field) => JSON.stringify(a[field]) === JSON.stringify(b[field]));
}
