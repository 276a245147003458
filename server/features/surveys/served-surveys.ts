import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { createLatestRead } from '../../lib/latest-read.ts';
import { isRunning } from './survey-flags.ts';
import { iterationsOf } from './survey-iterations.ts';
import type { PublicSurvey } from './surveys.contract.ts';
import {
  listStartedSurveys,
  listStartingActions,
  type KeyedSurvey,
  type StartingAction,
} from './surveys.reads.ts';

/** The surveys for pages, cached in memory, because every page requests them. */
export interface ServedSurveys {
  /** Reads the surveys of all projects; to be called before the first request. */
  load(): Promise<void>;
  /** Rereads those of a project; to be called after the commit of a change to them, their flags or actions. */
  refresh(projectId: number): Promise<void>;
  /** Surveys of a project that are shown now, oldest first; the same list while nothing has changed. No statement. */
  of(projectId: number): readonly PublicSurvey[];
  /** Those that a page may get at some time; no statement. */
  started(projectId: number): readonly KeyedSurvey[];
}

interface Kept {
  readonly survey: KeyedSurvey;
  readonly actions: readonly StartingAction[];
}

/** The surveys of a project, and those of them that are shown from one moment to another. */
interface ProjectSurveys {
  readonly all: readonly Kept[];
  shown: { readonly list: readonly PublicSurvey[]; readonly from: number; readonly until: number } | null;
}

const NONE: readonly PublicSurvey[] = [];

export function createServedSurveys({ db, clock }: { db: Db; clock: Clock }): ServedSurveys {
  let projects = new Map<number, ProjectSurveys>();
  const readLatest = createLatestRead();

  async function read(projectId: number | null): Promise<Map<number, ProjectSurveys>> {
    const surveys = await listStartedSurveys(db, projectId);
    const ids = [...new Set(surveys.flatMap(actionIdsOf))];
    const actions = new Map((await listStartingActions(db, ids)).map((action) => [action.id, action]));
    const found = new Map<number, Kept[]>();
    for (const survey of surveys) {
      const own = actionIdsOf(survey).flatMap((id) => actions.get(id) ?? []);
      const kept = { survey, actions: own.filter((action) => action.projectId === survey.projectId) };
      const ofProject = found.get(survey.projectId);
      if (ofProject === undefined) found.set(survey.projectId, [kept]);
      else ofProject.push(kept);
    }
    return new Map([...found].map(([id, all]) => [id, { all, shown: null }]));
  }

  return {
    async load() {
      projects = await read(null);
    },
    refresh: (projectId) =>
      readLatest(
        projectId,
        () => read(projectId),
        (found) => void projects.set(projectId, found.get(projectId) ?? { all: [], shown: null }),
      ),
    of(projectId) {
      const project = projects.get(projectId);
      if (project === undefined) return NONE;
      const now = clock();
      if (project.shown === null || now < project.shown.from || now >= project.shown.until)
        project.shown = shownAt(project.all, now);
      return project.shown.list;
    },
    started: (projectId) => (projects.get(projectId)?.all ?? []).map(({ survey }) => survey),
  };
}

function actionIdsOf({ conditions }: KeyedSurvey): number[] {
  return conditions?.actions?.values.map(({ id }) => id) ?? [];
}

function shownAt(all: readonly Kept[], now: number): NonNullable<ProjectSurveys['shown']> {
  const moments = all.flatMap(({ survey }) => [
    survey.startDate!,
    ...(survey.endDate === null ? [] : [survey.endDate]),
    ...(iterationsOf(survey, now)?.startDates ?? []),
  ]);
  const list = all.filter((kept) => isShown(kept, now)).map((kept) => publicSurveyOf(kept, now));
  const coming = moments.map(Date.parse).filter((moment) => moment > now);
  return { list, from: now, until: Math.min(Infinity, ...coming) };
}

/** A survey whose actions are all deleted would be shown immediately, although it waits for them. */
function isShown({ survey, actions }: Kept, now: number): boolean {
  return isRunning(survey, now) && (actions.length > 0 || actionIdsOf(survey).length === 0);
}

function publicSurveyOf({ survey, actions }: Kept, now: number): PublicSurvey {
  const iterations = iterationsOf(survey, now);
  return {
    id: survey.id,
    name: survey.name,
    type: survey.type,
    linked_flag_key: survey.linkedFlagKey,
    targeting_flag_key: survey.targetingFlagKey,
    internal_targeting_flag_key: survey.internalTargetingFlagKey,
    questions: [...survey.questions],
    conditions: conditionsOf(survey, actions),
    appearance: survey.appearance,
    translations: survey.translations,
    start_date: survey.startDate,
    // posthog-js takes any end for one that has passed, and this one lies ahead.
    end_date: null,
    current_iteration: iterations?.current ?? null,
    current_iteration_start_date: iterations?.currentStart ?? null,
    schedule: survey.schedule,
    enable_partial_responses: survey.enablePartialResponses,
  };
}

/** Actions as they are now, since a page looks for what they say. */
function conditionsOf(
  { conditions }: KeyedSurvey,
  actions: readonly StartingAction[],
): Record<string, unknown> | null {
  if (!conditions?.actions) return conditions;
  const values = actions.map(({ id, name, steps }) => ({ id, name, steps: JSON.parse(steps) as unknown }));
  return { ...conditions, actions: { ...conditions.actions, values } };
}
