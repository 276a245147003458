import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { activityOfUpdate, changesBetween, recordActivity } from '../activity-log/index.ts';
import type { CreateActionBody, UpdateActionBody } from './actions.contract.ts';
import type { Action, ActionFields } from './action-row.ts';
import { checkSteps, type CheckFilters } from './check-steps.ts';
import { findAction, findLiveActionByName, insertAction, updateAction } from './actions.store.ts';
import { actionResource } from './actions.resource.ts';

/** Changes to actions; each notes itself in the activity log. */
export interface Actions {
  /** Throws unique for a name that a live action has, and invalid_input for steps that no reader could read. */
  create(actor: Actor, projectId: number, body: CreateActionBody): Promise<Action>;
  /** Throws unique for a name that another live action has, not_found for one that is deleted and not to be restored. */
  update(actor: Actor, projectId: number, id: number, body: UpdateActionBody): Promise<Action>;
  /** Calls `listener` after actions of a project changed, before that is answered. */
  onChange(listener: (projectId: number) => Promise<void>): void;
}

export interface ActionParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  /** Throws invalid_input for `attr` for property filters that queries could not read. */
  checkFilters: CheckFilters;
}

export function createActions({ db, clock, newId, checkFilters }: ActionParts): Actions {
  const listeners: ((projectId: number) => Promise<void>)[] = [];
  async function change(projectId: number, work: (tx: Statements) => Promise<Action>): Promise<Action> {
    const action = await db.transaction(work);
    for (const listener of listeners) await listener(projectId);
    return action;
  }

  async function record(
    tx: Statements,
    actor: Actor,
    action: Action,
    entry: { activity: string; changes?: ReturnType<typeof changesBetween>; now: number },
  ): Promise<void> {
    await recordActivity(tx, {
      id: newId(),
      organizationId: actor.organizationId,
      projectId: action.projectId,
      userId: actor.user.id,
      scope: actionResource.activity,
      itemId: String(action.id),
      name: action.name,
      ...entry,
    });
  }

  return {
    onChange: (listener) => void listeners.push(listener),
    create: (actor, projectId, body) =>
      change(projectId, async (tx) => {
        checkSteps(body.steps ?? [], checkFilters);
        const now = clock();
        const fields = fieldsOf(NEW, body, now);
        await checkName(tx, projectId, fields, null);
        const action = await insertAction(tx, { ...fields, projectId, createdBy: actor.user.id, now });
        await record(tx, actor, action, { activity: 'created', now });
        return action;
      }),
    update: (actor, projectId, id, body) =>
      change(projectId, async (tx) => {
        const before = await findAction(tx, projectId, id);
        // What is deleted can only be restored (management contract 3.5).
        if (before === null || (before.deleted && body.deleted !== false)) throw fail('not_found');
        const now = clock();
        const fields = fieldsOf(before, body, now);
        const changes = changesBetween(actionResource.activity, logFieldsOf(before), logFieldsOf(fields));
        if (changes.length === 0) return before;
        await checkName(tx, projectId, fields, id);
        if (changes.some(({ field }) => field === 'steps')) checkSteps(fields.steps, checkFilters);
        const areStepsNew = changes.some(({ field }) => field === 'steps');
        const after = await updateAction(tx, { ...fields, id, now, areStepsNew });
        await record(tx, actor, after, { activity: activityOfUpdate(changes), changes, now });
        return after;
      }),
  };
}

const NEW: Omit<ActionFields, 'name'> = {
  description: '',
  tags: [],
  steps: [],
  postToSlack: false,
  slackMessageFormat: '',
  pinnedAt: null,
  deleted: false,
};

/** What the body says, and the rest as it was. */
function fieldsOf(
  old: Partial<ActionFields> & typeof NEW,
  body: UpdateActionBody,
  now: number,
): ActionFields {
  const pinned = body.pinned_at === undefined ? old.pinnedAt : null;
  return {
    name: body.name ?? old.name ?? '',
    description: body.description ?? old.description,
    tags: body.tags ?? old.tags,
    steps: body.steps ?? old.steps,
    postToSlack: body.post_to_slack ?? old.postToSlack,
    slackMessageFormat: body.slack_message_format ?? old.slackMessageFormat,
    pinnedAt: typeof body.pinned_at === 'string' ? new Date(now).toISOString() : pinned,
    deleted: body.deleted ?? old.deleted,
  };
}

/** The fields of an action in the log, by the names of the wire. */
function logFieldsOf(fields: ActionFields) {
  const { name, description, tags, steps, postToSlack, slackMessageFormat, pinnedAt, deleted } = fields;
  return {
    name,
    description,
    tags,
    steps,
    post_to_slack: postToSlack,
    slack_message_format: slackMessageFormat,
    pinned_at: pinnedAt,
    deleted,
  };
}

/** Also when a deleted one comes back: its name may be taken meanwhile. */
async function checkName(
  tx: Statements,
  projectId: number,
  { name, deleted }: ActionFields,
  id: number | null,
): Promise<void> {
  if (deleted) return;
  const taken = await findLiveActionByName(tx, projectId, name);
  if (taken === null || taken === id) return;
  throw fail('unique', {
    attr: 'name',
    detail: `This project already has an action with this name (id ${taken}).`,
  });
}
