import type { InsightFormat } from '../../components/insights/use-insight-editor.ts';
import { KINDS, kindOf, nameOfQuery, insightQueryOf } from '../../insights/kinds.ts';
import type { InsightQuery, SeriesNode } from '../../insights/insight-query.ts';
import { selectedRange } from '../../insights/query-dates.ts';
import { rangeEnd, type DateSpan } from '../../ui/dates/date-ranges.ts';

const ANY_EVENT: SeriesNode = { kind: 'EventsNode', event: null };

/** The query that a new insight begins with. */
export function emptyInsightQuery(): InsightQuery {
  return { kind: 'TrendsQuery', series: [ANY_EVENT], interval: 'day', dateRange: { date_from: '-30d' } };
}

/** The query that a new insight of a kind begins with; of a kind that there is not, a trend. */
export function newInsightQuery(kind: unknown): InsightQuery {
  const known = KINDS.find(({ id }) => id === kind);
  return known && known.id !== 'TrendsQuery'
    ? turnedInto(known.id, emptyInsightQuery())
    : emptyInsightQuery();
}

/** The query of an address, or `null` for none or one that is no query. */
export function insightQueryOfText(text: unknown): InsightQuery | null {
  if (typeof text !== 'string') return null;
  try {
    const insightQuery = insightQueryOf(JSON.parse(text));
    const isRead = insightQuery && (insightQuery.series === undefined || Array.isArray(insightQuery.series));
    return isRead ? insightQuery : null;
  } catch {
    return null;
  }
}

/** Questions that the panel beside the chart can edit. */
export const queryFormat: InsightFormat<InsightQuery> = {
  read: insightQueryOf,
  write: (insightQuery, stored) => ({
    ...(stored && 'source' in stored ? stored : { kind: 'InsightVizNode' }),
    source: insightQuery,
  }),
  empty: ({ kind }) => newInsightQuery(kind),
  nameOf: nameOfQuery,
  fromText: insightQueryOfText,
  toText(insightQuery, saved) {
    const text = JSON.stringify(insightQuery);
    return text === JSON.stringify(saved) ? undefined : text;
  },
};

/** The same query over other dates. They are days as a calendar has them, and no longer exact moments. */
export function withSpan(insightQuery: InsightQuery, { from, to }: DateSpan): InsightQuery {
  const { date_to: _, explicitDate: __, ...rest } = insightQuery.dateRange ?? {};
  const end = rangeEnd(to, insightQuery.interval);
  const dateRange = { ...rest, date_from: from, ...(end === null ? {} : { date_to: end }) };
  return { ...insightQuery, dateRange };
}

/** The same query over the intervals of its chart from one to another, which are both in it. */
export function zoomedInto(insightQuery: InsightQuery, from: string, to: string): InsightQuery {
  const { date_to: _, explicitDate: __, ...rest } = insightQuery.dateRange ?? {};
  return { ...insightQuery, dateRange: { ...rest, ...selectedRange(insightQuery.interval, from, to) } };
}

/** The same query as another kind: what both kinds know is kept. */
export function turnedInto(kind: string, before: InsightQuery): InsightQuery {
  const { properties, filterTestAccounts, samplingFactor, breakdownFilter } = before;
  const series = (before.series?.length ? before.series : [ANY_EVENT]).map(withoutStep);
  return kindOf({ kind }).turn({
    shared: given({
      dateRange: withoutDaysOfWeek(before.dateRange),
      properties,
      filterTestAccounts,
      samplingFactor,
    }),
    group: given({ aggregation_group_type_index: before['aggregation_group_type_index'] }),
    breakdown: given({ breakdownFilter }),
    interval: before.interval ?? 'day',
    series,
    bare: series.map(withoutMath),
  });
}

/** Only funnels can be limited to some days of the week. */
function withoutDaysOfWeek(dateRange: InsightQuery['dateRange']): InsightQuery['dateRange'] {
  if (!dateRange) return dateRange;
  const { daysOfWeek: _, ...rest } = dateRange;
  return rest;
}

/** Only funnels have optional steps, and properties that stay the same from step to step. */
function withoutStep({ optionalInFunnel: _, holdConstant: __, ...node }: SeriesNode): SeriesNode {
  return node as SeriesNode;
}

/** Only trends count in other ways than persons. */
function withoutMath({
  math: _,
  math_property: __,
  math_hogql: ___,
  math_group_type_index: ____,
  ...node
}: SeriesNode): SeriesNode {
  return node as SeriesNode;
}

/** An object without what is not given, so that equal queries have equal texts. */
export function given<Shape extends object>(shape: Shape): Partial<Shape> {
  const entries = Object.entries(shape).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Partial<Shape>;
}
