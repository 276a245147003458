import { isUuid } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import { hasColumns, type ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createPairs, createSessions } from './people.ts';
import { deviceType, filled, known, pageOf, referrerOf, text } from './values.ts';

const CAMPAIGN =
  'utm_source utm_medium utm_campaign utm_content utm_term gclid fbclid msclkid ttclid li_fat_id twclid'.split(
    ' ',
  );
const TYPES: Readonly<Record<string, string>> = { 1: '$pageview', 3: 'link', 4: 'pixel', 5: '$web_vitals' };

/** The table of events of Umami: of its cloud export, or of the database. Times have no mark, and are UTC. */
export const umami: ImportFormat = {
  imported: 'located',
  recognizes: (sample) =>
    hasColumns(sample, 'event_id', 'website_id', 'session_id', 'url_path', 'created_at'),
  open(context) {
    const identify = createPairs(context, 'umami');
    const sessionOf = createSessions('umami');
    return ({ value }) => {
      const type = text(value['event_type']) || '1';
      const visitorId = known(value['session_id']);
      const userId = known(value['distinct_id']);
      const timestamp = readTime(value['created_at'], context.time);
      identify(userId, visitorId, timestamp);
      const eventId = text(value['event_id']);
      if (!isUuid(eventId)) throw new RowProblem('The event_id is not a UUID');
      const visitId = known(value['visit_id']);
      const query = known(value['url_query']).replace(/^\?/, '');
      const path = text(value['url_path']) || '/';
      const host = known(value['hostname']);
      const url = host === '' ? '' : `https://${host}${path}${query === '' ? '' : `?${query}`}`;
      const domain = known(value['referrer_domain']);
      const referrer = domain === '' ? '' : `https://${domain}${known(value['referrer_path'])}`;
      const [width, height] = known(value['screen']).split('x');
      const named = known(value['event_name']);
      context.emit({
        event: type === '2' || (named !== '' && type === '1') ? named : (TYPES[type] ?? named),
        distinctId: userId || visitorId,
        timestamp,
        uuid: eventId.toLowerCase(),
        properties: filled({
          ...(url === '' ? { $pathname: path } : pageOf(url)),
          ...referrerOf(referrer),
          ...Object.fromEntries(
            CAMPAIGN.flatMap((name) => (known(value[name]) ? [[name, value[name]]] : [])),
          ),
          title: known(value['page_title']),
          tag: known(value['tag']),
          $browser: known(value['browser']),
          $os: known(value['os']),
          $device_type: deviceType(known(value['device'])),
          $screen_width: Number(width) || undefined,
          $screen_height: Number(height) || undefined,
          $browser_language: known(value['language']),
          $geoip_country_code: known(value['country']),
          $geoip_subdivision_1_code: known(value['region']).replace(/^[A-Z]{2}-/, ''),
          $geoip_city_name: known(value['city']),
          umami_visit_id: visitId,
          $session_id: visitId === '' ? undefined : sessionOf(visitId, null, timestamp),
        }),
      });
    };
  },
};
