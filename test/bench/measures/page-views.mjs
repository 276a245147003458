// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPool, writePool } from '../bodies.mjs';
import { runLoad } from '../load.mjs';
import { createRandom } from '../random.mjs';
import { PROJECT_API_KEY, start } from '../servers.mjs';
import { makeUuid } from '../uuids.mjs';

const PERSONS = 10_000;
const BATCH = 100;
const PAGES = ['/', '/pricing', '/docs/start', '/blog/first-light', '/app/settings', '/login'];
const BROWSERS = ['Chrome', 'Safari', 'Firefox'];
const SYSTEMS = ['Mac OS X', 'Windows', 'Linux', 'iOS', 'Android'];

/**
 * Page views as posthog-js sends them for 10,000 identified persons, whose browsers stay the same: events a second, and the
 * share of the rate of the same page views without a person profile, from which nothing follows about a person.
 * @param {Pick<import('../client.mjs').Load, 'path' | 'headers' | 'connections' | 'warmupSeconds' | 'seconds'>} load
 */
export async function measurePageViews(load) {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-page-views-'));
  try {
    const identified = await rateOf(join(folder, 'identified'), true, load);
    const anonymous = await rateOf(join(folder, 'anonymous'), false, load);
    return { pageViewsPerSecond: identified, pageViewsShare: identified / anonymous };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} pool @param {boolean} hasProfile
 * @param {Parameters<typeof measurePageViews>[0]} load
 */
async function rateOf(pool, hasProfile, load) {
  const now = Date.now();
  const options = { batch: BATCH, gzip: false, uuids: /** @type {const} */ ('v7'), token: PROJECT_API_KEY };
  const generator = createPageViews(hasProfile, now);
  await writePool(pool, { ...options, count: PERSONS / BATCH, seed: 1, now, generator });
  const server = await start('burrow');
  try {
    // Every person has had a first page view.
    for (const body of readPool(pool)) {
      const response = await fetch(server.url + load.path, {
        method: 'POST',
        headers: load.headers,
        body: new Uint8Array(body),
      });
      if (response.status !== 200) throw new Error(`A page view was answered ${response.status}.`);
    }
    const { requestsPerSecond } = await runLoad({ ...load, pool, renewUuids: true, url: server.url });
    return requestsPerSecond * BATCH;
  } finally {
    await server.stop();
  }
}

/** @param {boolean} hasProfile @param {number} now Unix ms. */
function createPageViews(hasProfile, now) {
  const random = createRandom(1);
  let next = 0;
  return {
    json() {
      const person = next++ % PERSONS;
      const page = PAGES[Math.floor(random() * PAGES.length)];
      return JSON.stringify({
        uuid: makeUuid({ version: 7, now, random }),
        event: '$pageview',
        distinct_id: `user-${person}`,
        timestamp: new Date(now).toISOString(),
        properties: {
          $os: SYSTEMS[person % SYSTEMS.length],
          $os_version: `${person % 4}.1`,
          $browser: BROWSERS[person % BROWSERS.length],
          $browser_version: 120 + (person % 20),
          $browser_language: 'en-GB',
          $device_type: person % 3 === 0 ? 'Mobile' : 'Desktop',
          $current_url: `https://app.example.com${page}`,
          $host: 'app.example.com',
          $pathname: page,
          $raw_user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
          $screen_height: 1080,
          $screen_width: 1920,
          $viewport_height: 600 + Math.floor(random() * 400),
          $viewport_width: 1200 + Math.floor(random() * 400),
          $referrer: '$direct',
          $referring_domain: '$direct',
          $lib: 'web',
          $lib_version: '1.449.2',
          $device_id: `device-${person}`,
          $session_id: makeUuid({ version: 7, now, random }),
          $window_id: makeUuid({ version: 7, now, random }),
          $pageview_id: makeUuid({ version: 7, now, random }),
          $is_identified: hasProfile,
          $process_person_profile: hasProfile,
          title: 'An application of ours',
        },
      });
    },
  };
}
