export {
  startBurrow,
  type Burrow,
  type CapturedEvent,
  type CapturedPerson,
  type EventMatch,
  type FlagValue,
  type PersonSeed,
  type StartOptions,
} from './burrow.ts';
export {
  matchers,
  type BurrowMatchers,
  type CaptureOptions,
  type MatcherContext,
  type MatcherResult,
  type OrderedEvent,
} from './matchers.ts';
