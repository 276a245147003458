import { fail } from '../../errors.ts';
import { type OutsideError, readOutsideUrl } from '../../outgoing/call-outside.ts';
import type { StoredQuery } from '../query/index.ts';
import { readRelativeDate, flagMoment } from '../../lib/relative-date.contract.ts';
import { timeZone } from '../../lib/time-zone.ts';
import type { Alert, AlertFields, AlertThreshold } from './alert-row.ts';
import { blockWholeDay } from './alert-schedule.ts';
import type { AlertConfig, CreateAlertBody, UpdateAlertBody } from './alerts.contract.ts';
import { alertKindOf, isTotal, seriesCount } from './evaluate-alert.ts';

/** What the fields of an alert depend on besides a body. */
export interface Writing {
  readonly now: number;
  readonly timezone: string;
  readonly newId: () => string;
  /** The query of the insight, without its wrapper. */
  readonly source: StoredQuery | null;
}

/** The fields of an alert after a body: what the body says, and the rest as it was. Throws the refusals of management contract 9.13. */
export function alertFieldsOf(
  old: Alert | null,
  body: CreateAlertBody | UpdateAlertBody,
  writing: Writing,
): AlertFields {
  const { now, timezone, source } = writing;
  const fields: AlertFields = {
    insightId: body.insight ?? old!.insightId,
    name: body.name ?? old?.name ?? '',
    subscribedUsers: body.subscribed_users ?? old?.subscribedUsers ?? [],
    threshold: thresholdOf(old, body.threshold, writing),
    condition: body.condition ?? old!.condition,
    config: configOf(old, body, source),
    blockedWindows:
      body.schedule_restriction === undefined
        ? (old?.blockedWindows ?? [])
        : (body.schedule_restriction?.blocked_windows ?? []),
    interval: body.calculation_interval ?? old?.interval ?? 'daily',
    enabled: body.enabled ?? old?.enabled ?? true,
    skipWeekend: body.skip_weekend === undefined ? (old?.skipWeekend ?? false) : (body.skip_weekend ?? false),
    snoozedUntil: snoozeOf(old, body.snoozed_until, now, timezone),
    // Who may not see the URL reads null; an empty text removes it too.
    webhookUrl: body.webhook_url === undefined ? (old?.webhookUrl ?? null) : body.webhook_url || null,
  };
  checkAlert(fields, source, body);
  return fields;
}

function thresholdOf(
  old: Alert | null,
  sent: CreateAlertBody['threshold'] | undefined,
  { now, newId }: Writing,
): AlertThreshold | null {
  if (sent === undefined) return old?.threshold ?? null;
  if (!('configuration' in sent)) return null;
  const { type, bounds } = sent.configuration;
  return {
    id: old?.threshold?.id ?? newId(),
    createdAt: old?.threshold?.createdAt ?? new Date(now).toISOString(),
    name: sent.name ?? '',
    type,
    bounds: { lower: bounds.lower ?? null, upper: bounds.upper ?? null },
  };
}

/** Without one, that of the insight's kind. */
function configOf(
  old: Alert | null,
  { config, insight }: CreateAlertBody | UpdateAlertBody,
  source: StoredQuery | null,
): AlertConfig {
  const isMoved = insight !== undefined && insight !== old?.insightId;
  const kept = config === undefined && !isMoved ? old?.config : config;
  if (kept) return kept;
  return source?.kind === 'HogQLQuery'
    ? { type: 'HogQLAlertConfig', evaluation: 'last_row' }
    : { type: 'TrendsAlertConfig', series_index: 0 };
}

/** Whether an alert sleeps at a moment; a snooze that is over is none. */
export function isSnoozed({ snoozedUntil }: Pick<AlertFields, 'snoozedUntil'>, now: number): boolean {
  return snoozedUntil !== null && Date.parse(snoozedUntil) > now;
}

function snoozeOf(
  old: Alert | null,
  sent: string | null | undefined,
  now: number,
  timezone: string,
): string | null {
  const before = old?.snoozedUntil ?? null;
  const kept = old !== null && isSnoozed(old, now) ? before : null;
  if (sent === undefined) return kept;
  if (sent === null) return null;
  // A client that sends back all it has read changes nothing.
  if (before !== null && Date.parse(sent) === Date.parse(before)) return kept;
  const date = readRelativeDate(sent, { minus: 'optional', letters: 'hdwmy', digits: 3 });
  if (date === null || sent.startsWith('-') || date.count === 0)
    throw fail('invalid_input', {
      attr: 'snoozed_until',
      detail: 'This must be a time from now, such as 2h or 1d, or null.',
    });
  const until = flagMoment({ ...date, count: -date.count }, now, timeZone(timezone));
  return new Date(until).toISOString();
}

/** Throws what is refused of an alert as a whole. */
function checkAlert(
  { threshold, condition, config, blockedWindows, webhookUrl }: AlertFields,
  source: StoredQuery | null,
  body: CreateAlertBody | UpdateAlertBody,
): void {
  const refuse = (attr: string, detail: string): Error => fail('invalid_input', { attr, detail });
  const kind = alertKindOf(source);
  if (source === null || kind === null)
    throw refuse('insight', 'Alerts are available for trends over time or as totals, and for SQL insights.');
  const isRelative = condition.type !== 'absolute_value';
  if (threshold !== null) {
    const { type, bounds } = threshold;
    const { lower = null, upper = null } = bounds;
    if (lower === null && upper === null)
      throw refuse('threshold', 'Enter a lower bound, an upper bound, or both.');
    if (lower !== null && upper !== null && lower > upper)
      throw refuse('threshold', 'The lower bound must not be greater than the upper bound.');
    if (type === 'percentage' && !isRelative)
      throw refuse(
        'threshold',
        'A percentage needs a condition that compares: relative_increase or relative_decrease.',
      );
  }
  if (kind === 'TrendsQuery') {
    if (config.type !== 'TrendsAlertConfig')
      throw refuse('config', 'An alert on a trend needs a config of the type TrendsAlertConfig.');
    if (isRelative && isTotal(source))
      throw refuse('condition', 'An insight that shows one total has nothing before it to be compared with.');
    const count = seriesCount(source);
    if (config.series_index >= count)
      throw refuse('config', `The insight has ${count} series; series_index counts from 0.`);
    const needsUpper = config.check_ongoing_interval === true && condition.type !== 'relative_decrease';
    if (needsUpper && threshold !== null && typeof threshold.bounds.upper !== 'number')
      throw refuse('config', 'An interval that is not over can only be checked against an upper bound.');
  } else {
    if (config.type !== 'HogQLAlertConfig')
      throw refuse('config', 'An alert on SQL needs a config of the type HogQLAlertConfig.');
    if (isRelative && config.evaluation === 'any_row')
      throw refuse('config', 'any_row has no row before it to be compared with. Use first_row or last_row.');
  }
  if (blockedWindows.some(({ start, end }) => start === end) || blockWholeDay(blockedWindows))
    throw refuse('schedule_restriction', 'Blocked windows must leave a part of the day for checks.');
  if (webhookUrl !== null && body.webhook_url) {
    try {
      readOutsideUrl(webhookUrl);
    } catch (error) {
      throw refuse('webhook_url', (error as OutsideError).message);
    }
  }
}
