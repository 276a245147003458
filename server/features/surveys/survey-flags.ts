import type { FlagCondition, FlagFilters, FlagProperty } from '../../conditions/index.ts';
import type { SurveyFields } from './survey-row.ts';
import { iterationsOf } from './survey-iterations.ts';

/** Prefix of the keys of survey flags; posthog-js can request these alone. */
const PREFIX = 'survey-targeting-';

/** Keys of the flags of a survey: whom it is meant for, and who has not answered or dismissed it. */
export function surveyFlagKeys(surveyId: string): { targeting: string; internal: string } {
  return { targeting: PREFIX + surveyId, internal: `${PREFIX}${surveyId}-custom` };
}

/** How the properties end by which posthog-js says that a person has answered or dismissed a survey: one of each iteration. */
function answeredKey(surveyId: string, survey: SurveyFields, now: number): string {
  const iterations = iterationsOf(survey, now);
  return iterations === null ? surveyId : `${surveyId}/${iterations.current}`;
}

/** The filters of the flag that is on for whom a survey has not seen. `now` in Unix milliseconds. */
export function unansweredFilters(surveyId: string, survey: SurveyFields, now: number): FlagFilters {
  const key = answeredKey(surveyId, survey, now);
  const properties = ['$survey_dismissed', '$survey_responded'].map((name) => ({
    key: `${name}/${key}`,
    type: 'person',
    operator: 'is_not_set',
    value: 'is_not_set',
  }));
  return { groups: [{ variant: null, rollout_percentage: 100, properties }] };
}

/** The same of an existing flag: changes of users stay, and it gets the current iteration. */
export function turnedFilters(
  filters: FlagFilters,
  surveyId: string,
  survey: SurveyFields,
  now: number,
): FlagFilters {
  const key = answeredKey(surveyId, survey, now);
  const turned = (property: FlagProperty): FlagProperty => {
    const [name, id] = String(property.key).split('/');
    const isOurs = (name === '$survey_dismissed' || name === '$survey_responded') && id === surveyId;
    return isOurs ? { ...property, key: `${name}/${key}` } : property;
  };
  const groups = filters.groups?.map((group) =>
    group.properties ? { ...group, properties: group.properties.map(turned) } : group,
  );
  return groups ? { ...filters, groups } : filters;
}

/** Whether the flags of a survey are on: it has a start, which may lie ahead, and no end that has passed. */
export function hasActiveFlags({ startDate, endDate, archived }: SurveyFields, now: number): boolean {
  return startDate !== null && !hasEnded(endDate, now) && !archived;
}

/** Whether pages show a survey now, as far as its own dates say. */
export function isRunning(survey: SurveyFields, now: number): boolean {
  return hasActiveFlags(survey, now) && Date.parse(survey.startDate!) <= now;
}

function hasEnded(endDate: string | null, now: number): boolean {
  return endDate !== null && Date.parse(endDate) <= now;
}

/** Whether filters are on for all users, whatever else they say. */
export function isForAll(filters: Readonly<Record<string, unknown>>): boolean {
  const { groups } = filters;
  return (
    Array.isArray(groups) &&
    groups.some((group: FlagCondition | null) => {
      const isWhole = (group?.rollout_percentage ?? 100) === 100;
      return isWhole && (group?.properties ?? []).length === 0 && group?.aggregation_group_type_index == null;
    })
  );
}
