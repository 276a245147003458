import { uuidOf } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import type { ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createPairs } from './people.ts';
import { filled, known, object, pageOf, referrerOf, text } from './values.ts';

const NAMES: Readonly<Record<string, string>> = { $mp_web_page_view: '$pageview' };
/** Bookkeeping of Mixpanel, and what has another name here. */
const DROPPED = new Set(
  'time distinct_id $insert_id $device_id $user_id $distinct_id_before_identity mp_processing_time_ms $mp_api_timestamp_ms $mp_api_endpoint $geo_source $import mp_lib $city $region mp_country_code $current_url current_url_path current_domain current_page_title $referrer $lib_version $app_version_string $mp_session_id'.split(
    ' ',
  ),
);

/** Events of Mixpanel's raw export, as lines or as the table of them. */
export const mixpanel: ImportFormat = {
  imported: 'located',
  recognizes: ({ rows }) =>
    rows.some(({ value }) => {
      const properties = object(value['properties']);
      return 'event' in value && 'time' in properties && 'distinct_id' in properties;
    }),
  open(context) {
    const identify = createPairs(context, 'mixpanel');
    const { zone } = context.time;
    return ({ value }) => {
      const own = object(value['properties']);
      const name = text(value['event']);
      const distinctId = withoutPrefix(text(own['distinct_id']));
      // Projects from before 2023 wrote what their clocks showed as if it were UTC: the chosen zone says which clocks.
      const read = readTime(own['time'], context.time);
      const timestamp =
        zone.name === 'UTC' ? read : zone.momentOf(Math.floor(read / 1000)) * 1000 + (read % 1000);
      const deviceId = withoutPrefix(text(own['$device_id']));
      const userId = text(own['$user_id']);
      identify(userId, deviceId, timestamp);
      const insertId = text(own['$insert_id']);
      const url = known(own['$current_url']);
      const rest = Object.fromEntries(Object.entries(own).filter(([key]) => !DROPPED.has(key)));
      context.emit({
        event: NAMES[name] ?? name,
        distinctId: userId || distinctId || deviceId,
        timestamp,
        uuid: insertId ? uuidOf(`mixpanel|${name}|${distinctId}|${text(own['time'])}|${insertId}`) : null,
        properties: filled({
          ...rest,
          ...(url !== '' && { ...pageOf(url), ...referrerOf(known(own['$referrer'])) }),
          title: own['current_page_title'],
          $pathname: known(own['current_url_path']) || (url === '' ? undefined : pageOf(url)['$pathname']),
          $device_id: deviceId,
          $lib: own['mp_lib'],
          $lib_version: own['$lib_version'],
          $app_version: own['$app_version_string'],
          $geoip_city_name: own['$city'],
          $geoip_subdivision_1_name: own['$region'],
          $geoip_country_code: own['mp_country_code'],
        }),
      });
    };
  },
};

function withoutPrefix(id: string): string {
  return id.replace(/^\$device:/, '');
}

const PEOPLE: Readonly<Record<string, string>> = {
  $email: 'email',
  $first_name: 'first_name',
  $last_name: 'last_name',
  $name: 'name',
  $phone: 'phone',
  $created: 'created',
};

/** Profiles of Mixpanel, as its engage API answers them. */
export const mixpanelPeople: ImportFormat = {
  imported: 'located',
  recognizes: ({ rows }) => rows.some(({ value }) => '$distinct_id' in value && '$properties' in value),
  open:
    (context) =>
    ({ value }) => {
      const distinctId = withoutPrefix(text(value['$distinct_id']));
      const own = object(value['$properties']);
      const seen = own['$last_seen'] ?? own['$created'];
      if (known(seen) === '') throw new RowProblem('There is no time: neither $last_seen nor $created');
      const set = Object.fromEntries(
        Object.entries(own)
          .filter(([name]) => name !== '$last_seen')
          .map(([name, held]) => [PEOPLE[name] ?? name, held]),
      );
      context.emit({
        event: '$set',
        distinctId,
        timestamp: readTime(seen, context.time),
        uuid: uuidOf(`mixpanel people|${distinctId}|${text(seen)}`),
        properties: { $set: filled(set) },
      });
    },
};
