import type { InsightFormat } from '../../components/insight/use-insight-editor.ts';
import { KINDS, nameOfQuestion, questionOf, type Question, type QuestionKind, type SeriesNode, entityOf } from '../../insights/question.ts';

const ANY_EVENT: SeriesNode = { kind: 'EventsNode', event: null };

/** The question that a new insight begins with. */
export function emptyQuestion(): Question {
  return { kind: 'TrendsQuery', series: [ANY_EVENT], interval: 'day', dateRange: { date_from: '-30d' } };
}

/** The question that a new insight of a kind begins with; of a kind that there is not, a trend. */
export function newQuestion(kind: unknown): Question {
  const known = KINDS.find(({ id }) => id === kind);
  return known && known.id !== 'TrendsQuery' ? turnedInto(known.id, emptyQuestion()) : emptyQuestion();
}

/** The question of an address, or `null` for none or one that is no question. */
export function questionOfText(text: unknown): Question | null {
  if (typeof text !== 'string') return null;
  try {
    const question = questionOf(JSON.parse(text));
    const isRead = question && (question.series === undefined || Array.isArray(question.series));
    return isRead ? question : null;
  } catch {
    return null;
  }
}

/** Questions that the panel beside the chart can edit. */
export const questionFormat: InsightFormat<Question> = {
  read: questionOf,
  write: (question, stored) => ({
    ...(stored && 'source' in stored ? stored : { kind: 'InsightVizNode' }),
    source: question,
  }),
  empty: ({ kind }) => newQuestion(kind),
  nameOf: nameOfQuestion,
  fromText: questionOfText,
  toText(question, saved) {
    const text = JSON.stringify(question);
    return text === JSON.stringify(saved) ? undefined : text;
  },
};

/** The same question as another kind: what both kinds know is kept. */
export function turnedInto(kind: QuestionKind, before: Question): Question {
  const { dateRange, properties, filterTestAccounts, samplingFactor, breakdownFilter } = before;
  const group = before['aggregation_group_type_index'];
  const shared = {
    kind,
    ...given({ dateRange, properties, filterTestAccounts, samplingFactor }),
    ...(kind === 'TrendsQuery' ? {} : given({ aggregation_group_type_index: group })),
  } as Question;
  const series = before.series?.length ? before.series : [ANY_EVENT];
  const bare = series.map(withoutMath);
  switch (kind) {
    case 'TrendsQuery':
      return { ...shared, series, interval: before.interval ?? 'day', ...given({ breakdownFilter }) };
    case 'FunnelsQuery':
      return {
        ...shared,
        series: bare,
        funnelsFilter: { funnelVizType: 'steps' },
        ...given({ breakdownFilter }),
      };
    case 'RetentionQuery':
      return { ...shared, retentionFilter: retentionOf(bare[0]!), ...given({ breakdownFilter }) };
    case 'StickinessQuery':
      return { ...shared, series: bare, interval: before.interval ?? 'day' };
    case 'LifecycleQuery':
      return { ...shared, series: bare.slice(0, 1), interval: before.interval ?? 'day' };
    case 'PathsQuery':
      return { ...shared, pathsFilter: { includeEventTypes: ['$pageview', 'custom_event'] } };
  }
}

/** Only trends count in other ways than persons; only funnels have steps that may be left out. */
function withoutMath({
  math: _,
  math_property: __,
  math_hogql: ___,
  math_group_type_index: ____,
  optionalInFunnel: _____,
  ...node
}: SeriesNode): SeriesNode {
  return node as SeriesNode;
}

function retentionOf(node: SeriesNode): Record<string, unknown> {
  const entity = entityOf(node);
  return {
    period: 'Week',
    totalIntervals: 8,
    retentionType: 'retention_first_time',
    targetEntity: entity,
    returningEntity: entity,
  };
}

/** An object without what is not given, so that equal questions have equal texts. */
export function given<Shape extends object>(shape: Shape): Partial<Shape> {
  const entries = Object.entries(shape).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Partial<Shape>;
}
