import { isJsonObject } from '../../../lib/exact-number.contract.ts';
import { isUuid, uuidOf } from '../event-line.ts';
import { hasColumns, type ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createPairs, createSessions } from './people.ts';
import { deviceType, filled, known, list, object, pageOf, referrerOf, text } from './values.ts';

const NAMES: Readonly<Record<string, string>> = {
  '[Amplitude] Page Viewed': '$pageview',
  '[Amplitude] Screen Viewed': '$screen',
};

/** Events of Amplitude's export API: an archive of compressed files, or what is in it. */
export const amplitude: ImportFormat = {
  imported: 'located',
  recognizes: (sample) =>
    hasColumns(sample, 'event_type', 'event_time') &&
    (sample.columns.includes('amplitude_id') || sample.columns.includes('$insert_id')),
  open(context) {
    const identify = createPairs(context, 'amplitude');
    const sessionOf = createSessions('amplitude');
    return ({ value }) => {
      const type = text(value['event_type']);
      if (type === 'session_start' || type === 'session_end') return context.leaveOut('Mark of a session');
      const [userId, deviceId] = [known(value['user_id']), known(value['device_id'])];
      // It has no zone mark, and is UTC.
      const timestamp = readTime(value['event_time'], context.time);
      identify(userId, deviceId, timestamp);
      const distinctId = userId || deviceId || known(value['amplitude_id']);
      const uuid = text(value['uuid']);
      const insertId = known(value['$insert_id']);
      const start = Number(text(value['session_id']));
      const groups = groupsOf(object(value['groups']));
      const { set, setOnce } = updatesOf(object(value['user_properties']));
      context.emit({
        event: NAMES[type] ?? type,
        distinctId,
        timestamp,
        uuid: isUuid(uuid)
          ? uuid.toLowerCase()
          : insertId
            ? uuidOf(`amplitude|${deviceId}|${insertId}`)
            : null,
        properties: filled({
          ...ofDevice(value),
          ...ofPage(object(value['event_properties'])),
          $device_id: deviceId,
          $ip: known(value['ip_address']),
          $geoip_country_name: known(value['country']),
          $geoip_subdivision_1_name: known(value['region']),
          $geoip_city_name: known(value['city']),
          $app_version: known(value['version_name']),
          amplitude_session_id: start > 0 ? start : undefined,
          $session_id: start > 0 ? sessionOf(`${deviceId}|${start}`, start, timestamp) : undefined,
          $groups: groups,
          $set: set,
          $set_once: setOnce,
        }),
      });
    };
  },
};

/** On the web `os_name` is the browser and `device_type` the system; on phones they are the system and the model. */
function ofDevice(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const platform = text(value['platform']);
  const [name, version] = [known(value['os_name']), known(value['os_version'])];
  const isWeb = platform.toLowerCase() === 'web';
  if (isWeb)
    return {
      $lib: 'web',
      $browser: name,
      $browser_version: /^\d+(?:\.\d+)?$/.test(version) ? Number(version) : version,
      $os: known(value['device_type']),
    };
  return {
    $lib: platform.toLowerCase(),
    $os: name,
    $os_version: version,
    $device_type: name === '' ? '' : deviceType('mobile'),
    $device_model: known(value['device_type']) || known(value['device_model']),
    $device_manufacturer: known(value['device_brand']),
  };
}

function ofPage(own: Record<string, unknown>): Record<string, unknown> {
  const url = known(own['[Amplitude] Page URL']);
  const rest = Object.fromEntries(
    Object.entries(own).filter(([name]) => !name.startsWith('[Amplitude] Page ')),
  );
  if (url === '') return own;
  return {
    ...rest,
    ...pageOf(url),
    ...referrerOf(known(own['referrer'])),
    title: known(own['[Amplitude] Page Title']),
  };
}

/** Values of groups are lists. */
function groupsOf(groups: Record<string, unknown>): Record<string, unknown> {
  return filled(
    Object.fromEntries(Object.entries(groups).map(([type, keys]) => [type, text(list(keys)[0] ?? keys)])),
  );
}

/** The first values are set one time. */
function updatesOf(properties: Record<string, unknown>): {
  set: Record<string, unknown>;
  setOnce: Record<string, unknown>;
} {
  const set: Record<string, unknown> = {};
  const setOnce: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filled(properties))) {
    if (isJsonObject(value) && name.startsWith('$')) continue;
    if (name.startsWith('initial_')) setOnce[`$${name}`] = value;
    else set[name] = value;
  }
  return { set, setOnce };
}
