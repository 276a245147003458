import { uuidOf } from '../event-line.ts';
import { RowProblem } from '../import-error.ts';
import type { ImportFormat } from '../import-format.ts';
import { readTime } from '../read-time.ts';
import { createPairs, createSessions } from './people.ts';
import { deviceType, filled, known, list, object, pageOf, referrerOf, text } from './values.ts';

/** Visits with their actions, as Matomo's Live.getLastVisitsDetails answers them: a row is many events. */
export const matomo: ImportFormat = {
  imported: 'located',
  recognizes: ({ rows }) => rows.some(({ value }) => 'idVisit' in value && 'actionDetails' in value),
  open(context) {
    const identify = createPairs(context, 'matomo');
    const sessionOf = createSessions('matomo');
    return ({ value }) => {
      const visitId = text(value['idVisit']);
      const [userId, visitorId] = [known(value['userId']), known(value['visitorId'])];
      const actions = list(value['actionDetails']).map(object);
      if (visitId === '') throw new RowProblem('There is no idVisit');
      const first = value['firstActionTimestamp'] ?? actions[0]?.['timestamp'];
      const startMs = readTime(first, context.time) / 1000;
      identify(userId, visitorId, startMs * 1000);
      const visit = ofVisit(value);
      let isFirst = true;
      for (const [place, action] of actions.entries()) {
        const mapped = ofAction(action);
        if (mapped === null) {
          context.leaveOut(`Action "${text(action['type'])}"`);
          continue;
        }
        const timestamp = readTime(action['timestamp'] ?? first, context.time);
        const referrer = isFirst ? referrerOf(known(value['referrerUrl'])) : {};
        isFirst = false;
        context.emit({
          event: mapped.event,
          distinctId: userId || visitorId,
          timestamp,
          uuid: uuidOf(`matomo|${text(value['idSite'])}|${visitId}|${place}`),
          properties: filled({
            ...visit,
            ...referrer,
            ...mapped.properties,
            $session_id: sessionOf(visitId, startMs, timestamp),
          }),
        });
      }
    };
  },
};

function ofVisit(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [width, height] = known(value['resolution']).split('x');
  const country = known(value['countryCode']);
  return {
    $browser: known(value['browserName']),
    $browser_version: known(value['browserVersion']),
    $os: known(value['operatingSystemName']),
    $os_version: known(value['operatingSystemVersion']),
    $device_type: deviceType(known(value['deviceType'])),
    $screen_width: Number(width) || undefined,
    $screen_height: Number(height) || undefined,
    $geoip_country_code: country === 'xx' ? undefined : country.toUpperCase(),
    $geoip_country_name: country === 'xx' ? undefined : known(value['country']),
    $geoip_subdivision_1_name: known(value['region']),
    $geoip_city_name: known(value['city']),
    $browser_language: known(value['languageCode']),
    $ip: known(value['visitIp']) || undefined,
    matomo_visit_id: text(value['idVisit']),
  };
}

/** Null for a goal, which repeats another action. */
function ofAction(
  action: Readonly<Record<string, unknown>>,
): { event: string; properties: Record<string, unknown> } | null {
  const page = pageOf(known(action['url']));
  switch (text(action['type'])) {
    case 'action':
      return {
        event: '$pageview',
        properties: { ...page, title: known(action['pageTitle']), time_spent: action['timeSpent'] },
      };
    case 'event':
      return {
        event: text(action['eventAction']) || text(action['eventCategory']),
        properties: {
          ...page,
          category: action['eventCategory'],
          action: action['eventAction'],
          name: action['eventName'],
          value: action['eventValue'],
        },
      };
    case 'outlink':
    case 'download':
      return {
        event: text(action['type']),
        properties: { $external_click_url: known(action['url']) },
      };
    case 'search':
      return {
        event: 'site_search',
        properties: {
          keyword: action['siteSearchKeyword'],
          category: action['siteSearchCategory'],
          results: action['siteSearchCount'],
        },
      };
    case 'ecommerceOrder':
      return {
        event: 'order_completed',
        properties: { revenue: action['revenue'], items: action['itemDetails'] },
      };
    case 'ecommerceAbandonedCart':
      return {
        event: 'cart_abandoned',
        properties: { revenue: action['revenue'], items: action['itemDetails'] },
      };
    default:
      return null;
  }
}
