import { isDeepStrictEqual } from 'node:util';
import type { Db, Statements } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { FeatureFlags, Flag } from '../feature-flags/index.ts';
import type {
  CreateFeatureBody,
  PublicFeature,
  Stage,
  UpdateFeatureBody,
} from './early-access-features.contract.ts';
import {
  deleteFeature,
  findFeature,
  findFeatureNameOfFlag,
  insertFeature,
  updateFeature,
} from './early-access-features.store.ts';
import { filtersInStage, flagKeyOf } from './enrollment.ts';
import type { EarlyAccessFeature, FeatureFields } from './feature-row.ts';
import { createServedFeatures } from './served-features.ts';
import { earlyAccessFeatureResource } from './early-access-features.resource.ts';

/** Early access features: changes of them and of their flags, each noted in the log, and what pages get of them. */
export interface EarlyAccessFeatures {
  /** Reads what pages get; to be called before the first request. */
  load(): Promise<void>;
  /** Features of a project in some stages, as pages get them; no statement. */
  inStages(projectId: number, stages: readonly string[]): PublicFeature[];
  /**
   * Throws does_not_exist, unique or invalid_input for a flag that is not there, belongs to another, or is of another kind;
   * access_level for one that the actor may not edit.
   */
  create(actor: Actor, projectId: number, body: CreateFeatureBody): Promise<EarlyAccessFeature>;
  /** Throws not_found. */
  update(actor: Actor, projectId: number, id: string, body: UpdateFeatureBody): Promise<EarlyAccessFeature>;
  /** Deletes a feature for good; its flag stays, without its enrollment condition. Throws not_found. */
  delete(actor: Actor, projectId: number, id: string): Promise<void>;
}

export interface EarlyAccessFeatureParts {
  db: Db;
  access: Access;
  flags: FeatureFlags;
  clock: Clock;
  newId: NewId;
}

export function createEarlyAccessFeatures(parts: EarlyAccessFeatureParts): EarlyAccessFeatures {
  const { db, access, flags, clock, newId } = parts;
  const served = createServedFeatures({ db });
  flags.onChange((projectId) => {
    if (served.has(projectId)) void served.refresh(projectId).catch(() => undefined);
  });

  function record(
    tx: Statements,
    actor: Actor,
    feature: EarlyAccessFeature,
    entry: { activity: string; changes?: readonly Change[]; now: number },
  ): Promise<void> {
    return recordActivity(tx, {
      id: newId(),
      organizationId: actor.organizationId,
      projectId: feature.projectId,
      userId: actor.user.id,
      scope: earlyAccessFeatureResource.activity,
      itemId: feature.id,
      name: feature.name,
      ...entry,
    });
  }

  /** A transaction that may write flags; pages get what it did before its caller is answered. */
  async function change<T>(projectId: number, work: (tx: Statements) => Promise<T>): Promise<T> {
    const value = await flags.inTransaction(work);
    await served.refresh(projectId);
    return value;
  }

  /** `stage` is null for a deleted feature. */
  async function putIntoStage(tx: Statements, actor: Actor, flag: Flag, stage: Stage | null): Promise<void> {
    const filters = filtersInStage(flag.filters, flag.key, stage);
    if (flag.deleted || isDeepStrictEqual(filters, flag.filters)) return;
    access.check(actor, flag.projectId, 'feature_flag', flag, 'editor');
    await flags.update(tx, actor, flag.projectId, flag.id, { filters: { ...filters } });
  }

  async function linkedFlag(tx: Statements, actor: Actor, projectId: number, id: number): Promise<Flag> {
    // Ids are 32-bit integers.
    const flag = id < 1 || id > 2_147_483_647 ? null : await flags.read(tx, projectId, id);
    if (flag === null || flag.deleted)
      throw refusedFlag('does_not_exist', `Feature flag ${id} does not exist.`);
    access.check(actor, projectId, 'feature_flag', flag, 'editor');
    const owner = await findFeatureNameOfFlag(tx, projectId, id);
    if (owner !== null)
      throw refusedFlag('unique', `The flag ${flag.key} already belongs to the feature ${owner}.`);
    const { filters } = flag;
    const indices = [filters, ...(filters.groups ?? [])].map(
      (part) => part.aggregation_group_type_index ?? null,
    );
    if (indices.some((index) => index !== null))
      throw refusedFlag(
        'invalid_input',
        'The flag matches by group, but early access features are per person.',
      );
    if ((filters.multivariate?.variants.length ?? 0) > 0)
      throw refusedFlag('invalid_input', 'Flags with variants cannot be used for early access features.');
    return flag;
  }

  async function newFlag(
    tx: Statements,
    actor: Actor,
    projectId: number,
    feature: { id: string; name: string },
  ): Promise<Flag> {
    access.check(actor, projectId, 'feature_flag', null, 'editor');
    const key = flagKeyOf(feature);
    try {
      return await flags.create(tx, actor, projectId, {
        key,
        name: `Feature flag for the early access feature ${feature.name}`,
        filters: { groups: [{ properties: [], rollout_percentage: 0, variant: null }] },
        creation_context: 'early_access_features',
        _should_create_usage_dashboard: false,
      });
    } catch (error) {
      // The key is not the sender's: its name is.
      if (!(error instanceof ApiError) || error.attr !== 'key') throw error;
      throw fail(error.errorName, { attr: 'name', detail: `${error.message} The generated key is ${key}.` });
    }
  }

  return {
    load: served.load,
    inStages: served.inStages,
    create: (actor, projectId, body) =>
      change(projectId, async (tx) => {
        const [now, id] = [clock(), newId()];
        const fields = fieldsOf(NEW, body);
        const flagId = body.feature_flag_id;
        const flag =
          flagId === undefined
            ? await newFlag(tx, actor, projectId, { id, name: fields.name })
            : await linkedFlag(tx, actor, projectId, flagId);
        await putIntoStage(tx, actor, flag, fields.stage);
        const own = { id, projectId, featureFlagId: flag.id, createdBy: actor.user.id, now };
        const feature = await insertFeature(tx, { ...fields, ...own });
        await record(tx, actor, feature, { activity: 'created', now });
        return feature;
      }),
    update: (actor, projectId, id, body) =>
      change(projectId, async (tx) => {
        const now = clock();
        const before = await findFeature(tx, projectId, id);
        if (before === null) throw fail('not_found');
        const fields = fieldsOf(before, body);
        const changes = changesBetween(
          earlyAccessFeatureResource.activity,
          logFieldsOf(before),
          logFieldsOf(fields),
        );
        if (changes.length === 0) return before;
        if (fields.stage !== before.stage) {
          const flag = await flags.read(tx, projectId, before.featureFlagId);
          if (flag !== null) await putIntoStage(tx, actor, flag, fields.stage);
        }
        const after = await updateFeature(tx, { ...fields, id, projectId, now });
        await record(tx, actor, after, { activity: 'updated', changes, now });
        return after;
      }),
    delete: (actor, projectId, id) =>
      change(projectId, async (tx) => {
        const feature = await findFeature(tx, projectId, id);
        if (feature === null) throw fail('not_found');
        await deleteFeature(tx, id);
        const flag = await flags.read(tx, projectId, feature.featureFlagId);
        if (flag !== null) await putIntoStage(tx, actor, flag, null);
        await record(tx, actor, feature, { activity: 'deleted', now: clock() });
      }),
  };
}

function refusedFlag(name: 'does_not_exist' | 'unique' | 'invalid_input', detail: string): ApiError {
  return fail(name, { attr: 'feature_flag_id', detail });
}

const NEW: FeatureFields = { name: '', description: '', stage: 'draft', documentationUrl: '', payload: {} };

/** What the body says, and the rest as it was. */
function fieldsOf(old: FeatureFields, body: UpdateFeatureBody): FeatureFields {
  return {
    name: body.name ?? old.name,
    description: body.description ?? old.description,
    stage: body.stage ?? old.stage,
    documentationUrl: body.documentation_url ?? old.documentationUrl,
    payload: body.payload === undefined ? old.payload : body.payload,
  };
}

/** The fields of a feature in the activity log, by the names of the wire. */
function logFieldsOf({ name, description, stage, documentationUrl, payload }: FeatureFields) {
  return { name, description, stage, documentation_url: documentationUrl, payload };
}
