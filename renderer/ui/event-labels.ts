import {
  CircleDashed,
  CircleDot,
  Eye,
  Flag,
  Gauge,
  LogOut,
  MessageSquare,
  MousePointerClick,
  Smartphone,
  Sparkles,
  TriangleAlert,
  UserPen,
  Users,
} from '@lucide/vue';
import type { Component } from 'vue';

/** An event as far as words about it need it. */
export interface NamedEvent {
  event: string;
  properties: Record<string, unknown>;
}

const ICONS: Record<string, Component> = {
  $pageview: Eye,
  $pageleave: LogOut,
  $autocapture: MousePointerClick,
  $rageclick: MousePointerClick,
  $dead_click: MousePointerClick,
  $screen: Smartphone,
  $identify: UserPen,
  $set: UserPen,
  $create_alias: UserPen,
  $groupidentify: Users,
  $feature_flag_called: Flag,
  $exception: TriangleAlert,
  $web_vitals: Gauge,
};

/** The icon of an event type: PostHog's own events by name, custom events with a dot. */
export function iconOf(event: string): Component {
  if (event.startsWith('$ai_')) return Sparkles;
  if (event.startsWith('survey ')) return MessageSquare;
  return ICONS[event] ?? (event.startsWith('$') ? CircleDashed : CircleDot);
}

/** Where it happened or what it was about, in a few words: the path, the screen, or the most telling property. */
export function whereOrWhat({ event, properties }: NamedEvent): string {
  if (event === '$feature_flag_called' && properties['$feature_flag'] !== undefined) {
    return `${textOf(properties['$feature_flag'])} = ${textOf(properties['$feature_flag_response'])}`;
  }
  if (event === '$exception') return firstText(properties, ['$exception_message', '$exception_type']) ?? '';
  if (event === '$groupidentify')
    return [properties['$group_type'], properties['$group_key']].map(textOf).join(' ').trim();
  const own = Object.keys(properties).filter((key) => !key.startsWith('$') && !TECHNICAL.has(key));
  const place = pathOf(properties) ?? firstText(properties, ['$screen_name']);
  return place ?? ownLabel(properties, own);
}

/** Set by SDKs without a dollar sign. */
const TECHNICAL = new Set(['token', 'distinct_id', 'title']);

function pathOf(properties: Record<string, unknown>): string | null {
  const url = properties['$current_url'];
  if (typeof url === 'string' && URL.canParse(url)) {
    const { pathname, hash } = new URL(url);
    return hash.startsWith('#/') ? hash.slice(1) : pathname;
  }
  return firstText(properties, ['$pathname']) ?? (typeof url === 'string' && url !== '' ? url : null);
}

function firstText(properties: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = properties[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Up to two properties of the event's own, which say most about an event without a place. */
function ownLabel(properties: Record<string, unknown>, keys: readonly string[]): string {
  const plain = keys.filter((key) => ['string', 'number', 'boolean'].includes(typeof properties[key]));
  return plain
    .slice(0, 2)
    .map((key) => `${key} ${textOf(properties[key])}`)
    .join(', ');
}

/** The short name of the SDK: `web`, `node`, `python`; the full name of a custom one. */
export function fromOf(lib: string): string {
  return lib.replace(/^(?:posthog|burrow)-/, '').replace(/^js$/, 'web');
}

/** Two letters for a readable distinct id; `null` for a number or a random id. */
export function initialsOf(distinctId: string): string | null {
  const [name = '', domain = ''] = distinctId.split('@');
  const words = [...name.split(/[._\s+-]+/), ...(domain ? [domain] : [])].filter((word) =>
    /^\p{L}/u.test(word),
  );
  const isName = domain !== '' || (words.length >= 2 && words.every((word) => /^\p{L}+$/u.test(word)));
  if (!isName || words.length === 0) return null;
  return words
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');
}

/** A value of a property in one line. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** PostHog's own properties that say most about an event, in the order of their use. */
const MAIN_PROPERTIES = [
  '$current_url',
  '$pathname',
  '$screen_name',
  '$event_type',
  '$browser',
  '$os',
  '$device_type',
  '$referring_domain',
  '$geoip_country_name',
  '$session_id',
  '$lib',
  '$lib_version',
];

/** Names of an event's properties: its own first, as they were sent, then the main ones of the SDK, then the rest by name. */
export function orderProperties(properties: Record<string, unknown>): string[] {
  const keys = Object.keys(properties);
  const isOwn = (key: string) => !key.startsWith('$') && key !== 'token' && key !== 'distinct_id';
  const main = MAIN_PROPERTIES.filter((key) => key in properties);
  const rest = keys.filter((key) => !isOwn(key) && !MAIN_PROPERTIES.includes(key));
  return [...keys.filter(isOwn), ...main, ...rest.toSorted()];
}
