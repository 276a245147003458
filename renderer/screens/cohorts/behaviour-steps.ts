import { iconOf } from '../../ui/event-labels.ts';
import type { PickerOption } from '../../ui/step-picker.ts';
import { countsOf, countLabel, timesOf, timeLabel, type Behaviour } from './behaviour.ts';

/** A behaviour on its way: what is chosen so far. */
export type BehaviourDraft = Partial<Behaviour>;

export interface BehaviourOption extends PickerOption {
  /** What choosing it adds to the draft. */
  adds: BehaviourDraft;
}

const COUNTS: readonly Behaviour['count'][] = [
  { operator: 'gte', times: 1 },
  { operator: 'gte', times: 3 },
  { operator: 'gte', times: 10 },
  null,
];
const DAYS = [7, 14, 30, 90];

/** The step that a draft is at: its first open part. */
export function stepOf({ event, count }: BehaviourDraft): 'event' | 'count' | 'time' {
  if (event === undefined) return 'event';
  return count === undefined ? 'count' : 'time';
}

/** The words of the steps behind. */
export function chosenLabel({ event, count }: BehaviourDraft): string[] {
  if (event === undefined) return [];
  return count === undefined ? [event] : [event, countLabel(count)];
}

/** The draft one step back. */
export function previousDraft({ event, count }: BehaviourDraft): BehaviourDraft {
  return count === undefined || event === undefined ? {} : { event };
}

/** Adds an option to a draft: the next draft, or the behaviour when nothing is open any more. */
export function takeOption(
  draft: BehaviourDraft,
  { adds }: Pick<BehaviourOption, 'adds'>,
): { draft: BehaviourDraft } | { done: Behaviour } {
  const next = { ...draft, ...adds };
  const { event, count, time } = next;
  const isDone = event !== undefined && count !== undefined && time !== undefined;
  return isDone ? { done: { event, count, time } } : { draft: next };
}

/** What the current step offers for what was typed; an event that is not known can be typed. */
export function optionsOf(
  draft: BehaviourDraft,
  query: string,
  events: readonly string[],
): BehaviourOption[] {
  const typed = query.trim();
  const step = stepOf(draft);
  if (step === 'event') return eventOptions(typed, events);
  return step === 'count' ? countOptions(typed) : timeOptions(typed);
}

function eventOptions(typed: string, events: readonly string[]): BehaviourOption[] {
  const found = events
    .filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
    .map((name) => ({ id: `event ${name}`, label: name, icon: iconOf(name), adds: { event: name } }));
  if (typed === '' || events.includes(typed)) return found;
  return [...found, { id: 'typed', label: typed, hint: 'use this name', adds: { event: typed } }];
}

function countOptions(typed: string): BehaviourOption[] {
  const counts = typed === '' ? COUNTS : countsOf(typed);
  return counts.map((count) => ({ id: countLabel(count), label: countLabel(count), adds: { count } }));
}

function timeOptions(typed: string): BehaviourOption[] {
  const times = typed === '' ? DAYS.map((value) => ({ value, interval: 'day' as const })) : timesOf(typed);
  return times.map((time) => ({ id: timeLabel(time), label: timeLabel(time), adds: { time } }));
}
