import type { Analytics, Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import { changesBetween } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { OutsideError, readOutsideUrl } from '../../outgoing/call-outside.ts';
import { recordActivity } from '../activity-log/index.ts';
import type { Outgoing } from '../outgoing/index.ts';
import type { Projects } from '../projects/index.ts';
import { problemOf, type Forwarder } from './forwarder.ts';
import type {
  ForwardingJson,
  ForwardingState,
  ForwardingTargetBody,
  ForwardingTestJson,
} from './forwarding.contract.ts';
import {
  countWaiting,
  deleteTarget,
  findTarget,
  insertTarget,
  saveTrouble,
  updateTarget,
  type ForwardingTarget,
} from './forwarding.store.ts';

/** Sends the new events of a project to a second host as well. */
export interface Forwarding {
  read(projectId: number): Promise<ForwardingJson>;
  /** Turns it on, or changes where events go. Throws conflict where it is not allowed, and invalid_input. */
  set(actor: Actor, project: ProjectRef, body: ForwardingTargetBody): Promise<void>;
  /** Turns it off, and deletes the key and the position. */
  remove(actor: Actor, project: ProjectRef): Promise<void>;
  /** Throws not_found where it is off. */
  setPaused(actor: Actor, project: ProjectRef, isPaused: boolean): Promise<void>;
  /** Requests the flags of a fixed distinct ID from the host, which says whether it takes the key; sends no event. */
  test(projectId: number, body: ForwardingTargetBody): Promise<ForwardingTestJson>;
}

export interface ForwardingParts {
  db: Db;
  analytics: Pick<Analytics, 'all'>;
  outgoing: Pick<Outgoing, 'isOn' | 'send'>;
  projects: Pick<Projects, 'find' | 'onDelete'>;
  clock: Clock;
  newId: NewId;
}

const BACKUP =
  'This data came from a backup. Resume sends what was waiting when the backup was written; PostHog recognizes events that it has. Turn forwarding off and on to begin with new events.';
const NOT_ALLOWED =
  'Forwarding is turned off for this server. Its owner can turn it on under Settings > Privacy.';
const TEST_PERSON = 'burrow-forwarding-test';

export function createForwarding(parts: ForwardingParts & { forwarder: Forwarder }): Forwarding {
  const { db, analytics, outgoing, projects, clock, newId, forwarder } = parts;

  projects.onDelete(async () => {
    for (const id of forwarder.projectIds()) if (projects.find(id) === null) await forwarder.forget(id);
  });

  function checkAllowed(projectId: number): void {
    if (projects.find(projectId)!.demo !== null)
      throw fail('conflict', { detail: 'The events of demo data are not forwarded.' });
    if (!outgoing.isOn('forwarding')) throw fail('conflict', { detail: NOT_ALLOWED });
  }

  /** Where a body leads to, with the stored key where it has none. */
  async function targetOf(
    projectId: number,
    { host: text, api_key }: ForwardingTargetBody,
  ): Promise<{ host: string; apiKey: string; before: ForwardingTarget | null }> {
    const before = await findTarget(db, projectId);
    const apiKey = api_key ?? before?.apiKey;
    if (apiKey === undefined)
      throw fail('invalid_input', { attr: 'api_key', detail: 'Enter the project API key (phc_…).' });
    if (/^ph[xs]_/.test(apiKey))
      throw fail('invalid_input', {
        attr: 'api_key',
        detail: 'This is a personal or secret key. Enter the project API key, which begins with phc_.',
      });
    return { host: readHost(text), apiKey, before };
  }

  async function write(
    actor: Actor,
    project: ProjectRef,
    work: (tx: Parameters<Parameters<Db['transaction']>[0]>[0]) => Promise<ForwardingTarget | null>,
  ): Promise<void> {
    await forwarder.change(project.id, () =>
      db.transaction(async (tx) => {
        const before = await work(tx);
        const after = await findTarget(tx, project.id);
        const changes = changesBetween('Project', logFieldsOf(before), logFieldsOf(after));
        if (changes.length === 0) return;
        await recordActivity(tx, {
          id: newId(),
          now: clock(),
          organizationId: actor.organizationId,
          projectId: project.id,
          userId: actor.user.id,
          activity: 'updated',
          scope: 'Project',
          itemId: String(project.id),
          name: project.name,
          changes,
        });
      }),
    );
  }

  return {
    async read(projectId) {
      const isAllowed = outgoing.isOn('forwarding');
      const target = await findTarget(db, projectId);
      if (target === null) return { ...OFF, is_allowed: isAllowed };
      const [{ count, oldest }, now] = [await countWaiting(analytics, target), forwarder.now(projectId)];
      return {
        state: stateOf(target, { isAllowed, isWaiting: count > 0 }),
        is_allowed: isAllowed,
        host: target.host,
        api_key_hint: hintOf(target.apiKey),
        problem: target.paused === 'backup' ? BACKUP : target.problem,
        waiting: count,
        oldest_waiting_at: oldest,
        sent: target.sent,
        left_out: target.leftOut,
        last_sent_at: target.lastSentAt,
        events_per_minute: now.eventsPerMinute,
        next_try_at: now.nextTryAt === null ? null : new Date(now.nextTryAt).toISOString(),
        since: target.createdAt,
      };
    },
    async set(actor, project, body) {
      checkAllowed(project.id);
      const { host, apiKey } = await targetOf(project.id, body);
      await write(actor, project, async (tx) => {
        const before = await findTarget(tx, project.id);
        if (before === null) await insertTarget(tx, { projectId: project.id, host, apiKey, now: clock() });
        else {
          // What the host refused is tried again with what was corrected.
          const paused = before.paused === 'refused' ? null : before.paused;
          await updateTarget(tx, { projectId: project.id, host, apiKey, paused });
        }
        return before;
      });
    },
    async remove(actor, project) {
      await write(actor, project, async (tx) => {
        const before = await findTarget(tx, project.id);
        await deleteTarget(tx, project.id);
        return before;
      });
    },
    async setPaused(actor, project, isPaused) {
      await write(actor, project, async (tx) => {
        const before = await findTarget(tx, project.id);
        if (before === null) throw fail('not_found');
        const paused = isPaused ? (before.paused ?? ('by_hand' as const)) : null;
        const problem = isPaused ? before.problem : null;
        await saveTrouble(tx, { projectId: project.id, paused, problem });
        return before;
      });
    },
    async test(projectId, body) {
      checkAllowed(projectId);
      const { host, apiKey } = await targetOf(projectId, body);
      const question = { api_key: apiKey, distinct_id: TEST_PERSON };
      const result = await outgoing.send('forwarding', `${host}/flags/?v=2`, question);
      const isOk = result.problem === null;
      return { is_ok: isOk, status: result.status, problem: isOk ? null : problemOf(result) };
    },
  };
}

const OFF = {
  state: 'off',
  host: null,
  api_key_hint: null,
  problem: null,
  waiting: 0,
  oldest_waiting_at: null,
  sent: 0,
  left_out: 0,
  last_sent_at: null,
  events_per_minute: 0,
  next_try_at: null,
  since: null,
} as const;

function stateOf(
  { paused, problem }: ForwardingTarget,
  { isAllowed, isWaiting }: { isAllowed: boolean; isWaiting: boolean },
): ForwardingState {
  if (paused === 'by_hand') return 'paused';
  if (paused !== null) return 'stopped';
  if (!isAllowed) return 'not_allowed';
  if (problem !== null) return 'retrying';
  return isWaiting ? 'sending' : 'up_to_date';
}

/** A project key is public, and still not shown whole where it is of no use. */
function hintOf(key: string): string {
  return key.length > 16 ? `${key.slice(0, 8)}…${key.slice(-4)}` : `${key.slice(0, 4)}…`;
}

/** The address of a host as it is stored. Throws invalid_input. */
function readHost(text: string): string {
  try {
    const url = readOutsideUrl(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
    if (url.search !== '' || url.hash !== '')
      throw new OutsideError('Enter the address without ? and #.', true);
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw fail('invalid_input', { attr: 'host', detail: error.message });
  }
}

/** By the names of the API, as the activity log shows them; without the key. */
function logFieldsOf(target: ForwardingTarget | null): Record<string, unknown> {
  return {
    forwarding_host: target?.host ?? null,
    forwarding_key: target === null ? null : hintOf(target.apiKey),
    forwarding_paused: target !== null && target.paused !== null,
  };
}
