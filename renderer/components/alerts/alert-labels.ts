import { BellOff, BellRing, Check, CirclePause, TriangleAlert } from '@lucide/vue';
import type { Component } from 'vue';
import type { AlertJson as Alert } from '../../../server/features/alerts/alerts.contract.ts';
import {
  canHaveAlerts,
  formulasOf,
  isTotalDisplay,
} from '../../../server/features/query/kinds/trends/trends-filter.contract.ts';
import { sourceOf } from '../../insights/insight-query.ts';
import { nameOfNode, type SeriesNode } from '../../insights/insight-query.ts';
import { insightName } from '../../ui/insight-name.ts';

export const INTERVALS = [
  { id: 'real_time', label: 'every minute' },
  { id: 'every_15_minutes', label: 'every 15 minutes' },
  { id: 'hourly', label: 'every hour' },
  { id: 'daily', label: 'every day' },
  { id: 'weekly', label: 'every week' },
  { id: 'monthly', label: 'every month' },
] as const;

type Stated = Pick<Alert, 'state' | 'enabled'>;

interface StateLabel {
  label: string;
  tone: 'red' | 'green' | 'warn' | 'neutral';
  icon: Component;
}

const STATES: Readonly<Record<Alert['state'], StateLabel>> = {
  Firing: { label: 'Firing', tone: 'red', icon: BellRing },
  'Not firing': { label: 'OK', tone: 'green', icon: Check },
  Errored: { label: 'Failed', tone: 'warn', icon: TriangleAlert },
  Snoozed: { label: 'Snoozed', tone: 'neutral', icon: BellOff },
};

/** How the state of a check or an alert is shown. */
export function stateLabel(state: Alert['state']): StateLabel {
  return STATES[state];
}

export function alertStateLabel({ state, enabled }: Stated): StateLabel {
  return enabled ? STATES[state] : { label: 'Off', tone: 'neutral', icon: CirclePause };
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** What says whether the values of an alert are shares. */
export type Measured = Pick<Alert, 'condition'> & {
  threshold: { configuration?: Pick<NonNullable<Alert['threshold']>['configuration'], 'type'> } | null;
};

/** A value of an alert: `1,204`, `25%`, `(none)`. */
export function alertValue(value: number | null, { condition, threshold }: Measured): string {
  if (value === null) return '(none)';
  const isShare = threshold?.configuration?.type === 'percentage' && condition.type !== 'absolute_value';
  return isShare ? `${NUMBER.format(value * 100)}%` : NUMBER.format(value);
}

const CHANGES = {
  absolute_value: 'Value',
  relative_increase: 'Increase of',
  relative_decrease: 'Decrease of',
} as const;

/** The condition as a sentence: `Increase of more than 20%, every day`. */
export function alertSentence(
  alert: Pick<Alert, 'condition' | 'threshold' | 'calculation_interval'>,
): string {
  const { lower, upper } = alert.threshold?.configuration.bounds ?? {};
  const bounds = [
    typeof lower === 'number' ? `less than ${alertValue(lower, alert)}` : null,
    typeof upper === 'number' ? `more than ${alertValue(upper, alert)}` : null,
  ].filter((bound) => bound !== null);
  const when = INTERVALS.find(({ id }) => id === alert.calculation_interval)!.label;
  if (bounds.length === 0) return `No threshold, checked ${when}`;
  return `${CHANGES[alert.condition.type]} ${bounds.join(' or ')}, checked ${when}`;
}

/** What an alert is called: its name, else that of its insight. */
export function alertName({ name, insight }: Pick<Alert, 'name' | 'insight'>): string {
  return name || insightName(insight);
}

/** What the form of an alert depends on of a query; null: it can have no alerts. */
export interface AlertSubject {
  kind: 'trend' | 'sql';
  /** Whether there is an interval before it to compare with. */
  hasIntervals: boolean;
  /** Names of the series or formulas; one of a trend with a breakdown, as every value counts. */
  series: { id: string; label: string }[];
  /** `day` */
  interval: string;
}

export function alertSubject(query: unknown): AlertSubject | null {
  const source = sourceOf(query);
  if (source?.kind === 'HogQLQuery') return { kind: 'sql', hasIntervals: false, series: [], interval: '' };
  if (source?.kind !== 'TrendsQuery') return null;
  const filter = (source['trendsFilter'] ?? {}) as { display?: unknown } & Parameters<typeof formulasOf>[0];
  if (!canHaveAlerts(filter.display)) return null;
  const { breakdown, breakdowns } = (source['breakdownFilter'] ?? {}) as {
    breakdown?: unknown;
    breakdowns?: unknown[] | null;
  };
  const nodes = (source['series'] ?? []) as SeriesNode[];
  const formulas = formulasOf(filter).map(({ text, name }) => name ?? text);
  const labels = formulas.length > 0 ? formulas : nodes.map((node) => nameOfNode(node));
  const isBroken = Boolean(breakdown) || (breakdowns?.length ?? 0) > 0;
  return {
    kind: 'trend',
    hasIntervals: !isTotalDisplay(filter.display),
    series: isBroken
      ? [{ id: '0', label: 'any breakdown value' }]
      : labels.map((label, at) => ({ id: String(at), label })),
    interval: typeof source['interval'] === 'string' ? source['interval'] : 'day',
  };
}
