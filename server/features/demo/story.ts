import type { DemoContent } from './content.ts';
import type { DemoSize } from './demo.contract.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import { planArrivals, timelineTo, type Arrival, type Timeline, type Traffic } from './timeline.ts';
import { createVisitor, type Session, type TakeEvent, type Visitor } from './visitor.ts';
import { PLACES, SOURCES, type Device, type Source } from './world.ts';

/** Events of a size, about. */
const DEMO_EVENTS: Readonly<Record<DemoSize, number>> = {
  small: 10_000,
  medium: 100_000,
  large: 1_000_000,
};

/** IDs of objects that events name. */
export interface StoryIds {
  surveyId: string;
  questionId: string;
}

/** A product, and what its visitors do in a year. */
export interface Story {
  /** The name of its project. */
  readonly name: string;
  /** Where its pages are; empty: it has none. */
  readonly origin: string;
  /** What its library sends with each event of a device. */
  readonly library: (device: Device) => Readonly<Record<string, unknown>>;
  readonly devices: (random: Random) => Device;
  readonly traffic: Traffic;
  /** Visitors for 10,000 events. */
  readonly visitors: number;
  /** All that a visitor does; `source`: where the first visit comes from. */
  live(visitor: Visitor, first: Arrival & { source: Source }, ids: StoryIds): void;
  /** Dashboards, flags and others, with the IDs that they got so far. */
  readonly content: DemoContent;
}

export interface StoryEvents {
  story: Story;
  size: DemoSize;
  seed: number;
  /** Unix milliseconds. */
  now: number;
  ids: StoryIds;
  take: TakeEvent;
}

/**
 * Lets one visitor after another live, and yields the share of those who did. Each has a seed of its own, so that its
 * numbers depend on no other visitor.
 */
export function* liveThrough({ story, size, seed, now, ids, take }: StoryEvents): Generator<number> {
  const timeline = timelineTo(now);
  const count = visitorsOf(story, size);
  const arrivalOf = planArrivals(story.traffic, count, seed);
  for (let index = 0; index < count; index++) {
    const arrival = arrivalOf(index);
    if (arrival.day > timeline.today + 1) break;
    liveOne({ story, timeline, ids, take }, seedOf(seed, index), arrival);
    yield (index + 1) / count;
  }
}

export function visitorsOf({ visitors }: Story, size: DemoSize): number {
  return Math.round((visitors * DEMO_EVENTS[size]) / DEMO_EVENTS.small);
}

/** Lets one visitor live, from the arrival to the end of the timeline. */
export function liveOne(
  { story, timeline, ids, take }: Pick<StoryEvents, 'story' | 'ids' | 'take'> & { timeline: Timeline },
  seed: number,
  arrival: Arrival,
): void {
  const random = createRandom(seed);
  const device = story.devices(random);
  const place = random.weighted(PLACES);
  const library = story.library(device);
  const visitor = createVisitor({ random, timeline, place, device, origin: story.origin, library, take });
  const source = arrival.source ?? random.weighted(SOURCES);
  story.live(visitor, { ...arrival, source }, ids);
}

/** A moment of a day, by how much goes on in each hour where the visitor lives; the first hour is 0. */
export function momentOf(
  { random, place }: Pick<Visitor, 'random' | 'place'>,
  timeline: Timeline,
  day: number,
  hours: readonly number[],
): number {
  let left = random.next() * hours.reduce((sum, weight) => sum + weight, 0);
  let hour = 0;
  while (hour < hours.length - 1 && (left -= hours[hour]!) >= 0) hour++;
  return timeline.at(day, hour + random.next() - place.offset);
}

/** Two peaks and a dip at noon; few people work in the evening. */
export const WORKING_HOURS = [0, 0, 0, 0, 0, 1, 2, 5, 9, 13, 14, 12, 7, 9, 13, 13, 11, 8, 5, 3, 3, 2, 1, 0];
/** More and more until bedtime. */
export const LEISURE_HOURS = [1, 0, 0, 0, 0, 1, 3, 6, 6, 5, 5, 6, 8, 7, 6, 6, 7, 9, 11, 13, 15, 13, 8, 3];

/** Shows the survey about recommending; `score`: what the person would answer, from 0 to 10. */
export function answerSurvey(
  { random }: Visitor,
  session: Session,
  { surveyId, questionId }: StoryIds,
  { share, score }: { share: number; score: number },
): void {
  session.capture('survey shown', { $survey_id: surveyId });
  if (!random.chance(share)) return session.capture('survey dismissed', { $survey_id: surveyId });
  const answer = Math.max(0, Math.min(10, Math.round(score)));
  session.capture('survey sent', {
    $survey_id: surveyId,
    $survey_response: answer,
    [`$survey_response_${questionId}`]: answer,
  });
}

/** An exception as error tracking of posthog-js and the mobile libraries sends it. */
export function exceptionOf(
  type: string,
  value: string,
  { file, fn, line, handled = false }: { file: string; fn: string; line: number; handled?: boolean },
): Readonly<Record<string, unknown>> {
  const frame = {
    filename: file,
    function: fn,
    lineno: line,
    colno: 17,
    in_app: true,
    platform: 'web:javascript',
  };
  const list = [
    { type, value, mechanism: { handled, type: 'generic' }, stacktrace: { type: 'raw', frames: [frame] } },
  ];
  return {
    $exception_list: list,
    $exception_type: type,
    $exception_types: [type],
    $exception_values: [value],
    $exception_fingerprint: `${type}:${file}:${fn}`,
    $exception_level: 'error',
  };
}

/** A call of a language model, with the names of PostHog's AI observability. */
export function generationOf(
  random: Random,
  { span, prompt, answer }: { span: string; prompt: string; answer: string },
): Readonly<Record<string, unknown>> {
  const [model, price] = random.chance(0.75) ? ['small-3', 0.4] : ['large-3', 4];
  const input = Math.round(random.around(620, 1.7));
  const output = Math.round(random.around(180, 1.8));
  const isError = random.chance(0.015);
  return {
    $ai_trace_id: random.hex(16),
    $ai_span_name: span,
    $ai_provider: 'example-ai',
    $ai_model: model,
    $ai_input_tokens: input,
    $ai_output_tokens: isError ? 0 : output,
    $ai_latency: Math.round(1000 * random.around(model === 'small-3' ? 1.1 : 2.9, 1.5)) / 1000,
    $ai_total_cost_usd: Math.round(input * price + output * 4 * price) / 1_000_000,
    $ai_http_status: isError ? 529 : 200,
    $ai_is_error: isError,
    $ai_input: [{ role: 'user', content: prompt }],
    $ai_output_choices: isError ? [] : [{ role: 'assistant', content: answer }],
  };
}
