import { BellRing, CircleX, Flag, Send, TrendingDown, TriangleAlert } from '@lucide/vue';
import type { Component } from 'vue';
import type { RouteLocationNamedRaw, RouteLocationRaw } from 'vue-router';
import type { AlertJson as Alert } from '../../../server/features/alerts/alerts.contract.ts';
import type { FeatureFlagJson as FeatureFlag } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import type { ForwardingJson as Forwarding } from '../../../server/features/forwarding/forwarding.contract.ts';
import type { IngestionReport } from '../../../server/features/ingestion/ingestion.contract.ts';
import type { FailedInsightJson as FailedInsight } from '../../../server/features/insights/insights.contract.ts';
import { alertName } from '../../components/alerts/alert-labels.ts';
import { reasonLabelOf } from '../../composables/reason-labels.ts';
import { insightLink } from '../../insights/insight-link.ts';
import { formatCount, formatCountOf } from '../../ui/format.ts';
import { insightName } from '../../ui/insight-name.ts';
import type { StoppedEvent } from './today.ts';

/** A problem that needs attention, with the one action for it. */
export interface Attention {
  id: string;
  tone: 'red' | 'warn';
  icon: Component;
  title: string;
  text: string;
  action: string;
  to: RouteLocationRaw;
}

export interface AttentionSources {
  projectId: number;
  report: Pick<IngestionReport, 'dropped' | 'refused' | 'dropped_by_reason'> | null;
  forwarding: Pick<Forwarding, 'state' | 'host' | 'problem' | 'waiting'> | null;
  /** Those that fire, and those that could not be checked. */
  alerts: readonly Alert[];
  failed: readonly FailedInsight[];
  stopped: readonly StoppedEvent[];
  staleFlags: readonly Pick<FeatureFlag, 'id' | 'key'>[];
  /** How many there are in all. */
  staleCount: number;
}

/** So many of a kind are named one by one. */
const MOST = 3;

/** The problems, the most severe first: lost events, forwarding, alerts, failed queries, events that stopped, unused flags. */
export function attentionOf(sources: AttentionSources): Attention[] {
  return [
    ...dropsOf(sources),
    ...forwardingOf(sources),
    ...alertsOf(sources),
    ...failuresOf(sources),
    ...stopsOf(sources),
    ...staleOf(sources),
  ];
}

function dropsOf({ projectId, report }: AttentionSources): Attention[] {
  if (report === null) return [];
  const to = { name: 'ingestion', params: { projectId } };
  const [worst] = report.dropped_by_reason.toSorted((a, b) => b.count - a.count);
  const drops: Attention[] =
    report.dropped === 0
      ? []
      : [
          {
            id: 'dropped',
            tone: 'red',
            icon: CircleX,
            title: `${formatCountOf(report.dropped, 'event')} dropped in the last hour`,
            text: worst ? reasonLabelOf(worst.reason).title : 'They were accepted but not stored',
            action: 'Show reasons',
            to,
          },
        ];
  if (report.refused === 0) return drops;
  return [
    ...drops,
    {
      id: 'refused',
      tone: 'red',
      icon: CircleX,
      title: `${formatCountOf(report.refused, 'request')} rejected in the last hour`,
      text: 'Their events are not stored',
      action: 'Show reasons',
      to,
    },
  ];
}

function forwardingOf({ projectId, forwarding }: AttentionSources): Attention[] {
  if (forwarding === null || (forwarding.state !== 'stopped' && forwarding.state !== 'retrying')) return [];
  const isStopped = forwarding.state === 'stopped';
  const waiting = `${formatCountOf(forwarding.waiting, 'event')} waiting`;
  return [
    {
      id: 'forwarding',
      tone: isStopped ? 'red' : 'warn',
      icon: Send,
      title: isStopped ? `Forwarding has stopped, ${waiting}` : `Forwarding fails, ${waiting}`,
      text: forwarding.problem ?? '',
      action: 'View',
      to: { name: 'forwarding-settings', params: { projectId } },
    },
  ];
}

function alertsOf({ projectId, alerts }: AttentionSources): Attention[] {
  const shown = alerts.slice(0, MOST).map((alert): Attention => {
    const isFiring = alert.state === 'Firing';
    const found = alert.checks[0]?.triggered_metadata;
    const link = insightLink(projectId, alert.insight.short_id, alert.insight.query);
    return {
      id: `alert-${alert.id}`,
      tone: isFiring ? 'red' : 'warn',
      icon: isFiring ? BellRing : TriangleAlert,
      title: `${isFiring ? 'Alert' : 'Alert could not be checked'}: ${alertName(alert)}`,
      text: found?.breaches[0] ?? found?.error ?? '',
      action: 'View',
      to: { ...(link as RouteLocationNamedRaw), query: { alert: alert.id } },
    };
  });
  const rest = alerts.length - shown.length;
  if (rest <= 0) return shown;
  return [
    ...shown,
    {
      id: 'alerts-rest',
      tone: 'red',
      icon: BellRing,
      title: `${formatCountOf(rest, 'more alert')} ${rest === 1 ? 'needs' : 'need'} attention`,
      text: 'They fire, or could not be checked',
      action: 'View',
      to: { name: 'alerts', params: { projectId } },
    },
  ];
}

function failuresOf({ projectId, failed }: AttentionSources): Attention[] {
  const shown = failed.slice(0, MOST).map((insight): Attention => ({
    id: `failed-${insight.id}`,
    tone: 'red',
    icon: TriangleAlert,
    title: `${insight.dashboards.length > 0 ? 'A tile failed' : 'An insight failed'}: ${insightName(insight)}`,
    text: insight.message,
    action: 'View',
    to: { name: 'insight', params: { projectId, insightId: insight.short_id } },
  }));
  const rest = failed.length - shown.length;
  if (rest <= 0) return shown;
  return [
    ...shown,
    {
      id: 'failed-rest',
      tone: 'red',
      icon: TriangleAlert,
      title: `${formatCountOf(rest, 'more insight')} failed`,
      text: 'Their last query failed',
      action: 'View',
      to: { name: 'insights', params: { projectId } },
    },
  ];
}

function stopsOf({ projectId, stopped }: AttentionSources): Attention[] {
  return stopped.map(({ event, now, before }) => ({
    id: `stopped-${event}`,
    tone: 'warn',
    icon: TrendingDown,
    title: `${event} has almost stopped`,
    text: `${now === 0 ? 'None' : formatCount(now)} today, ${formatCount(before)} by this time a week ago`,
    action: 'View trend',
    to: { name: 'insight', params: { projectId, insightId: 'new' }, query: { q: chartOf(event) } },
  }));
}

function chartOf(event: string): string {
  return JSON.stringify({
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event, name: event }],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  });
}

function staleOf({ projectId, staleFlags, staleCount }: AttentionSources): Attention[] {
  const [first] = staleFlags;
  if (!first) return [];
  if (staleCount === 1)
    return [
      {
        id: 'stale',
        tone: 'warn',
        icon: Flag,
        title: `${first.key} looks unused`,
        text: 'Not called for 30 days, or rolled out to everyone',
        action: 'View',
        to: { name: 'flag', params: { projectId, flagId: first.id } },
      },
    ];
  return [
    {
      id: 'stale',
      tone: 'warn',
      icon: Flag,
      title: `${formatCount(staleCount)} flags look unused`,
      text: staleFlags
        .slice(0, MOST)
        .map(({ key }) => key)
        .join(', '),
      action: 'View',
      to: { name: 'flags', params: { projectId }, query: { state: 'STALE' } },
    },
  ];
}
