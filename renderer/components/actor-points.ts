import { formulasOf } from '../../server/features/query/kinds/trends/trends-filter.contract.ts';
import type { PickedPoint } from '../insights/answer.ts';
import { nameOfNode, type InsightQuery } from '../insights/insight-query.ts';
import { addDays, endOfInterval } from '../ui/dates/calendar-days.ts';
import { rangeEnd, rangeLabel } from '../ui/dates/date-ranges.ts';
import { dayLabel } from '../ui/dates/day-labels.ts';
import { formatCountOf } from '../ui/format.ts';
import type { EventsQuery } from '../insights/events-query.ts';
import type { ActorNoun } from './actors.ts';

type Source = PickedPoint['source'];

const VERBS: Readonly<Record<ActorNoun, { who: string; did: string }>> = {
  person: { who: 'who', did: 'did' },
  group: { who: 'that', did: 'did' },
  session: { who: 'that', did: 'had' },
};

/** The insight that a point is of. */
export function insightOf({ source }: Source): InsightQuery {
  return (typeof source === 'object' && source !== null ? source : { kind: '' }) as InsightQuery;
}

/** What the actors of a point have in common: `who dropped off before “task created”`; `null` where only its title says it. */
function predicateOf(source: Source, noun: ActorNoun): string | null {
  const query = insightOf(source);
  const { who, did } = VERBS[noun];
  const nodes = query.series ?? [];
  if (query.kind === 'FunnelsQuery') {
    const step = Number(source['funnelStep']);
    const node = nodes[Math.abs(step) - 1];
    if (!node) return null;
    if (step === 1) return `${who} entered with “${nameOfNode(node)}”`;
    return `${who} ${step < 0 ? 'dropped off before' : 'converted to'} “${nameOfNode(node)}”`;
  }
  const place = Number(source['series'] ?? 0);
  const node = nodes[place];
  const hasFormula = formulasOf(query.trendsFilter).length > 0;
  if (!node || hasFormula) return null;
  const name = nameOfNode(node) === 'Any event' ? 'any event' : `“${nameOfNode(node)}”`;
  if (query.kind === 'TrendsQuery') return `${who} ${did} ${name}`;
  if (query.kind === 'LifecycleQuery') return `${String(source['status'] ?? 'active')} in ${name}`;
  if (query.kind !== 'StickinessQuery') return null;
  const days = Number(source['day']);
  return Number.isNaN(days)
    ? `${who} ${did} ${name}`
    : `${who} ${did} ${name} in ${formatCountOf(days, query.interval ?? 'day')}`;
}

/** A sentence with the total: `252 persons who dropped off before “task created”`. */
export function sentenceOf({ source, title }: PickedPoint, count: number, noun: ActorNoun): string {
  const predicate = predicateOf(source, noun);
  const counted = formatCountOf(count, noun);
  return predicate === null ? `${counted}: ${title}` : `${counted} ${predicate}`;
}

/** When, and of which part: the interval or the dates, the value of a breakdown, and the compared period. */
export function circumstancesOf({ source }: PickedPoint, now: number): string {
  const query = insightOf(source);
  const day = dayOf(source);
  const { date_from: from, date_to: to } = query.dateRange ?? {};
  const when =
    day === null
      ? rangeLabel({ from: from ?? '-7d', to: rangeEnd(to ?? null, null) }, now)
      : dayLabel(day, query.interval ?? 'day').long;
  const value = source['funnelStepBreakdown'] ?? source['breakdown'];
  const parts = [value].flat().filter((one) => one !== undefined && one !== null);
  const period = source['compare'] === 'previous' ? 'previous period' : '';
  return [when, parts.map(breakdownLabel).join(', '), period].filter(Boolean).join(' · ');
}

const SPECIAL: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_null_$$: '(none)',
  $$_posthog_breakdown_other_$$: 'Other',
  '': '(none)',
};

function breakdownLabel(value: unknown): string {
  return SPECIAL[String(value)] ?? String(value);
}

/** The beginning of the interval that a point is of; `null` for one that is of no interval. */
function dayOf(source: Source): string | null {
  const { day } = source;
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d/.test(day) ? day : null;
}

/** The points before and after one, where they follow from it: those of the other steps, of the intervals beside it, or what the picture has beside it. */
export function neighborsOf(
  point: PickedPoint,
  days: readonly string[],
): Record<'before' | 'after', PickedPoint | null> {
  if (point.beside) return { before: point.beside(-1), after: point.beside(1) };
  return { before: neighbor(point, -1, days), after: neighbor(point, 1, days) };
}

function neighbor({ title, source }: PickedPoint, by: 1 | -1, days: readonly string[]): PickedPoint | null {
  const query = insightOf(source);
  const moved = (change: Record<string, unknown>): PickedPoint => ({
    title,
    source: { ...source, ...change },
  });
  if (query.kind === 'FunnelsQuery') {
    const step = Number(source['funnelStep']);
    if (!step) return null;
    const next = Math.abs(step) + by;
    const isThere = next >= (step < 0 ? 2 : 1) && next <= (query.series ?? []).length;
    return isThere ? moved({ funnelStep: step < 0 ? -next : next }) : null;
  }
  const day = dayOf(source);
  if (day === null) return null;
  const at = days.indexOf(day);
  const next = at === -1 ? undefined : days[at + by];
  return next === undefined ? null : moved({ day: next });
}

/** The other half of a step of a funnel, who came to it or did not; `null` for a point without one. */
export function otherHalfOf({ title, source }: PickedPoint): PickedPoint | null {
  const step = Number(source['funnelStep']);
  if (insightOf(source).kind !== 'FunnelsQuery' || !step || Math.abs(step) === 1) return null;
  return { title, source: { ...source, funnelStep: -step } };
}

/** The events behind a point: those that were counted where they can be named, else all events of its actors in its dates. */
export function eventsBehind({ source }: PickedPoint): Partial<EventsQuery> {
  const query = insightOf(source);
  const dates = datesOf(query, dayOf(source));
  const node = query.kind === 'TrendsQuery' ? query.series?.[Number(source['series'] ?? 0)] : undefined;
  const isOfPart = source['breakdown'] !== undefined && source['breakdown'] !== null;
  const properties = query.properties ?? [];
  if (
    node?.kind !== 'EventsNode' ||
    isOfPart ||
    source['compare'] === 'previous' ||
    !Array.isArray(properties)
  )
    return { source, ...dates };
  return {
    ...dates,
    events: node.event ? [node.event] : [],
    properties: [...properties, ...(node.properties ?? [])],
    ...(query.filterTestAccounts && { filterTestAccounts: true }),
  };
}

function datesOf(query: InsightQuery, day: string | null): Pick<EventsQuery, 'after' | 'before'> {
  if (day !== null) {
    const end = endOfInterval(day, query.interval ?? 'day');
    return { after: day, before: end.length > 10 ? end : `${addDays(end, -1)}T23:59:59.999` };
  }
  const { date_from: from, date_to: to } = query.dateRange ?? {};
  return { after: from ?? '-7d', before: rangeEnd(to ?? null, 'hour') };
}
