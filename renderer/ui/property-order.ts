/** PostHog's own properties that say most about an event, in the order in which somebody looks for them. */
const TELLING = [
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

/** Names of an event's properties: its own first, as they were sent, then the telling ones of the SDK, then the rest by name. */
export function orderProperties(properties: Record<string, unknown>): string[] {
  const keys = Object.keys(properties);
  const isOwn = (key: string) => !key.startsWith('$') && key !== 'token' && key !== 'distinct_id';
  const telling = TELLING.filter((key) => key in properties);
  const rest = keys.filter((key) => !isOwn(key) && !TELLING.includes(key));
  return [...keys.filter(isOwn), ...telling, ...rest.toSorted()];
}
