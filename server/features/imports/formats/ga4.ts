import { uuidOf } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import { hasColumns, type ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createPairs, createSessions } from './people.ts';
import { deviceType, filled, known, list, object, pageOf, referrerOf, text } from './values.ts';

const NAMES: Readonly<Record<string, string>> = { page_view: '$pageview', screen_view: '$screen' };
const MARKS = new Set(['session_start', 'first_visit', 'first_open', 'user_engagement']);
const PAGE = new Set(['page_location', 'page_title', 'page_referrer', 'ga_session_id', 'firebase_screen']);

/** Rows of the tables that Google Analytics exports to BigQuery, as JSON lines or Parquet. */
export const ga4: ImportFormat = {
  imported: 'located',
  recognizes: (sample) => hasColumns(sample, 'event_name', 'event_timestamp', 'event_params'),
  open(context) {
    const identify = createPairs(context, 'ga4');
    const sessionOf = createSessions('ga4');
    return ({ value }) => {
      const name = text(value['event_name']);
      if (MARKS.has(name)) return context.leaveOut(`Automatic event "${name}"`);
      const [userId, clientId] = [known(value['user_id']), known(value['user_pseudo_id'])];
      if (userId === '' && clientId === '')
        throw new RowProblem('There is neither a user_id nor a user_pseudo_id');
      const timestamp = readTime(value['event_timestamp'], context.time);
      identify(userId, clientId, timestamp);
      const params = paramsOf(value['event_params']);
      const sessionId = text(params['ga_session_id']);
      const own = Object.fromEntries(Object.entries(params).filter(([key]) => !PAGE.has(key)));
      const device = object(value['device']);
      const web = object(device['web_info']);
      const geo = object(value['geo']);
      const source = object(value['collected_traffic_source']);
      const url = known(params['page_location']);
      const id = [value['stream_id'], clientId, userId, sessionId, name, value['event_timestamp']].map(text);
      context.emit({
        event: NAMES[name] ?? name,
        distinctId: userId || clientId,
        timestamp,
        uuid: uuidOf(`ga4|${id.join('|')}|${JSON.stringify(Object.entries(params).toSorted())}`),
        properties: filled({
          ...own,
          ...(url !== '' && { ...pageOf(url), ...referrerOf(known(params['page_referrer'])) }),
          title: known(params['page_title']),
          $screen_name: known(params['firebase_screen']),
          $host: known(web['hostname']) || (url === '' ? undefined : pageOf(url)['$host']),
          $browser: known(web['browser']) || known(device['browser']),
          $browser_version: known(web['browser_version']),
          $os: known(device['operating_system']),
          $os_version: known(device['operating_system_version']),
          $device_type: deviceType(known(device['category'])),
          $geoip_country_name: known(geo['country']),
          $geoip_subdivision_1_name: known(geo['region']),
          $geoip_city_name: known(geo['city']),
          utm_source: known(source['manual_source']),
          utm_medium: known(source['manual_medium']),
          utm_campaign: known(source['manual_campaign_name']),
          gclid: known(source['gclid']),
          items: list(value['items']).length > 0 ? value['items'] : undefined,
          ...ecommerceOf(object(value['ecommerce'])),
          $set: paramsOf(value['user_properties']),
          ga_session_id: sessionId,
          $session_id:
            sessionId === ''
              ? undefined
              : sessionOf(`${clientId}|${sessionId}`, Number(sessionId) * 1000, timestamp),
        }),
      });
    };
  },
};

/** `[{key, value: {string_value, int_value, float_value, double_value}}]` as an object. */
function paramsOf(params: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const param of list(params).map(object)) {
    const held = object(param['value']);
    const name = text(param['key']);
    if (name === '' || name === '__proto__') continue;
    const number = held['int_value'] ?? held['float_value'] ?? held['double_value'];
    const value = held['string_value'] ?? (number === undefined || number === null ? null : numberOf(number));
    if (value !== null) found[name] = value;
  }
  return found;
}

/** BigQuery writes whole numbers as text. */
function numberOf(value: unknown): unknown {
  const number = Number(text(value));
  return Number.isSafeInteger(number) || typeof value === 'number' ? number : text(value);
}

function ecommerceOf(ecommerce: Record<string, unknown>): Record<string, unknown> {
  return {
    transaction_id: known(ecommerce['transaction_id']),
    purchase_revenue: ecommerce['purchase_revenue'],
  };
}
