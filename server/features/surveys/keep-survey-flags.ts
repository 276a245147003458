import { isDeepStrictEqual } from 'node:util';
import type { Statements } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { FeatureFlags } from '../feature-flags/index.ts';
import type { FlagFilters } from '../../conditions/index.ts';
import {
  hasActiveFlags,
  isForAll,
  surveyFlagKeys,
  turnedFilters,
  unansweredFilters,
} from './survey-flags.ts';
import type { SurveyFields } from './survey-row.ts';

/** A change of a survey, in its open transaction. */
export interface SurveyChange {
  readonly tx: Statements;
  readonly actor: Actor;
  readonly projectId: number;
  readonly id: string;
  readonly fields: SurveyFields;
  /** Unix milliseconds. */
  readonly now: number;
  /** Filters of whom it is meant for; undefined: as they are; null: for all users. */
  readonly targeting: Readonly<Record<string, unknown>> | null | undefined;
}

/** Ids of the flags of a survey. */
export type SurveyFlagIds = Pick<SurveyFields, 'targetingFlagId' | 'internalTargetingFlagId'>;

/**
 * Makes, changes and deletes the flags of a survey as it becomes. Throws what a flag's filters are refused for, at
 * `targeting_flag_filters`, and invalid there when they are on for all users.
 */
export async function keepSurveyFlags(flags: FeatureFlags, change: SurveyChange): Promise<SurveyFlagIds> {
  const { targeting, fields } = change;
  if (targeting === null) await deleteFlag(flags, change, fields.targetingFlagId);
  const targetingFlagId = targeting === null ? null : await keepTargetingFlag(flags, change);
  return { targetingFlagId, internalTargetingFlagId: await keepInternalFlag(flags, change) };
}

/** Deletes the flags of a survey that is deleted itself. */
export async function deleteSurveyFlags(
  flags: FeatureFlags,
  change: Pick<SurveyChange, 'tx' | 'actor' | 'projectId' | 'fields'>,
): Promise<void> {
  await deleteFlag(flags, change, change.fields.targetingFlagId);
  await deleteFlag(flags, change, change.fields.internalTargetingFlagId);
}

async function keepTargetingFlag(flags: FeatureFlags, change: SurveyChange): Promise<number | null> {
  const { targeting, fields, id } = change;
  if (targeting && isForAll(targeting))
    throw fail('invalid', {
      attr: 'targeting_flag_filters',
      detail: 'These filters match everyone. Omit them, or send remove_targeting_flag: true.',
    });
  const wanted = { id: fields.targetingFlagId, key: surveyFlagKeys(id).targeting, filters: targeting };
  try {
    return await keepFlag(flags, change, wanted);
  } catch (error) {
    if (!(error instanceof ApiError) || error.attr !== 'filters') throw error;
    throw fail(error.errorName, { attr: 'targeting_flag_filters', detail: error.message });
  }
}

function keepInternalFlag(flags: FeatureFlags, change: SurveyChange): Promise<number | null> {
  const { fields, id, now } = change;
  return keepFlag(flags, change, {
    id: fields.internalTargetingFlagId,
    key: surveyFlagKeys(id).internal,
    filters: { ...unansweredFilters(id, fields, now) },
    changed: (filters) => turnedFilters(filters, id, fields, now),
  });
}

interface WantedFlag {
  readonly id: number | null;
  readonly key: string;
  /** Filters of a flag to create; undefined and null: none is created. */
  readonly filters: Readonly<Record<string, unknown>> | undefined | null;
  /** Of a flag that is there; by default `filters`, or as they are. */
  readonly changed?: (filters: FlagFilters) => FlagFilters;
}

async function keepFlag(
  flags: FeatureFlags,
  { tx, actor, projectId, fields, now }: SurveyChange,
  { id, key, filters, changed = (old) => (filters ?? old) as FlagFilters }: WantedFlag,
): Promise<number | null> {
  const active = hasActiveFlags(fields, now);
  const flag = id === null ? null : await flags.read(tx, projectId, id);
  if (flag === null || flag.deleted) {
    // One that was deleted hides the survey from all users; only new filters make it again.
    if (!filters) return id;
    const made = await flags.create(tx, actor, projectId, {
      key,
      name: `Targeting flag for survey ${fields.name}`,
      filters: { ...filters },
      active,
      creation_context: 'surveys',
      _should_create_usage_dashboard: false,
    });
    return made.id;
  }
  const wanted = changed(flag.filters);
  const isSame = isDeepStrictEqual(wanted, flag.filters);
  if (isSame && flag.active === active) return flag.id;
  const body = isSame ? { active } : { active, filters: { ...wanted } };
  return (await flags.update(tx, actor, projectId, flag.id, body)).id;
}

async function deleteFlag(
  flags: FeatureFlags,
  { tx, actor, projectId }: Pick<SurveyChange, 'tx' | 'actor' | 'projectId'>,
  id: number | null,
): Promise<void> {
  const flag = id === null ? null : await flags.read(tx, projectId, id);
  if (flag !== null && !flag.deleted) await flags.update(tx, actor, projectId, flag.id, { deleted: true });
}
