import type { Expr } from '../ast.ts';
import { and, call, compare, constant, field, isNotNull, isNull, not, or, tuple } from '../build.ts';

/** What a visit says of where it came from. Each may be NULL. */
export interface Origin {
  readonly source: Expr;
  readonly medium: Expr;
  readonly campaign: Expr;
  /** The site before, or `$direct`. */
  readonly referringDomain: Expr;
  readonly gclid: Expr;
  readonly fbclid: Expr;
  readonly gadSource: Expr;
}

/** PostHog's names of the channels, in its order. */
export const CHANNEL_TYPES = [
  'Cross Network',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Paid Shopping',
  'Paid Unknown',
  'Direct',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Organic Shopping',
  'AI',
  'Push',
  'SMS',
  'Audio',
  'Email',
  'Display',
  'Referral',
  'Affiliate',
  'Unknown',
] as const;

/** Campaigns of shops: `eshop` is one, and other words that end so (`workshop`) are not. */
const SHOPPING = '^(.*(([^a-df-z]|^)shop|shopping).*)$';
const VIDEO = '^(.*video.*)$';
const PAID_MEDIUMS = ['cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting'];
const DIRECT = '$direct';
const DIRECT_SOURCES = ['(direct)', 'direct', DIRECT];

/** NULL for what some pages send where they have nothing. */
function orNull(value: Expr): Expr {
  return call('nullIf', call('nullIf', value, constant('')), constant('null'));
}

function isOneOf(value: Expr, texts: readonly string[]): Expr {
  return compare('in', value, tuple(...texts.map((text) => constant(text))));
}

/** The channel of a visit, as PostHog derives it: campaigns before sites, what was paid for before the rest. */
export function channelType(origin: Origin): Expr {
  const [source, medium, campaign] = [origin.source, origin.medium, origin.campaign].map((value) =>
    call('lower', orNull(value)),
  ) as [Expr, Expr, Expr];
  const { referringDomain } = origin;
  const gadSource = orNull(origin.gadSource);
  const hasFbclid = isNotNull(orNull(origin.fbclid));
  const matches = (text: Expr, pattern: string): Expr => call('match', text, constant(pattern));
  const isDirect = compare('==', referringDomain, constant(DIRECT));
  const only = (condition: Expr, name: string): Expr => call('if', condition, constant(name), constant(null));
  const isPaid = or(
    isOneOf(medium, PAID_MEDIUMS),
    call('startsWith', medium, constant('paid')),
    isNotNull(orNull(origin.gclid)),
    isNotNull(gadSource),
  );
  const paid = call(
    'coalesce',
    call('hogql_lookupPaidSourceType', source),
    only(matches(campaign, SHOPPING), 'Paid Shopping'),
    call('hogql_lookupPaidMediumType', medium),
    call('hogql_lookupPaidSourceType', referringDomain),
    only(compare('==', gadSource, constant('1')), 'Paid Search'),
    only(matches(campaign, VIDEO), 'Paid Video'),
    only(hasFbclid, 'Paid Social'),
    constant('Paid Unknown'),
  );
  const organic = call(
    'coalesce',
    call('hogql_lookupOrganicSourceType', source),
    only(matches(campaign, SHOPPING), 'Organic Shopping'),
    call('hogql_lookupOrganicMediumType', medium),
    call('hogql_lookupOrganicSourceType', referringDomain),
    only(matches(campaign, VIDEO), 'Organic Video'),
    only(matches(medium, 'push$'), 'Push'),
    only(hasFbclid, 'Organic Social'),
    only(isDirect, 'Direct'),
    only(isNotNull(referringDomain), 'Referral'),
    constant('Unknown'),
  );
  const isTyped = and(
    isDirect,
    isNull(medium),
    or(isNull(source), isOneOf(source, DIRECT_SOURCES)),
    not(hasFbclid),
  );
  return call(
    'multiIf',
    matches(campaign, 'cross-network'),
    constant('Cross Network'),
    isPaid,
    paid,
    isTyped,
    constant('Direct'),
    organic,
  );
}

/** The kind of the site before; `$direct` for none, NULL for one that is not known. */
export function domainType(referringDomain: Expr): Expr {
  const isDirect = compare('==', referringDomain, constant(DIRECT));
  return call('if', isDirect, constant(DIRECT), call('hogql_lookupDomainType', referringDomain));
}

/** Where a person came from first. */
export function initialOrigin(): Origin {
  const initial = (name: string): Expr => field('properties', `$initial_${name}`);
  return {
    source: initial('utm_source'),
    medium: initial('utm_medium'),
    campaign: initial('utm_campaign'),
    referringDomain: initial('referring_domain'),
    gclid: initial('gclid'),
    fbclid: initial('fbclid'),
    gadSource: initial('gad_source'),
  };
}
