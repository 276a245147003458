import type { PropertyChange, Properties } from './person-state.ts';
import { isSameJson } from './person-state.ts';

/** Change on every page: new values of them alone are no reason to write a person (A-2, as PostHog does). */
const FREQUENT: ReadonlySet<string> = new Set(
  (
    '$current_url $pathname $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width ' +
    '$browser $browser_version $device_type $raw_user_agent $os $os_name $os_version $geoip_postal_code ' +
    '$geoip_time_zone $geoip_latitude $geoip_longitude $geoip_accuracy_radius $geoip_subdivision_1_code ' +
    '$geoip_subdivision_1_name $geoip_subdivision_2_code $geoip_subdivision_2_name $geoip_subdivision_3_code ' +
    '$geoip_subdivision_3_name'
  ).split(' '),
);
const GEOIP_CONFIDENCE = /^\$geoip_.*_confidence$/;
/** Events by which an application says something about a person: what they say is always written. */
const ALWAYS_WRITTEN: ReadonlySet<string> = new Set([
  '$identify',
  '$set',
  '$create_alias',
  '$merge_dangerously',
]);

/** Whether an event of this name changes the person in more than new values of what changes on every page. */
export function isWorthWriting(
  event: string,
  current: Readonly<Properties>,
  change: PropertyChange,
): boolean {
  if (ALWAYS_WRITTEN.has(event)) return true;
  for (const name of change.unset ?? []) if (Object.hasOwn(current, name)) return true;
  const { set, setOnce } = change;
  if (setOnce !== null) {
    for (const name of Object.keys(setOnce)) {
      if (setOnce[name] !== null && (!Object.hasOwn(current, name) || current[name] === null)) return true;
    }
  }
  if (set === null) return false;
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(current, name)) return true;
    if (set[name] === current[name] || isFrequent(name)) continue;
    if (!isSameJson(current[name], set[name])) return true;
  }
  return false;
}

function isFrequent(name: string): boolean {
  return FREQUENT.has(name) || GEOIP_CONFIDENCE.test(name);
}
