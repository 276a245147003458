import type { BodyOf } from '../../api/client.ts';
import type {
  AnnotationJson as Annotation,
  AnnotationScope,
} from '../../../server/features/annotations/annotations.contract.ts';
import { momentOf, wallOf } from '../../ui/dates/zone-time.ts';

/** A dashboard or an insight to which an annotation may be tied. */
export interface TiedThing {
  id: number;
  name: string;
}

/** An annotation draft, at a time of the project's clocks. */
export interface AnnotationDraft {
  content: string;
  /** `2026-11-22`. */
  day: string;
  /** `09:30`. */
  time: string;
  scope: AnnotationScope;
  insight: TiedThing | null;
  dashboard: TiedThing | null;
}

/** Initial values of a new annotation. */
export interface AnnotationBeginning {
  /** By the project's clocks: `2026-11-22 09:30:00`. */
  at: string;
  /** The insight that it is written beside. */
  insight?: TiedThing | null;
}

/** An annotation to edit, at the time that clocks of the project's zone show. */
export function draftOf(annotation: Annotation, timezone: string, now: Date): AnnotationDraft {
  const wall = wallOf(annotation.date_marker === null ? now : new Date(annotation.date_marker), timezone);
  const { dashboard_item: insightId, dashboard_id: dashboardId } = annotation;
  const insightName = annotation.insight_name || annotation.insight_derived_name;
  return {
    content: annotation.content ?? '',
    ...partsOf(wall),
    scope: annotation.scope,
    insight: insightId === null ? null : { id: insightId, name: insightName || `Insight ${insightId}` },
    dashboard:
      dashboardId === null
        ? null
        : { id: dashboardId, name: annotation.dashboard_name || `Dashboard ${dashboardId}` },
  };
}

/** A new annotation, with the project scope by default. */
export function newDraft({ at, insight = null }: AnnotationBeginning): AnnotationDraft {
  return { content: '', ...partsOf(at), scope: 'project', insight, dashboard: null };
}

/** What keeps a draft from being stored, by the field that is to blame; empty for nothing. */
export function problemsOf(draft: AnnotationDraft): { content: string; time: string; tie: string } {
  const { content, day, time, scope, insight, dashboard } = draft;
  const isTied = scope === 'dashboard' ? dashboard !== null : scope !== 'dashboard_item' || insight !== null;
  return {
    content: content.trim() === '' ? 'Enter what happened.' : '',
    time: momentOf(wallText(day, time), 'UTC') === null ? 'Use the format 09:30.' : '',
    tie: isTied ? '' : `Select ${scope === 'dashboard' ? 'a dashboard' : 'an insight'}.`,
  };
}

/** What is stored of a draft; the moment only when it was changed, as it may be known to the second. */
export function changeOf(
  draft: AnnotationDraft,
  timezone: string,
  before: AnnotationDraft | null,
): BodyOf<'PATCH P/annotations/:id/'> {
  const { content, day, time, scope, insight, dashboard } = draft;
  const isSameTime = before?.day === day && before.time === time;
  const moment = momentOf(wallText(day, time), timezone);
  return {
    content: content.trim(),
    scope,
    ...(isSameTime || moment === null ? {} : { date_marker: moment.toISOString() }),
    ...(scope === 'dashboard_item' ? { dashboard_item: insight?.id ?? null } : {}),
    ...(scope === 'dashboard' ? { dashboard_id: dashboard?.id ?? null } : {}),
  };
}

function partsOf(wall: string): { day: string; time: string } {
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** `9:30` is `09:30`. */
function wallText(day: string, time: string): string {
  return `${day} ${time.trim().padStart(5, '0')}:00`;
}
