import type { Expr } from '../../../../hogql/ast.ts';
import {
  and,
  arithmetic,
  call,
  compare,
  constant,
  field,
  isNotNull,
  tuple,
} from '../../../../hogql/build.ts';
import { cleaned, type WebPlan } from './plan.ts';
import type { StatsTableQuery } from './schema.ts';

/** By what sessions are grouped, and which values are left out. */
interface Breakdown {
  readonly value: Expr;
  /** Default: values that are not NULL. */
  readonly kept?: Expr;
}

const VALUE = field('value');
const NOT_SET_IS_SHOWN = constant(true);

function property(name: string): Expr {
  return field('properties', name);
}

function session(name: string): Expr {
  return field('session', name);
}

function withoutQuery(url: Expr): Expr {
  return call('cutQueryStringAndFragment', url);
}

/** The value of one of the columns of the session; of a campaign also that it has none. */
const OF_SESSION: Partial<Record<StatsTableQuery['breakdownBy'], Breakdown>> = {
  ExitClick: { value: session('$last_external_click_url') },
  InitialChannelType: {
    value: session('$channel_type'),
    kept: and(isNotNull(VALUE), compare('!=', VALUE, constant(''))),
  },
  InitialReferringDomain: { value: session('$entry_referring_domain'), kept: NOT_SET_IS_SHOWN },
  InitialReferringURL: { value: withoutQuery(property('$session_entry_referrer')) },
  InitialUTMSource: { value: session('$entry_utm_source'), kept: NOT_SET_IS_SHOWN },
  InitialUTMMedium: { value: session('$entry_utm_medium'), kept: NOT_SET_IS_SHOWN },
  InitialUTMCampaign: { value: session('$entry_utm_campaign'), kept: NOT_SET_IS_SHOWN },
  InitialUTMTerm: { value: session('$entry_utm_term'), kept: NOT_SET_IS_SHOWN },
  InitialUTMContent: { value: session('$entry_utm_content'), kept: NOT_SET_IS_SHOWN },
  InitialUTMSourceMediumCampaign: { value: campaign() },
};

const OF_EVENT: Partial<Record<StatsTableQuery['breakdownBy'], Breakdown>> = {
  ScreenName: { value: property('$screen_name') },
  Browser: { value: property('$browser'), kept: NOT_SET_IS_SHOWN },
  OS: { value: property('$os'), kept: NOT_SET_IS_SHOWN },
  DeviceType: { value: property('$device_type'), kept: NOT_SET_IS_SHOWN },
  Country: { value: property('$geoip_country_code'), kept: NOT_SET_IS_SHOWN },
  Region: {
    value: tuple(
      property('$geoip_country_code'),
      property('$geoip_subdivision_1_code'),
      property('$geoip_subdivision_1_name'),
    ),
    kept: isNotNull(property('$geoip_country_code')),
  },
  City: {
    value: tuple(property('$geoip_country_code'), property('$geoip_city_name')),
    kept: isNotNull(property('$geoip_country_code')),
  },
  Viewport: {
    value: tuple(wholeNumber('$viewport_width'), wholeNumber('$viewport_height')),
    kept: and(
      compare('>', wholeNumber('$viewport_width'), constant(0)),
      compare('>', wholeNumber('$viewport_height'), constant(0)),
    ),
  },
  // Browsers tell how many minutes UTC is ahead of them.
  Timezone: {
    value: arithmetic('/', call('negate', call('toFloat', property('$timezone_offset'))), constant(60)),
    kept: NOT_SET_IS_SHOWN,
  },
  Language: { value: property('$browser_language'), kept: NOT_SET_IS_SHOWN },
};

function wholeNumber(name: string): Expr {
  return call('toInt', property(name));
}

/** `source / medium / campaign`, where a source may be the domain that led to the session. */
function campaign(): Expr {
  const none = constant('(none)');
  const referrer = call('concat', constant('referrer:'), session('$entry_referring_domain'));
  const source = call(
    'multiIf',
    isNotNull(session('$entry_utm_source')),
    session('$entry_utm_source'),
    isNotNull(session('$entry_referring_domain')),
    referrer,
    none,
  );
  return call(
    'concat',
    source,
    constant(' / '),
    call('coalesce', session('$entry_utm_medium'), none),
    constant(' / '),
    call('coalesce', session('$entry_utm_campaign'), none),
  );
}

/** The page from which one came: on the same site its path, on another the whole address. */
function previousPage(plan: WebPlan): Expr {
  const before = property('$prev_pageview_pathname');
  const referrer = property('$referrer');
  const isOwn = compare('==', call('domain', property('$current_url')), call('domain', referrer));
  return call(
    'multiIf',
    isNotNull(before),
    cleaned(before, plan),
    isOwn,
    cleaned(call('path', referrer), plan),
    referrer,
  );
}

/** A path as it is shown: cleaned, and after its host where the query includes it. */
function page(path: Expr, host: Expr, plan: WebPlan<StatsTableQuery>): Expr {
  const shown = cleaned(path, plan);
  return plan.query.includeHost === true ? call('concat', call('ifNull', host, constant('')), shown) : shown;
}

/** The path on which the session began. */
export function entryPage(plan: WebPlan<StatsTableQuery>): Expr {
  return page(session('$entry_pathname'), session('$entry_hostname'), plan);
}

/** The page that was left before the event. */
export function leftPage(plan: WebPlan<StatsTableQuery>): Expr {
  return page(property('$prev_pageview_pathname'), property('$host'), plan);
}

export function breakdownOf(plan: WebPlan<StatsTableQuery>): Required<Breakdown> {
  const { value, kept = isNotNull(VALUE) } = found(plan);
  return { value, kept };
}

function found(plan: WebPlan<StatsTableQuery>): Breakdown {
  const { breakdownBy: name } = plan.query;
  switch (name) {
    case 'Page':
    case 'FrustrationMetrics':
      return { value: page(property('$pathname'), property('$host'), plan) };
    case 'InitialPage':
      return { value: entryPage(plan) };
    case 'ExitPage':
      return { value: page(session('$end_pathname'), session('$end_hostname'), plan) };
    case 'PreviousPage':
      return { value: previousPage(plan) };
    default:
      return OF_SESSION[name] ?? OF_EVENT[name]!;
  }
}
