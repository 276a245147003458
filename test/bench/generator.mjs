// @ts-check
import { createRandom } from './random.mjs';
import { makeUuid } from './uuids.mjs';

/** Average size of one event as JSON, in bytes: what the measurements that led to this design used. */
export const EVENT_BYTES = 846;
/** A further property makes an event longer by so many bytes on average. */
const BYTES_PER_PROPERTY = 20;
const MEAN_PROPERTIES = 29.25;
const MIN_PROPERTIES = 10;
const DISTINCT_IDS = 20_000;

/** The commonest first. */
export const EVENT_NAMES = (
  '$pageview $autocapture $pageleave page_scrolled button_clicked $identify search_performed item_viewed signup ' +
  'item_added checkout_started purchase video_played comment_posted file_uploaded invite_sent settings_changed ' +
  'plan_upgraded plan_cancelled export_requested'
).split(' ');

const WORDS = (
  'amber birch cedar delta ember fjord grove harbor island jungle kettle lagoon meadow north orchid pine quartz ' +
  'river stone tundra'
).split(' ');
const PAGES = [
  '/',
  '/pricing',
  '/docs/start',
  '/blog/first-light',
  '/app/projects',
  '/app/settings',
  '/login',
];

/** @typedef {{ random: () => number, pick: <T>(values: readonly T[]) => T, whole: (limit: number) => number }} Dice */
/** @type {readonly (readonly [string, (dice: Dice, session: string, page: string) => unknown])[]} */
const ALWAYS = [
  ['$current_url', (_, __, page) => `https://app.example.com${page}`],
  ['$pathname', (_, __, page) => page],
  ['$host', () => 'app.example.com'],
  ['$browser', ({ pick }) => pick(['Chrome', 'Safari', 'Firefox', 'Microsoft Edge'])],
  ['$os', ({ pick }) => pick(['Mac OS X', 'Windows', 'Linux', 'iOS', 'Android'])],
  ['$device_type', ({ pick }) => pick(['Desktop', 'Mobile', 'Tablet'])],
  ['$session_id', (_, session) => session],
  ['$lib', () => 'web'],
  ['$lib_version', () => '1.433.10'],
];

/** @type {typeof ALWAYS} */
const SOMETIMES = [
  ['$browser_version', ({ whole }) => 120 + whole(36)],
  ['$screen_height', ({ pick }) => pick([720, 900, 1080, 1440])],
  ['$screen_width', ({ pick }) => pick([1280, 1440, 1920, 2560])],
  ['$viewport_height', ({ whole }) => 600 + whole(700)],
  ['$viewport_width', ({ whole }) => 380 + whole(1800)],
  ['$referrer', ({ pick }) => pick(['$direct', 'https://example.org/'])],
  ['$timezone', ({ pick }) => pick(['UTC', 'Europe/Berlin', 'Asia/Tokyo'])],
  ['$time', ({ whole }) => 1_795_000_000 + whole(1_000_000) / 1000],
  ['$is_identified', ({ random }) => random() < 0.5],
  ['$pageview_id', ({ whole }) => `p${whole(1e9).toString(36)}`],
  ['$insert_id', ({ whole }) => `${whole(1e9).toString(36)}${whole(1e9).toString(36)}`],
  ['plan', ({ pick }) => pick(['free', 'team', 'scale'])],
  ['amount', ({ whole }) => whole(100_000) / 100],
  ['currency', ({ pick }) => pick(['EUR', 'USD', 'JPY'])],
  ['items', ({ whole }) => whole(12)],
  ['is_trial', ({ random }) => random() < 0.3],
  ['team_size', ({ whole }) => 1 + whole(400)],
  ['source', ({ pick }) => pick(['ads', 'mail', 'direct', 'partner'])],
  ['duration', ({ whole }) => whole(90_000) / 1000],
  ['variant', ({ pick }) => pick(['control', 'test'])],
  ['button', ({ pick }) => pick(WORDS)],
  ['section', ({ pick }) => pick(WORDS)],
  ['category', ({ pick }) => pick(WORDS)],
  ['theme', ({ pick }) => pick(['light', 'dark'])],
  ['position', ({ whole }) => whole(50)],
  ['retries', ({ whole }) => whole(3)],
  ['score', ({ whole }) => whole(1000) / 1000],
  ['coupon', ({ random }) => (random() < 0.8 ? null : 'SPRING')],
  ['locale', ({ pick }) => pick(['en', 'de', 'fr', 'ja'])],
  ['beta', ({ random }) => random() < 0.1],
  ['tags', ({ pick }) => [pick(WORDS), pick(WORDS)]],
  ['cart', ({ whole }) => ({ lines: whole(9), total: whole(900) })],
  ['depth', ({ whole }) => whole(100)],
  ['rows', ({ whole }) => whole(5000)],
  ['offline', ({ random }) => random() < 0.05],
  ['build', ({ whole }) => 4000 + whole(100)],
  ['shard', ({ whole }) => whole(16)],
  ['latency', ({ whole }) => whole(2000)],
  ['step', ({ whole }) => whole(6)],
  ['ok', ({ random }) => random() < 0.97],
];

/**
 * Makes events as an SDK in a browser sends them: 846 bytes of JSON and 29 properties on average (10 to 49), 20 event
 * names after Zipf, 20,000 distinct ids of which few are busy. Sizes are the same with and without uuids.
 * @param {{ seed: number, now: number, uuids: 'v7' | 'v4' | 'none', wideIds?: boolean }} options `now` in Unix ms: the
 *   newest timestamp; `wideIds`: distinct ids of twelve characters, which a client can renew in place
 * @returns {{ json(): string }} `json()` is the next event as JSON text
 */
export function createGenerator({ seed, now, uuids, wideIds = false }) {
  const random = createRandom(seed);
  /** @type {Dice} */
  const dice = {
    random,
    whole: (limit) => Math.floor(random() * limit),
    pick: (values) => /** @type {any} */ (values[Math.floor(random() * values.length)]),
  };
  /** Bytes that earlier events were too long: taken off the next, so that the average is exact. */
  let debt = 0;
  return {
    json() {
      const count = MIN_PROPERTIES + Math.floor(39.5 * ((random() + random()) / 2));
      const target = EVENT_BYTES + (count - MEAN_PROPERTIES) * BYTES_PER_PROPERTY - debt;
      const event = makeEvent(dice, { count, uuids, now: now - dice.whole(60_000) });
      if (wideIds) event.distinct_id = 'p-0000000000';
      const missing = Math.round(target) - JSON.stringify(event).length;
      event.properties['text'] = filler(dice, Math.max(0, missing));
      const json = JSON.stringify(event);
      debt = json.length - target;
      return json;
    },
  };
}

/**
 * @param {Dice} dice
 * @param {{ count: number, uuids: 'v7' | 'v4' | 'none', now: number }} options
 */
function makeEvent(dice, { count, uuids, now }) {
  const session = makeUuid({ version: 7, now: now - dice.whole(1_000_000), random: dice.random });
  const page = dice.pick(PAGES);
  /** @type {Record<string, unknown>} */
  const properties = {};
  for (const [name, value] of ALWAYS) properties[name] = value(dice, session, page);
  for (const [name, value] of someOf(dice, count - ALWAYS.length - 1))
    properties[name] = value(dice, session, page);
  properties['text'] = '';
  const version = uuids === 'v4' ? 4 : 7;
  return {
    ...(uuids === 'none' ? {} : { uuid: makeUuid({ version, now, random: dice.random }) }),
    event: EVENT_NAMES[zipf(dice.random())],
    distinct_id: `user-${Math.floor(DISTINCT_IDS * dice.random() ** 3)}`,
    timestamp: new Date(now).toISOString(),
    properties,
  };
}

/** @param {Dice} dice @param {number} count at most SOMETIMES.length */
function someOf({ whole }, count) {
  const start = whole(SOMETIMES.length);
  return [...SOMETIMES, ...SOMETIMES].slice(start, start + count);
}

const ZIPF_STEPS = cumulativeZipf(EVENT_NAMES.length);

/** @param {number} length */
function cumulativeZipf(length) {
  const weights = Array.from({ length }, (_, rank) => 1 / (rank + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => (sum += weight / total));
}

/** @param {number} at in [0, 1) */
function zipf(at) {
  const index = ZIPF_STEPS.findIndex((step) => at < step);
  return index < 0 ? EVENT_NAMES.length - 1 : index;
}

/** @param {Dice} dice @param {number} length */
function filler({ pick }, length) {
  let text = '';
  while (text.length < length) text += `${pick(WORDS)} `;
  return text.slice(0, length);
}
