import type { PHASES } from './copies.contract.ts';

export type Phase = (typeof PHASES)[number];

export const DEFINITION_KINDS = [
  'cohorts',
  'actions',
  'insight_variables',
  'feature_flags',
  'dashboards',
  'insights',
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** What was left out, and why: a sentence. */
export interface NotCopied {
  what: string;
  count: number;
  reason: string;
}

/** A number that both sides have; null: it cannot be read. */
export interface CheckedCount {
  what: string;
  source: number | null;
  target: number | null;
}

/** Where a copy is; all that it needs to go on after its process has ended. */
export interface CopyState {
  phase: Phase;
  /** Unix microseconds, as text: events that were received later are not copied. */
  receivedUntil: string;
  /** Of the events, Unix microseconds as text; null: there are none. */
  first: string | null;
  last: string | null;
  /** Of what there is, counted when it began. */
  totals: { events: number; persons: number; groups: number; definitions: number };
  /** Of what is on the other side. */
  copied: { events: number; persons: number; groups: number; definitions: number };
  /** Events of the copy itself, which complete persons and groups. */
  completions: number;
  /** Of the file of events that come from a host. */
  downloaded: { events: number; bytes: number };
  /** The last event that has arrived. */
  event: { at: string; uuid: string } | null;
  /** The last person that has arrived, and the last group. */
  person: string;
  group: { index: number; key: string } | null;
  /** Whose ID events that complete groups have. */
  distinctId: string | null;
  /** IDs of definitions: of the source, then of the target. */
  ids: Record<DefinitionKind, Record<string, string>>;
  /** IDs of definitions that the target had before; null: not read yet. */
  before: Record<DefinitionKind, string[]> | null;
  notCopied: NotCopied[];
  checks: CheckedCount[];
}

export function newState(receivedUntil: string): CopyState {
  const none = { events: 0, persons: 0, groups: 0, definitions: 0 };
  return {
    phase: 'start',
    receivedUntil,
    first: null,
    last: null,
    totals: { ...none },
    copied: { ...none },
    completions: 0,
    downloaded: { events: 0, bytes: 0 },
    event: null,
    person: '',
    group: null,
    distinctId: null,
    ids: Object.fromEntries(DEFINITION_KINDS.map((kind) => [kind, {}])) as CopyState['ids'],
    before: null,
    notCopied: [],
    checks: [],
  };
}

const MAX_NOT_COPIED = 500;

/** Counts what was left out for one reason. */
export function leaveOut(state: CopyState, what: string, reason: string, count = 1): void {
  const known = state.notCopied.find((one) => one.what === what && one.reason === reason);
  if (known !== undefined) known.count += count;
  else if (state.notCopied.length < MAX_NOT_COPIED) state.notCopied.push({ what, count, reason });
}
