import type { FunnelGroup } from './funnels/funnel-steps.ts';
import type { Question } from './question.ts';
import type { TrendLine } from './trends/trend-lines.ts';

/** A point of an answer, as the persons behind it are asked for (management contract 9.9.2), and its name. */
export interface PickedPoint {
  title: string;
  source: { kind: string; [key: string]: unknown };
}

/** Who is behind a place of a line; without a place, behind all of it. */
export function pointOfLine(
  question: Question,
  line: TrendLine,
  place: number | null,
  title: string,
): PickedPoint {
  const { kind } = question;
  const day = place === null ? undefined : kind === 'StickinessQuery' ? place + 1 : line.days[place];
  const point = {
    series: line.order,
    day,
    breakdown: line.breakdown,
    status: line.status,
    compare: line.before ? 'current' : undefined,
  };
  const actors = kind === 'StickinessQuery' ? 'StickinessActorsQuery' : 'InsightActorsQuery';
  return { title, source: { kind: actors, source: question, ...point } };
}

/** Who came to a step of a funnel, or to the one before and not to it. */
export function pointOfStep(
  question: Question,
  group: FunnelGroup,
  order: number,
  isLost: boolean,
): PickedPoint {
  const step = group.steps[order]!;
  return {
    title: isLost ? `Dropped off before “${step.name}”` : `Converted to “${step.name}”`,
    source: {
      kind: 'FunnelsActorsQuery',
      source: question,
      funnelStep: isLost ? -(order + 1) : order + 1,
      funnelStepBreakdown: group.breakdown,
    },
  };
}

/** Who began in an interval of a funnel over time, and went all the way; or did not. */
export function pointOfEntrance(
  question: Question,
  day: string | number,
  breakdown: unknown,
  title: string,
): PickedPoint {
  return {
    title,
    source: {
      kind: 'FunnelsActorsQuery',
      source: question,
      funnelTrendsEntrancePeriodStart: String(day),
      funnelTrendsDropOff: false,
      funnelStepBreakdown: breakdown,
    },
  };
}

/** Who is in a row of retention; with a place, who came back there. */
export function pointOfCell(
  question: Question,
  interval: number,
  place: number | null,
  { title, breakdown }: { title: string; breakdown: unknown },
): PickedPoint {
  const day = place === null ? {} : { day: place };
  return { title, source: { kind: 'InsightActorsQuery', source: question, interval, ...day, breakdown } };
}
