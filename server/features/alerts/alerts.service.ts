import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Db, Statements } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { Insights } from '../insights/index.ts';
import { sourceOf, type Queries, type StoredQuery } from '../query/index.ts';
import { FULL_GRANT, type Users } from '../users/index.ts';
import type { Alert, AlertFields } from './alert-row.ts';
import { alertFieldsOf, isSnoozed, type Writing } from './alert-fields.ts';
import { alertResource } from './alerts.resource.ts';
import type { AlertState, CreateAlertBody, UpdateAlertBody } from './alerts.contract.ts';
import { deleteAlert, findAlert, insertAlert, insertCheck, updateAlert } from './alerts.store.ts';
import { AlertProblem, evaluateAlert, queryOfAlert, type Evaluated, type Finding } from './evaluate-alert.ts';

type InsightRow = Awaited<ReturnType<Insights['find']>>;

/** What an evaluation came to: what it found, or why it failed. */
export type Outcome = { finding: Finding; error: null } | { finding: null; error: string };

/** Changes to alerts, each of which notes itself in the activity log, and their evaluation. */
export interface Alerts {
  /** Throws not_found, and access_level when the actor may not see (or edit) its insight. */
  find(actor: Actor, projectId: number, id: string, needed?: 'view' | 'edit'): Promise<Alert>;
  /** Returns the id. Throws does_not_exist and invalid_input for what is refused (management contract 9.13). */
  create(actor: Actor, project: ProjectRef, body: CreateAlertBody): Promise<string>;
  /** Throws as `create` and `find`. */
  update(actor: Actor, project: ProjectRef, id: string, body: UpdateAlertBody): Promise<void>;
  remove(actor: Actor, projectId: number, id: string): Promise<void>;
  /** The fields of an alert that is not stored. Throws as `create`. */
  draft(actor: Actor, project: ProjectRef, body: CreateAlertBody): Promise<AlertFields>;
  /** Evaluates an alert on an insight with the access of an actor; null: the user has left. Never throws for what the alert itself has wrong. */
  evaluate(
    project: Pick<ProjectRef, 'id' | 'timezone'>,
    alert: Evaluated & Pick<AlertFields, 'insightId'>,
    actor: Actor | null,
    signal: AbortSignal,
  ): Promise<Outcome>;
  /** Calls back after every change that may make an alert due. */
  onChange(listener: () => void): void;
}

export interface AlertsParts {
  db: Db;
  access: Access;
  insights: Insights;
  queries: Pick<Queries, 'open'>;
  users: Users;
  clock: Clock;
  newId: NewId;
}

const NO_ACCESS = 'The creator of this alert no longer has access to its insight. Create the alert again.';

export function createAlerts(parts: AlertsParts): Alerts {
  const { db, access, insights, queries, users, clock, newId } = parts;
  const listeners: (() => void)[] = [];
  const notify = (): void => listeners.forEach((listener) => listener());

  const entry = (actor: Actor, alert: { id: string; projectId: number; name: string }) => ({
    id: newId(),
    now: clock(),
    organizationId: actor.organizationId,
    projectId: alert.projectId,
    userId: actor.user.id,
    scope: alertResource.activity,
    itemId: alert.id,
    name: alert.name,
  });

  /** The insight that a body names, which the actor may edit; an alert belongs to it. */
  async function findInsight(actor: Actor, projectId: number, id: number): Promise<InsightRow> {
    try {
      return await insights.find(actor, projectId, String(id), { needed: 'edit' });
    } catch (error) {
      if (!(error instanceof ApiError && error.errorName === 'not_found')) throw error;
      throw fail('does_not_exist', {
        attr: 'insight',
        detail: `This project has no insight with the id ${id}.`,
      });
    }
  }

  function checkUsers(actor: Actor, projectId: number, ids: readonly number[]): void {
    for (const id of ids) {
      const member = users.findActor(id, FULL_GRANT);
      const isHere = member !== null && member.organizationId === actor.organizationId;
      if (isHere && access.projectLevel(member, projectId) > 0) continue;
      throw fail('does_not_exist', {
        attr: 'subscribed_users',
        detail: `This project has no member with the id ${id}.`,
      });
    }
  }

  /** Checks what a body names, and reads what its fields depend on; `insightId` where it names no insight. */
  async function writingOf(
    actor: Actor,
    project: ProjectRef,
    { insight: id, subscribed_users: ids }: CreateAlertBody | UpdateAlertBody,
    insightId = 0,
  ): Promise<Writing> {
    const insight = await findInsight(actor, project.id, id ?? insightId);
    if (ids !== undefined) checkUsers(actor, project.id, ids);
    return { now: clock(), timezone: project.timezone, newId, source: sourceOfInsight(insight) };
  }

  const draft: Alerts['draft'] = async (actor, project, body) =>
    alertFieldsOf(null, body, await writingOf(actor, project, body));

  /** Says in the history of the alert that it sleeps. */
  const recordSnooze = (tx: Statements, alert: Pick<Alert, 'id' | 'projectId'>): Promise<void> =>
    insertCheck(tx, {
      id: newId(),
      projectId: alert.projectId,
      alertId: alert.id,
      createdAt: new Date(clock()).toISOString(),
      calculatedValue: null,
      state: 'Snoozed',
      notificationSentAt: null,
      details: { interval: null, dates: [], breaches: [], error: null, webhook: null },
    });

  async function find(
    actor: Actor,
    projectId: number,
    id: string,
    needed: 'view' | 'edit' = 'view',
  ): Promise<Alert> {
    const alert = await findAlert(db, projectId, id);
    if (alert === null) throw fail('not_found');
    await insights.find(actor, projectId, String(alert.insightId), { needed });
    return alert;
  }

  const update: Alerts['update'] = async (actor, project, id, body) => {
    const { insightId } = await find(actor, project.id, id, 'edit');
    const writing = await writingOf(actor, project, body, insightId);
    const isOfInsight = await db.transaction(async (tx) => {
      // A check or another change may have saved since.
      const before = await findAlert(tx, project.id, id);
      if (before === null) throw fail('not_found');
      if (before.insightId !== insightId) return false;
      const fields = alertFieldsOf(before, body, writing);
      const changes = changesOf(before, fields);
      if (changes.length === 0) return true;
      const alert = { ...before, ...fields, ...afterChange(before, fields, writing.now) };
      await updateAlert(tx, alert);
      if (alert.state === 'Snoozed' && fields.snoozedUntil !== before.snoozedUntil)
        await recordSnooze(tx, alert);
      await recordActivity(tx, { ...entry(actor, alert), activity: 'updated', changes });
      return true;
    });
    if (!isOfInsight) return await update(actor, project, id, body);
    notify();
  };

  return {
    find,
    draft,
    async create(actor, project, body) {
      const fields = await draft(actor, project, body);
      const alert = {
        ...fields,
        id: newId(),
        projectId: project.id,
        createdBy: actor.user.id,
        state: fields.snoozedUntil === null ? ('Not firing' as const) : ('Snoozed' as const),
      };
      await db.transaction(async (tx) => {
        await insertAlert(tx, { ...alert, now: clock() });
        if (alert.state === 'Snoozed') await recordSnooze(tx, alert);
        await recordActivity(tx, { ...entry(actor, alert), activity: 'created' });
      });
      notify();
      return alert.id;
    },
    update,
    async remove(actor, projectId, id) {
      const alert = await find(actor, projectId, id, 'edit');
      await db.transaction(async (tx) => {
        await deleteAlert(tx, projectId, id);
        await recordActivity(tx, { ...entry(actor, alert), activity: 'deleted' });
      });
      notify();
    },
    async evaluate(project, alert, actor, signal) {
      try {
        const [insight] = await insights.listByIds(db, project.id, [alert.insightId]);
        if (insight === undefined) throw new AlertProblem('The insight is deleted.');
        const isSeen =
          actor !== null &&
          access.projectLevel(actor, project.id) > 0 &&
          access.levelOf(actor, project.id, 'insight', insight) !== 'none';
        if (!isSeen) throw new AlertProblem(NO_ACCESS);
        const source = sourceOfInsight(insight);
        if (source === null) throw new AlertProblem('The insight has no query.');
        // What it shows is read by all who see the insight, so it reads no more than a shared link does.
        const answering = await queries.open(project, {
          actor: { ...actor, isLink: true },
          answers: 'any',
          signal,
        });
        const answer = await answering.answer(queryOfAlert(source));
        return { finding: evaluateAlert(alert, source, answer!), error: null };
      } catch (error) {
        if (error instanceof AlertProblem || (error instanceof ApiError && !signal.aborted))
          return { finding: null, error: error.message };
        throw error;
      }
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The query of an insight without its wrapper. */
function sourceOfInsight({ query }: InsightRow): StoredQuery | null {
  return query === null ? null : sourceOf(parseExactly(query) as StoredQuery);
}

/**
 * The state and the next check that a change leads to: another comparison begins with an empty state. It is checked as soon as
 * possible, and so is an alert whose snooze has ended.
 */
function afterChange(
  before: Alert,
  after: AlertFields,
  now: number,
): { state: AlertState; nextCheckAt: string | null } {
  const differs = (...fields: (keyof AlertFields)[]): boolean =>
    fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const isOther = differs('insightId', 'threshold', 'condition', 'config');
  if (isSnoozed(after, now)) return { state: 'Snoozed', nextCheckAt: null };
  if (before.snoozedUntil !== null || isOther) return { state: 'Not firing', nextCheckAt: null };
  const isTimed = differs('interval', 'skipWeekend', 'blockedWindows') || (after.enabled && !before.enabled);
  return { state: before.state, nextCheckAt: isTimed ? null : before.nextCheckAt };
}

/** The fields of an alert in the activity log, by the names of the wire; of a URL only its host, as the rest may be a secret. */
function logFieldsOf(fields: AlertFields): Record<string, unknown> {
  const { threshold } = fields;
  return {
    insight: fields.insightId,
    name: fields.name,
    subscribed_users: fields.subscribedUsers,
    threshold:
      threshold === null ? null : { type: threshold.type, bounds: threshold.bounds, name: threshold.name },
    condition: fields.condition,
    config: fields.config,
    calculation_interval: fields.interval,
    enabled: fields.enabled,
    skip_weekend: fields.skipWeekend,
    schedule_restriction: fields.blockedWindows.length === 0 ? null : fields.blockedWindows,
    snoozed_until: fields.snoozedUntil,
    webhook_url: webhookLabel(fields.webhookUrl),
  };
}

/** Another path of the same host is a change too, although the log shows neither. */
function changesOf(before: AlertFields, after: AlertFields): Change[] {
  const changes = changesBetween(alertResource.activity, logFieldsOf(before), logFieldsOf(after));
  const isNamed = changes.some(({ field }) => field === 'webhook_url');
  if (isNamed || before.webhookUrl === after.webhookUrl) return changes;
  const label = webhookLabel(after.webhookUrl);
  const change = { type: alertResource.activity, field: 'webhook_url', before: label, after: label };
  return [...changes, { ...change, action: 'changed' }];
}

function webhookLabel(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/…`;
}
