import { openStore, type Store } from '../../server/db/client.ts';
import { systemClock, type Clock } from '../../server/lib/clock.ts';
import { silentLog, type Log } from '../../server/lib/log.ts';
import type { NoticeBoard } from '../../server/lib/notices.ts';
import { serveStore } from '../../server/serve-store.ts';

/** As dist/geoip/country.mmdb, without a build. */
export const COUNTRY_FILE =
  'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** Whether tests use the fast paths; the deep suite runs once without them. */
export const FAST = process.env['BURROW_FAST'] !== 'off';

/**
 * A real store with the real migrations, its owner in this thread: in memory unless a path is given. Close it after
 * the test.
 */
export function openTestStore(
  options: {
    path?: string;
    clock?: Clock;
    log?: Log;
    notices?: NoticeBoard;
    maxBodyBytes?: number;
    rateLimits?: boolean;
  } = {},
): Promise<Store> {
  return openStore({
    path: options.path ?? null,
    memoryLimitBytes: 512 * 1_048_576,
    log: options.log ?? silentLog,
    ...(options.notices === undefined ? {} : { notices: options.notices }),
    services: {
      capture: {
        maxBodyBytes: options.maxBodyBytes ?? 20_971_520,
        rateLimits: options.rateLimits ?? false,
        countryFile: COUNTRY_FILE,
        fast: FAST,
        hasWarehouse: false,
      },
    },
    workerUrl: null,
    serve: (port) => serveStore(port, options.clock ?? systemClock),
  });
}
