import { isDeepStrictEqual } from 'node:util';
import type { Analytics, Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Access } from '../access/index.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { FeatureFlags } from '../feature-flags/index.ts';
import { checkSurvey } from './check-survey.ts';
import { deleteSurveyFlags, keepSurveyFlags, type SurveyChange } from './keep-survey-flags.ts';
import { createServedSurveys } from './served-surveys.ts';
import { fieldsOf, NEW_SURVEY, logFieldsOf } from './survey-fields.ts';
import { turnedFilters } from './survey-flags.ts';
import type { Survey, SurveyFields } from './survey-row.ts';
import { createSurveyUpkeep } from './survey-upkeep.ts';
import type { CreateSurveyBody, PublicSurvey, UpdateSurveyBody } from './surveys.contract.ts';
import { countAnswers } from './surveys.reads.ts';
import { deleteSurvey, findSurvey, insertSurvey, updateSurvey } from './surveys.store.ts';
import { surveyResource } from './surveys.resource.ts';

/** Surveys: changes of them and of their flags, each noted in the activity log, and what pages get of them. */
export interface Surveys {
  /** Reads what pages get; to be called before the first request. */
  load(): Promise<void>;
  /** Surveys of a project that pages may show now; the same list while nothing has changed. No statement. */
  shownNow(projectId: number): readonly PublicSurvey[];
  /** Rereads what pages get of a project's surveys; to be called when its actions changed. */
  refresh(projectId: number): Promise<void>;
  /** Throws unique for a name that is taken, does_not_exist for what is not there, and what filters are refused for. */
  create(actor: Actor, projectId: number, body: CreateSurveyBody): Promise<Survey>;
  /** The same; not_found. */
  update(actor: Actor, projectId: number, id: string, body: UpdateSurveyBody): Promise<Survey>;
  /** Deletes a survey for good, and its flags. Throws not_found; invalid_input when other flags depend on those. */
  delete(actor: Actor, projectId: number, id: string): Promise<void>;
}

export interface SurveyParts {
  db: Db;
  analytics: Analytics;
  access: Access;
  flags: FeatureFlags;
  /** In whose name that is done which has become due: that of the user, or of the owner when they have left. */
  actorFor: (userId: number | null) => Actor;
  clock: Clock;
  newId: NewId;
  log: Log;
}

export function createSurveys(parts: SurveyParts): Surveys {
  const { db, analytics, flags, actorFor, clock, newId, log } = parts;
  const served = createServedSurveys({ db, clock });
  const refresh = async (projectId: number) => {
    if (served.started(projectId).length > 0) await served.refresh(projectId);
  };
  // Keys of flags may have changed. A reading that fails leaves what was known; the next change reads again.
  flags.onChange((projectId) => void refresh(projectId).catch(() => undefined));

  function record(
    { tx, actor, projectId, id, now }: Pick<SurveyChange, 'tx' | 'actor' | 'projectId' | 'id' | 'now'>,
    entry: { activity: string; name: string; changes?: readonly Change[] },
  ): Promise<void> {
    return recordActivity(tx, {
      id: newId(),
      organizationId: actor.organizationId,
      projectId,
      userId: actor.user.id,
      scope: surveyResource.activity,
      itemId: id,
      now,
      ...entry,
    });
  }

  /** A transaction that may write flags; pages get what it did before its caller is answered. */
  async function change<T>(projectId: number, work: (tx: Statements) => Promise<T>): Promise<T> {
    const value = await flags.inTransaction(work);
    await served.refresh(projectId);
    return value;
  }

  const lookAfter = createSurveyUpkeep({
    startedOf: served.started,
    countAnswers: (projectId) => countAnswers(analytics, projectId),
    isBehind(survey, now) {
      const filters = flags.find(survey.projectId, survey.internalTargetingFlagId ?? 0)?.filters;
      return (
        filters !== undefined && !isDeepStrictEqual(turnedFilters(filters, survey.id, survey, now), filters)
      );
    },
    async change({ createdBy, projectId, id }, end) {
      const body = end === null ? {} : { end_date: end };
      await surveys.update(actorFor(createdBy), projectId, id, body);
    },
    clock,
    log,
  });

  const surveys: Surveys = {
    load: served.load,
    shownNow(projectId) {
      lookAfter(projectId);
      return served.of(projectId);
    },
    refresh,
    create: (actor, projectId, body) =>
      change(projectId, async (tx) => {
        const now = clock();
        const id = newId();
        const fields = fieldsOf(NEW_SURVEY, body, newId);
        await checkSurvey(tx, parts, { actor, projectId, id, before: NEW_SURVEY, fields });
        const targeting = body.targeting_flag_filters ?? undefined;
        const made = { tx, actor, projectId, id, fields, now, targeting };
        const ids = await keepSurveyFlags(flags, made);
        const row = { ...fields, ...ids, id, projectId, createdBy: actor.user.id, now };
        const survey = await insertSurvey(tx, row);
        await record(made, { activity: 'created', name: survey.name });
        return survey;
      }),
    update: (actor, projectId, id, body) =>
      change(projectId, async (tx) => {
        const now = clock();
        const before = await findSurvey(tx, projectId, id);
        if (before === null) throw fail('not_found');
        const fields = fieldsOf(before, body, newId);
        await checkSurvey(tx, parts, { actor, projectId, id, before, fields });
        const asked = { tx, actor, projectId, id, fields, now, targeting: targetingOf(body) };
        const oldFilters = await targetingFilters(tx, before);
        const ids = await keepSurveyFlags(flags, asked);
        const changes = changesOf(before, fields, [
          oldFilters,
          await targetingFilters(tx, { ...before, ...ids }),
        ]);
        const areFlagsNew = ids.internalTargetingFlagId !== before.internalTargetingFlagId;
        if (changes.length === 0 && !areFlagsNew) return before;
        const after = await updateSurvey(tx, { ...fields, ...ids, id, projectId, now });
        await record(asked, { activity: 'updated', name: after.name, changes });
        return after;
      }),
    delete: (actor, projectId, id) =>
      change(projectId, async (tx) => {
        const survey = await findSurvey(tx, projectId, id);
        if (survey === null) throw fail('not_found');
        await deleteSurvey(tx, id);
        await deleteSurveyFlags(flags, { tx, actor, projectId, fields: survey });
        await record({ tx, actor, projectId, id, now: clock() }, { activity: 'deleted', name: survey.name });
      }),
  };
  return surveys;

  /** Filters of the flag that says whom a survey is for, or null. */
  async function targetingFilters(tx: Statements, survey: Survey): Promise<unknown> {
    const { targetingFlagId: id, projectId } = survey;
    const flag = id === null ? null : await flags.read(tx, projectId, id);
    return flag === null || flag.deleted ? null : flag.filters;
  }
}

/** New filters go before the wish to have none. */
function targetingOf(body: UpdateSurveyBody): SurveyChange['targeting'] {
  return body.targeting_flag_filters ?? (body.remove_targeting_flag === true ? null : undefined);
}

function changesOf(
  before: SurveyFields,
  after: SurveyFields,
  [oldFilters, newFilters]: readonly [unknown, unknown],
): Change[] {
  return changesBetween(
    surveyResource.activity,
    { ...logFieldsOf(before), targeting_flag_filters: oldFilters },
    { ...logFieldsOf(after), targeting_flag_filters: newFilters },
  );
}
