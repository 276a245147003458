/**
 * Reserved properties that have a typed column of their own in `events`, named like the property. A column holds
 * exactly what `json_extract_string` reads from the JSON text (the text of any scalar, JSON of objects and lists, NULL
 * for null and absent), so that both read the same whatever type a client sent.
 */
export const PROMOTED_PROPERTIES = [
  '$current_url',
  '$pathname',
  '$host',
  '$referrer',
  '$referring_domain',
  '$browser',
  '$os',
  '$device_type',
  '$lib',
  '$lib_version',
  '$session_id',
  '$window_id',
  '$screen_name',
  '$geoip_country_code',
  '$geoip_city_name',
  '$group_0',
  '$group_1',
  '$group_2',
  '$group_3',
  '$group_4',
] as const;

/** The JSON path of a top-level property: names begin with `$`, which a bare path would take for its root. */
export function propertyPath(name: string): string {
  return `$."${name.replaceAll('"', '\\"')}"`;
}

/**
 * The JSON pointer (RFC 6901) of a top-level property, for a name that comes from outside: unlike a JSON path it takes
 * every name, also `*` and the empty one. Meant as a bound value, not as part of a statement's text.
 */
export function propertyPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
