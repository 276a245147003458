import type {
  AnnotationJson as Annotation,
  AnnotationScope,
} from '../../../server/features/annotations/annotations.contract.ts';
import { wallOf } from '../../ui/dates/zone-time.ts';

/** The insight and the dashboard of a chart. */
export interface ChartPlace {
  insightId?: number | null;
  dashboardId?: number | null;
}

/** On which charts an annotation of each scope is shown, as a choice. */
export const SCOPES: readonly { id: Exclude<AnnotationScope, 'recording'>; label: string }[] = [
  { id: 'project', label: 'Project' },
  { id: 'organization', label: 'Organization' },
  { id: 'dashboard', label: 'Dashboard' },
  { id: 'dashboard_item', label: 'Insight' },
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
      text: content || 'An annotation without content',
    }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

/** On which charts an annotation is shown, in words. */
export function placeLabel(annotation: Annotation): string {
  const { scope, dashboard_id: dashboardId, dashboard_item: insightId } = annotation;
  if (scope === 'project') return 'project';
  if (scope === 'organization') return 'organization';
  if (scope === 'recording') return 'recordings only';
  if (scope === 'dashboard')
    return dashboardId === null
      ? 'no dashboard yet'
      : annotation.dashboard_name || `dashboard ${dashboardId}`;
  if (insightId === null) return 'no insight yet';
  return annotation.insight_name || annotation.insight_derived_name || `insight ${insightId}`;
}
