import type { FileSample, ImportFormat } from '../import-format.ts';
import type { FormatName } from '../imports.contract.ts';
import { accessLog } from './access-log.ts';
import { amplitude } from './amplitude.ts';
import { custom } from './custom.ts';
import { ga4 } from './ga4.ts';
import { matomo } from './matomo.ts';
import { mixpanel, mixpanelPeople } from './mixpanel.ts';
import { posthog, posthogPersons } from './posthog.ts';
import { segment } from './segment.ts';
import { umami } from './umami.ts';

/** Every format; the first that recognizes a file is the guess. */
export const FORMATS: Readonly<Record<FormatName, ImportFormat>> = {
  posthog,
  posthog_persons: posthogPersons,
  segment,
  amplitude,
  mixpanel,
  mixpanel_people: mixpanelPeople,
  umami,
  matomo,
  ga4,
  access_log: accessLog,
  custom,
};

export function recognized(sample: FileSample): FormatName {
  const found = (Object.keys(FORMATS) as FormatName[]).find((name) => FORMATS[name].recognizes(sample));
  return found ?? 'custom';
}

const SUMS =
  'They are sums, without the visits that they were counted from: events cannot be made from them, and none are invented.';

/** Why a file holds no events, when it is an export of numbers; null for all others. */
export function sumsIn({ fileName, columns, kind }: FileSample): string | null {
  const has = (...names: string[]): boolean => names.every((name) => columns.includes(name));
  if (
    /imported_\w+_\d{8}_\d{8}\.csv$/.test(fileName) ||
    (has('date', 'visitors', 'pageviews') && has('bounces'))
  )
    return `These are the statistics that Plausible exports. ${SUMS}`;
  if (has('hour', 'path_id', 'count')) return `These are the statistics that GoatCounter exports. ${SUMS}`;
  if (
    kind === 'csv' &&
    columns.length === 2 &&
    /^(?:x|url|referrer|browser|os|device|country)$/i.test(columns[0]!) &&
    /^(?:y|views|visitors|count)$/i.test(columns[1]!)
  )
    return `These are the statistics that Umami exports. ${SUMS}`;
  if (
    kind === 'csv' &&
    has('series') &&
    columns.slice(1).every((name) => /^\d{1,2}-\w{3}-\d{4}|^\d{4}-\d\d-\d\d/.test(name))
  )
    return `This is the table of an insight. ${SUMS}`;
  return null;
}
