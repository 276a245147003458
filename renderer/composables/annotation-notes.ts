import type { Annotation, AnnotationScope } from '../api/annotations.api.ts';
import { wallOf } from '../ui/dates/zone-time.ts';

/** Where a chart stands. */
export interface ChartPlace {
  insightId?: number | null;
  dashboardId?: number | null;
}

/** On which charts an annotation of each scope is shown, as a choice. */
export const SCOPES: readonly { id: Exclude<AnnotationScope, 'recording'>; label: string }[] = [
  { id: 'project', label: 'Every chart of this project' },
  { id: 'organization', label: 'Every chart of every project' },
  { id: 'dashboard', label: 'One dashboard' },
  { id: 'dashboard_item', label: 'One insight' },
];

/** Whether an annotation is shown on a chart. */
export function isShownOn(annotation: Annotation, { insightId, dashboardId }: ChartPlace): boolean {
  switch (annotation.scope) {
    case 'project':
    case 'organization':
      return true;
    case 'dashboard':
      return dashboardId != null && annotation.dashboard_id === dashboardId;
    case 'dashboard_item':
      return insightId != null && annotation.dashboard_item === insightId;
    case 'recording':
      return false;
  }
}

/** The annotations of a chart as it marks them: by the clocks of the project, the earliest first. */
export function notesOf(
  annotations: readonly Annotation[],
  place: ChartPlace,
  timezone: string,
): { day: string; text: string }[] {
  return annotations
    .filter((annotation) => annotation.date_marker !== null && isShownOn(annotation, place))
    .map(({ date_marker: at, content }) => ({
      day: wallOf(new Date(at!), timezone),
      text: content || 'An annotation without words',
    }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

/** On which charts an annotation is shown, in words. */
export function placeWords(annotation: Annotation): string {
  const { scope, dashboard_id: dashboardId, dashboard_item: insightId } = annotation;
  if (scope === 'project') return 'every chart';
  if (scope === 'organization') return 'every project';
  if (scope === 'recording') return 'recordings only';
  if (scope === 'dashboard')
    return dashboardId === null
      ? 'no dashboard yet'
      : annotation.dashboard_name || `dashboard ${dashboardId}`;
  if (insightId === null) return 'no insight yet';
  return annotation.insight_name || annotation.insight_derived_name || `insight ${insightId}`;
}
