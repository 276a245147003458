import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { activityOfUpdate, changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { CohortDefinition } from '../../conditions/index.ts';
import type { Users } from '../users/index.ts';
import { checkNeighbours, nodesFor } from './check-neighbours.ts';
import type { CreateFlagBody, UpdateFlagBody } from './feature-flags.contract.ts';
import { listLiveDashboards } from './feature-flags.reads.ts';
import {
  findFlag,
  findLiveFlagByKey,
  insertFlag,
  removeDeletedFlags,
  updateFlag,
} from './feature-flags.store.ts';
import { checkCohorts, checkDependencies, flagsNamedBy, type IsHidden } from './flag-dependencies.ts';
import { fieldsOf, NEW_FLAG, logFieldsOf } from './flag-fields.ts';
import type { CohortSource } from './flag-memory.ts';
import type { Flag, FlagFields } from './flag-row.ts';
import { usageTemplate, type MakeDashboard } from './usage-dashboard.ts';
import { isDeepStrictEqual } from 'node:util';
import { shownFilters } from './minimal-flag.ts';
import { flagResource } from './feature-flags.resource.ts';

export interface WriteOptions {
  /** The cohorts as they are in the open transaction, where that has written some; those in memory otherwise. */
  readonly cohorts?: readonly CohortDefinition[];
}

export interface FlagWriter {
  /** Throws what its filters are refused for, unique for a key that a live flag has, does_not_exist for a dashboard. */
  create(
    tx: Statements,
    actor: Actor,
    projectId: number,
    body: CreateFlagBody,
    options?: WriteOptions,
  ): Promise<Flag>;
  /**
   * The same; not_found; conflict when another user has changed what this changes; invalid_input when other flags, or an
   * early access feature, need what would go.
   */
  update(
    tx: Statements,
    actor: Actor,
    projectId: number,
    id: number,
    body: UpdateFlagBody,
    options?: WriteOptions,
  ): Promise<Flag>;
}

export interface FlagWriterParts {
  cohorts: Pick<CohortSource, 'definitions'>;
  /** Messages name no object that is hidden from the author. */
  access: Pick<Access, 'levelOf'>;
  users: Pick<Users, 'find'>;
  makeDashboard: MakeDashboard;
  clock: Clock;
  newId: NewId;
}

/** Writes flags, each with its entry in the activity log. */
export function createFlagWriter(parts: FlagWriterParts): FlagWriter {
  const { clock, newId } = parts;

  function record(tx: Statements, actor: Actor, flag: Flag, activity: string, changes: readonly Change[]) {
    return recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: flag.projectId,
      userId: actor.user.id,
      scope: flagResource.activity,
      itemId: String(flag.id),
      name: flag.key,
      activity,
      changes,
    });
  }

  const hiddenFrom =
    (actor: Actor, projectId: number, resource: 'feature_flag' | 'cohort'): IsHidden =>
    (id) =>
      parts.access.levelOf(actor, projectId, resource, { id, createdBy: null }) === 'none';

  return {
    async create(tx, actor, projectId, body, options) {
      const fields = newFieldsOf(body);
      checkCohorts(
        fields.filters,
        options?.cohorts ?? parts.cohorts.definitions(projectId),
        hiddenFrom(actor, projectId, 'cohort'),
      );
      await checkKey(tx, projectId, fields.key, null);
      const dependsOn = flagsNamedBy(fields.filters);
      const nodes = await nodesFor(tx, projectId, dependsOn);
      checkDependencies(
        { id: null, key: fields.key, dependsOn },
        nodes,
        hiddenFrom(actor, projectId, 'feature_flag'),
      );
      await checkDashboards(tx, projectId, fields.analyticsDashboards);
      await removeDeletedFlags(tx, projectId, fields.key);
      const needsDashboard = body._should_create_usage_dashboard ?? true;
      const usageDashboard = needsDashboard
        ? await parts.makeDashboard(tx, actor, projectId, usageTemplate(fields.key))
        : null;
      const flag = await insertFlag(tx, {
        ...fields,
        usageDashboard,
        dependsOn,
        projectId,
        creationContext: body.creation_context ?? 'feature_flags',
        userId: actor.user.id,
        now: clock(),
      });
      await record(tx, actor, flag, 'created', []);
      return flag;
    },
    async update(tx, actor, projectId, id, body, options) {
      const before = await findFlag(tx, projectId, id);
      if (before === null) throw fail('not_found');
      const fields = fieldsOf(before, body);
      checkVersion(before, fields, body, parts.users);
      const changes = changesBetween(flagResource.activity, logFieldsOf(before), logFieldsOf(fields));
      const has = (field: string) => changes.some((change) => change.field === field);
      const isRestored = before.deleted && !fields.deleted;
      if (!fields.deleted && (has('key') || isRestored)) await checkKey(tx, projectId, fields.key, id);
      if (has('filters') || isRestored)
        checkCohorts(
          fields.filters,
          options?.cohorts ?? parts.cohorts.definitions(projectId),
          hiddenFrom(actor, projectId, 'cohort'),
        );
      const dependsOn = has('filters') ? flagsNamedBy(fields.filters) : before.dependsOn;
      await checkNeighbours(
        tx,
        before,
        { ...fields, dependsOn },
        has('filters') || isRestored,
        hiddenFrom(actor, projectId, 'feature_flag'),
      );
      if (has('analytics_dashboards')) await checkDashboards(tx, projectId, fields.analyticsDashboards);
      const isChanged = has('filters') || has('active') || has('deleted');
      const writing = { dependsOn, userId: actor.user.id, now: clock() };
      const after = await updateFlag(tx, { ...fields, ...writing, id, isChanged });
      // A write that changed nothing is not logged.
      if (changes.length > 0) await record(tx, actor, after, activityOfUpdate(changes), changes);
      return after;
    },
  };
}

function newFieldsOf(body: CreateFlagBody): FlagFields {
  const { filters, rollout_percentage = null } = body;
  if (filters !== undefined && !hasGroups(filters))
    throw fail('invalid_input', {
      attr: 'filters',
      detail: 'A flag requires at least one condition set in groups.',
    });
  const groups = [{ properties: [], rollout_percentage }];
  return fieldsOf({ ...NEW_FLAG, key: body.key, filters: { groups } }, body);
}

function hasGroups(filters: Readonly<Record<string, unknown>>): boolean {
  const { groups } = filters;
  return Object.hasOwn(filters, 'groups') && !(Array.isArray(groups) && groups.length === 0);
}

async function checkKey(tx: Statements, projectId: number, key: string, ownId: number | null): Promise<void> {
  const taken = await findLiveFlagByKey(tx, projectId, key);
  if (taken === null || taken === ownId) return;
  throw fail('unique', {
    attr: 'key',
    detail: `This project already has a flag with this key (id ${taken}).`,
  });
}

async function checkDashboards(tx: Statements, projectId: number, ids: readonly number[]): Promise<void> {
  const known = ids.length === 0 ? new Set() : await listLiveDashboards(tx, projectId, ids);
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw fail('does_not_exist', {
      attr: 'analytics_dashboards',
      detail: `Dashboard ${unknown} does not exist.`,
    });
}

function checkVersion(
  stored: Flag,
  wanted: FlagFields,
  body: UpdateFlagBody,
  users: Pick<Users, 'find'>,
): void {
  if (body.version === undefined || body.version === stored.version) return;
  const fields = conflictsOf(body.original_flag ?? {}, body, stored, wanted);
  if (fields.length === 0) return;
  const changer = users.find(stored.lastModifiedBy ?? 0)?.email ?? 'someone else';
  throw fail('conflict', {
    detail: `The flag was changed by ${changer} in the meantime: ${fields.join(', ')}. Reload it and try again.`,
  });
}

/**
 * Fields in which a change would undo that of another user (management contract 9.1, `version`): the sender saw `original`,
 * sends another value of a field that the body names, and the stored value is meanwhile neither of both.
 */
function conflictsOf(
  original: Readonly<Record<string, unknown>>,
  body: UpdateFlagBody,
  stored: FlagFields,
  wanted: FlagFields,
): string[] {
  const [now, then] = [logFieldsOf(stored), logFieldsOf(wanted)];
  const seen = withoutSecrets(original, stored);
  const same = (a: unknown, b: unknown) => isDeepStrictEqual(plain(a), plain(b));
  return (Object.keys(now) as (keyof typeof now)[]).filter(
    (field) =>
      body[field] !== undefined &&
      Object.hasOwn(seen, field) &&
      !same(then[field], seen[field]) &&
      !same(now[field], seen[field]) &&
      !same(then[field], now[field]),
  );
}

/** Secret payloads are shown to some users and not to others, so they are not compared. */
function withoutSecrets(original: Readonly<Record<string, unknown>>, { hasEncryptedPayloads }: FlagFields) {
  const filters = original['filters'];
  if (!hasEncryptedPayloads || typeof filters !== 'object' || filters === null) return original;
  return { ...original, filters: shownFilters({ filters, hasEncryptedPayloads }) };
}

/** Without what answers add: names of cohorts. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, part: unknown) => (key === 'cohort_name' ? undefined : part)),
  );
}
