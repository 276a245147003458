import type { IngestionWarningJson as IngestionWarning } from '../../server/features/ingestion-warnings/ingestion-warnings.contract.ts';
import { reasonLabelOf, type ReasonEffect, type ReasonLabels } from './reason-labels.ts';
import { senderOf } from './sender-labels.ts';

/** All warnings of one type, from whichever sender. */
export interface WarningGroup extends ReasonLabels {
  type: string;
  count: number;
  firstSeen: string;
  lastSeen: string;
  /** By sender and path, the latest first. */
  rows: readonly IngestionWarning[];
}

/** From what costs an event to what is only worth knowing. */
const EFFECTS: readonly ReasonEffect[] = ['dropped', 'refused', 'changed', 'noted'];

/** Warnings by type, the one seen last first. */
export function groupWarnings(warnings: readonly IngestionWarning[]): WarningGroup[] {
  const types = [...new Set(warnings.map(({ type }) => type))];
  return types
    .map((type) => groupOf(type, warnings))
    .toSorted((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
}

function groupOf(type: string, all: readonly IngestionWarning[]): WarningGroup {
  const rows = all
    .filter((row) => row.type === type)
    .toSorted((a, b) => Date.parse(b.last_seen) - Date.parse(a.last_seen));
  return {
    type,
    ...reasonLabelOf(type),
    count: rows.reduce((sum, { count }) => sum + count, 0),
    firstSeen: rows.map((row) => row.first_seen).reduce(earlier),
    lastSeen: rows[0]!.last_seen,
    rows,
  };
}

function earlier(one: string, other: string): string {
  return Date.parse(one) <= Date.parse(other) ? one : other;
}

/** The effects that occur, each with the number of its types. */
export function countEffects(
  groups: readonly WarningGroup[],
): readonly { effect: ReasonEffect; count: number }[] {
  return EFFECTS.map((effect) => ({
    effect,
    count: groups.filter((group) => group.effect === effect).length,
  })).filter(({ count }) => count > 0);
}

/** Who sent it, in a few words: `posthog-node 5.70.0`, `posthog-node 5.70.0 and 2 more`. */
export function sendersOf({ rows }: WarningGroup): string {
  const senders = [...new Set(rows.map(senderOf))];
  return senders.length === 1 ? senders[0]! : `${senders[0]} and ${senders.length - 1} more`;
}
