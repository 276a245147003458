import type { AlertJson as Alert, CreateAlertBody } from '../../../server/features/alerts/alerts.contract.ts';
import type { AlertSubject } from './alert-labels.ts';

/** The form of an alert: numbers are texts, so that an incomplete number differs from an empty field. */
export interface AlertDraft {
  name: string;
  series: string;
  condition: Alert['condition']['type'];
  unit: 'absolute' | 'percentage';
  lower: string;
  upper: string;
  isOngoing: boolean;
  evaluation: 'first_row' | 'last_row' | 'any_row';
  column: string;
  interval: Alert['calculation_interval'];
  skipsWeekend: boolean;
  quietFrom: string;
  quietTo: string;
  webhook: string;
}

export interface AlertProblems {
  lower: string;
  upper: string;
  quiet: string;
}

export function newAlertDraft(): AlertDraft {
  return {
    name: '',
    series: '0',
    condition: 'absolute_value',
    unit: 'absolute',
    lower: '',
    upper: '',
    isOngoing: false,
    evaluation: 'last_row',
    column: '',
    interval: 'daily',
    skipsWeekend: false,
    quietFrom: '',
    quietTo: '',
    webhook: '',
  };
}

export function alertDraftOf(alert: Alert): AlertDraft {
  const { threshold, config } = alert;
  const { type = 'absolute', bounds = {} } = threshold?.configuration ?? {};
  const textOf = (bound: number | null | undefined): string =>
    typeof bound === 'number'
      ? String(Number((type === 'percentage' ? bound * 100 : bound).toFixed(10)))
      : '';
  const [window] = alert.schedule_restriction?.blocked_windows ?? [];
  return {
    ...newAlertDraft(),
    name: alert.name,
    condition: alert.condition.type,
    unit: type,
    lower: textOf(bounds.lower),
    upper: textOf(bounds.upper),
    interval: alert.calculation_interval,
    skipsWeekend: alert.skip_weekend,
    quietFrom: window?.start ?? '',
    quietTo: window?.end ?? '',
    webhook: alert.webhook_url ?? '',
    ...(config.type === 'TrendsAlertConfig'
      ? { series: String(config.series_index), isOngoing: config.check_ongoing_interval === true }
      : { evaluation: config.evaluation, column: config.column ?? '' }),
  };
}

/** The choices of a draft among those that its insight offers: a missing one gives way to the first. */
export function offeredChoices(
  { series, condition, evaluation }: AlertDraft,
  subject: AlertSubject,
): Pick<AlertDraft, 'series' | 'condition' | 'evaluation'> {
  const hasBefore = subject.kind === 'sql' || subject.hasIntervals;
  const isSeries = subject.series.some(({ id }) => id === series);
  return {
    series: isSeries ? series : (subject.series[0]?.id ?? '0'),
    condition: hasBefore ? condition : 'absolute_value',
    // Of any row there is none to compare with.
    evaluation:
      hasBefore && condition !== 'absolute_value' && evaluation === 'any_row' ? 'last_row' : evaluation,
  };
}

/** What keeps a draft from being saved; empty texts where there is nothing. */
export function alertProblems(draft: AlertDraft): AlertProblems {
  const { lower, upper, quietFrom, quietTo } = draft;
  const problemOf = (text: string): string =>
    text.trim() !== '' && numberOf(text) === null ? 'Enter a number.' : '';
  const [low, high] = [numberOf(lower), numberOf(upper)];
  const isEmpty = lower.trim() === '' && upper.trim() === '';
  const isReversed = low !== null && high !== null && low > high;
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text.trim());
  const hasQuiet = quietFrom.trim() !== '' || quietTo.trim() !== '';
  return {
    lower: problemOf(lower),
    upper:
      problemOf(upper) ||
      (isEmpty
        ? 'Enter at least one number.'
        : isReversed
          ? 'This must not be less than the first number.'
          : ''),
    quiet:
      hasQuiet && !(isTime(quietFrom) && isTime(quietTo)) ? 'Enter two times such as 22:00 and 07:00.' : '',
  };
}

function numberOf(text: string): number | null {
  const written = text.trim().replaceAll(',', '');
  const number = Number(written);
  return written === '' || !Number.isFinite(number) ? null : number;
}

/** The draft as the server takes it. What the form does not show (further quiet windows, users) stays. */
export function alertBody(
  draft: AlertDraft,
  insight: number,
  subject: AlertSubject,
  stored: Alert | null,
): CreateAlertBody {
  const isRelative = draft.condition !== 'absolute_value';
  const type = isRelative ? draft.unit : 'absolute';
  const scale = type === 'percentage' ? 100 : 1;
  const boundOf = (text: string): number | null => {
    const number = numberOf(text);
    return number === null ? null : number / scale;
  };
  const windows = stored?.schedule_restriction?.blocked_windows ?? [];
  const quiet =
    draft.quietFrom.trim() === '' ? [] : [{ start: draft.quietFrom.trim(), end: draft.quietTo.trim() }];
  const blocked = [...quiet, ...windows.slice(1)];
  const config = stored?.config;
  return {
    insight,
    name: draft.name.trim(),
    subscribed_users: stored?.subscribed_users.map(({ id }) => id) ?? [],
    condition: { type: draft.condition },
    threshold: {
      name: stored?.threshold?.name ?? '',
      configuration: { type, bounds: { lower: boundOf(draft.lower), upper: boundOf(draft.upper) } },
    },
    config:
      subject.kind === 'sql'
        ? {
            type: 'HogQLAlertConfig',
            evaluation: draft.evaluation,
            column: draft.column.trim() || null,
            label_column: config?.type === 'HogQLAlertConfig' ? config.label_column : null,
          }
        : {
            type: 'TrendsAlertConfig',
            series_index: Number(draft.series),
            check_ongoing_interval:
              draft.isOngoing && subject.hasIntervals && draft.condition !== 'relative_decrease',
          },
    calculation_interval: draft.interval,
    enabled: stored?.enabled ?? true,
    skip_weekend: draft.skipsWeekend,
    schedule_restriction: blocked.length === 0 ? null : { blocked_windows: blocked },
    webhook_url: draft.webhook.trim() || null,
  };
}
