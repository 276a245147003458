import type { Actor } from '../../http/define-route.ts';
import type { Actions } from '../actions/index.ts';
import { stepBody } from '../actions/index.ts';
import type { Annotations } from '../annotations/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { readTemplate } from '../dashboard-templates/index.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { FeatureFlags } from '../feature-flags/index.ts';
import type { Surveys } from '../surveys/index.ts';
import type { DemoContent, DemoDashboard, DemoTile } from './content.ts';
import type { StoryIds } from './story.ts';
import type { Timeline } from './timeline.ts';

export interface ObjectParts {
  actions: Pick<Actions, 'create'>;
  cohorts: Pick<Cohorts, 'create'>;
  annotations: Pick<Annotations, 'create'>;
  surveys: Pick<Surveys, 'create'>;
  flags: Pick<FeatureFlags, 'inTransaction' | 'create'>;
  dashboards: Pick<Dashboards, 'createFromTemplate'>;
}

interface Target {
  actor: Actor;
  projectId: number;
  content: DemoContent;
  timeline: Timeline;
}

export const QUESTION_ID = 'recommend';
/** The survey asks from this day on. */
const SURVEY_DAY = 30;

/** Creates everything but events, by the services that the API calls; returns the IDs that events name. */
export async function createObjects(parts: ObjectParts, target: Target): Promise<StoryIds> {
  const { actor, projectId, content, timeline } = target;
  const dateOf = (day: number, hour = 0): string => new Date(timeline.at(day, hour)).toISOString();
  await parts.flags.inTransaction(async (tx) => {
    for (const { key, name, filters, isActive = true, isExperiment = false } of content.flags)
      await parts.flags.create(tx, actor, projectId, {
        key,
        name,
        filters: { ...filters },
        active: isActive,
        tags: isExperiment ? ['experiment'] : [],
        _should_create_usage_dashboard: false,
      });
  });
  const survey = await parts.surveys.create(actor, projectId, {
    name: content.survey.name,
    description: '',
    type: 'popover',
    start_date: dateOf(SURVEY_DAY),
    questions: [
      { id: QUESTION_ID, type: 'rating', question: content.survey.question, display: 'number', scale: 10 },
    ],
  });
  for (const { steps, ...action } of content.actions)
    await parts.actions.create(actor, projectId, {
      ...action,
      steps: steps.map((step) => stepBody.parse(step)),
    });
  for (const { rule, ...cohort } of content.cohorts)
    await parts.cohorts.create(actor, projectId, { ...cohort, filters: { ...rule } });
  for (const { day, hour = 12, text } of content.annotations)
    await parts.annotations.create(actor, projectId, {
      content: text,
      date_marker: dateOf(day, hour),
      scope: 'project',
    });
  for (const dashboard of content.dashboards)
    await parts.dashboards.createFromTemplate(actor, projectId, readTemplate(templateOf(dashboard)));
  return { surveyId: survey.id, questionId: QUESTION_ID };
}

function templateOf({ name, description, tiles }: DemoDashboard): Record<string, unknown> {
  return {
    template_name: name,
    dashboard_description: description,
    dashboard_filters: {},
    tags: ['demo'],
    tiles: placed(tiles),
  };
}

const COLUMNS = 12;
/** Rows of a number, and of anything else. */
const [LOW, HIGH] = [3, 5] as const;

/** The tiles side by side as they fit, in their order; below one another on a narrow screen. */
function placed(tiles: readonly DemoTile[]): Record<string, unknown>[] {
  let [x, y, row, narrow] = [0, 0, 0, 0];
  return tiles.map(({ columns, name, description, query }) => {
    const height = columns === 3 ? LOW : HIGH;
    if (x + columns > COLUMNS) [x, y, row] = [0, y + row, 0];
    const sm = { x, y, w: columns, h: height, minW: 3, minH: LOW };
    const xs = { x: 0, y: narrow, w: 1, h: height, minW: 1, minH: LOW };
    [x, row, narrow] = [x + columns, Math.max(row, height), narrow + height];
    return { type: 'INSIGHT', name, description, query, layouts: { sm, xs }, color: null };
  });
}
