import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import { findMinimalFlags } from '../feature-flags/index.ts';
import type { Users } from '../users/index.ts';
import { iterationsOf } from './survey-iterations.ts';
import type { Survey } from './survey-row.ts';
import type { SurveyJson } from './surveys.contract.ts';

export interface SurveyJsonParts {
  db: Statements;
  access: Access;
  users: Pick<Users, 'embedded'>;
}

/** Surveys as the API shows them to a user, with their flags; `now` in Unix milliseconds. One statement for all. */
export async function surveysJson(
  { db, access, users }: SurveyJsonParts,
  { actor, projectId, now }: { actor: Actor; projectId: number; now: number },
  surveys: readonly Survey[],
): Promise<SurveyJson[]> {
  const ids = surveys.flatMap((one) => [one.linkedFlagId, one.targetingFlagId, one.internalTargetingFlagId]);
  const flags = await findMinimalFlags(db, projectId, [...new Set(ids.filter((id) => id !== null))]);
  const flagOf = (id: number | null) => (id === null ? null : (flags.get(id) ?? null));
  return surveys.map((one) => {
    const iterations = iterationsOf(one, now);
    const own = {
      linked_flag: flagOf(one.linkedFlagId),
      targeting_flag: flagOf(one.targetingFlagId),
      internal_targeting_flag: flagOf(one.internalTargetingFlagId),
    };
    return {
      id: one.id,
      name: one.name,
      description: one.description,
      type: one.type,
      schedule: one.schedule,
      ...own,
      linked_flag_id: one.linkedFlagId,
      questions: [...one.questions],
      conditions: one.conditions,
      appearance: one.appearance,
      translations: one.translations,
      created_at: one.createdAt,
      created_by: users.embedded(one.createdBy),
      start_date: one.startDate,
      end_date: one.endDate,
      archived: one.archived,
      responses_limit: one.responsesLimit,
      enable_partial_responses: one.enablePartialResponses,
      iteration_count: one.iterationCount,
      iteration_frequency_days: one.iterationFrequencyDays,
      iteration_start_dates: iterations === null ? null : [...iterations.startDates],
      current_iteration: iterations?.current ?? null,
      current_iteration_start_date: iterations?.currentStart ?? null,
      feature_flag_keys: Object.entries(own).map(([key, flag]) => ({
        key: `${key}_key`,
        value: flag?.key ?? null,
      })),
      user_access_level: access.levelOf(actor, projectId, 'survey', one),
    };
  });
}
