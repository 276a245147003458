import type { InsightFormat } from '../../components/insights/use-insight-editor.ts';
import { KINDS, kindOf, nameOfQuestion, questionOf } from '../../insights/kinds.ts';
import type { Question, SeriesNode } from '../../insights/question.ts';

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
export function turnedInto(kind: string, before: Question): Question {
  const { dateRange, properties, filterTestAccounts, samplingFactor, breakdownFilter } = before;
  const series = before.series?.length ? before.series : [ANY_EVENT];
  return kindOf({ kind }).turn({
    shared: given({ dateRange, properties, filterTestAccounts, samplingFactor }),
    group: given({ aggregation_group_type_index: before['aggregation_group_type_index'] }),
    breakdown: given({ breakdownFilter }),
    interval: before.interval ?? 'day',
    series,
    bare: series.map(withoutMath),
  });
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

/** An object without what is not given, so that equal questions have equal texts. */
export function given<Shape extends object>(shape: Shape): Partial<Shape> {
  const entries = Object.entries(shape).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Partial<Shape>;
}
