import { flagHash } from '../../conditions/index.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { Device, Place, Source } from './world.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Takes an event as the JSON text of an item of a batch. */
export type TakeEvent = (json: string) => void;

/** What a visitor sends; each event is written as JSON immediately, because a million objects would take too much memory. */
export interface Visitor {
  readonly random: Random;
  readonly timeline: Timeline;
  readonly place: Place;
  readonly device: Device;
  readonly distinctId: string;
  readonly isIdentified: boolean;
  /** Begins a session at this moment; `source`: where it comes from. */
  begin(time: number, source?: Source | null): Session;
  /** From now on every event has these. */
  carry(properties: Properties): void;
  /** The variant that Burrow gives the visitor for a flag whose variants `control` and `test` have half each. */
  variantOf(flag: string): 'control' | 'test';
}

export interface Session {
  readonly id: string;
  /** Unix milliseconds of the next event. */
  now: number;
  wait(seconds: number): void;
  capture(event: string, properties?: Properties): void;
  /** Shows a page; events after it are on this page. */
  page(path: string, title: string): void;
  /** Shows a screen of a mobile app. */
  screen(name: string): void;
  /** The visitor is known from now on. */
  identify(distinctId: string, set: Properties, once?: Properties): void;
  /** Changes properties of the person. */
  set(event: string, properties: Properties, set: Properties): void;
}

export interface VisitorParts {
  random: Random;
  timeline: Timeline;
  place: Place;
  device: Device;
  /** Where pages are; empty: an app without pages. */
  origin: string;
  /** Libraries send these with each event. */
  library: Properties;
  take: TakeEvent;
}

/** The members of an object as JSON, without its braces, each behind a comma. */
function membersOf(properties: Properties): string {
  const json = JSON.stringify(properties);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

export function createVisitor(parts: VisitorParts): Visitor {
  const { random, timeline, place, device, origin, take } = parts;
  const [width, height] = random.pick(device.screens);
  const host = origin === '' ? '' : new URL(origin).host;
  const anonymousId = random.uuidAt(timeline.at(0) + random.next() * 86_400_000);
  let distinctId = anonymousId;
  let isIdentified = false;
  let carried = '';
  const carriedProperties: Record<string, unknown> = {};
  const always = membersOf({
    ...parts.library,
    $os: device.$os,
    $device_type: device.$device_type,
    $screen_width: width,
    $screen_height: height,
    ...(origin === '' ? {} : { $browser: device.$browser, $browser_version: random.between(118, 131) }),
    $device_id: anonymousId,
    $geoip_country_code: place.code,
    $geoip_country_name: place.country,
    $geoip_continent_code: place.continent[0],
    $geoip_continent_name: place.continent[1],
    $geoip_city_name: random.pick(place.cities),
  });

  function send(event: string, time: number, members: string): void {
    if (time >= timeline.end) return;
    // Visitors without a name get no profile, as posthog-js does it by default.
    const profile = isIdentified ? '' : ',"$process_person_profile":false';
    const others = `${always}${profile}${carried}${members}`;
    take(
      `{"event":${JSON.stringify(event)},"distinct_id":"${distinctId}","timestamp":"${new Date(time).toISOString()}",` +
        `"properties":{${others.slice(1)}}}`,
    );
  }

  return {
    random,
    timeline,
    place,
    device,
    get distinctId() {
      return distinctId;
    },
    get isIdentified() {
      return isIdentified;
    },
    carry(properties) {
      carried = membersOf(Object.assign(carriedProperties, properties));
    },
    variantOf: (flag) => (flagHash(`${flag}.`, distinctId, 'variant') < 0.5 ? 'control' : 'test'),
    begin(time, source = null) {
      const id = random.uuidAt(time);
      const from =
        source === null
          ? membersOf({ $session_id: id })
          : membersOf({ $session_id: id, ...membersOfSource(source) });
      let where = '';
      const session: Session = {
        id,
        now: time,
        wait(seconds) {
          session.now += Math.round(1000 * seconds);
        },
        capture(event, properties) {
          send(
            event,
            session.now,
            properties === undefined ? from + where : from + where + membersOf(properties),
          );
          session.wait(1 + 8 * random.next());
        },
        page(path, title) {
          session.wait(4 + random.around(14, 2));
          where = membersOf({ $current_url: origin + path, $host: host, $pathname: path, title });
          session.capture('$pageview');
        },
        screen(name) {
          session.wait(2 + random.around(6, 2));
          where = membersOf({ $screen_name: name });
          session.capture('$screen');
        },
        identify(known, set, once = {}) {
          distinctId = known;
          isIdentified = true;
          session.capture('$identify', { $anon_distinct_id: anonymousId, $set: set, $set_once: once });
        },
        set(event, properties, set) {
          session.capture(event, { ...properties, $set: set });
        },
      };
      return session;
    },
  };
}

function membersOfSource({ referrer, utm }: Source): Properties {
  return {
    $referrer: referrer === '' ? '$direct' : referrer,
    $referring_domain: referrer === '' ? '$direct' : new URL(referrer).host,
    ...(utm && { utm_source: utm.source, utm_medium: utm.medium, utm_campaign: utm.campaign }),
  };
}
