import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import type { Store } from '../../server/db/client.ts';
import { createFeatures } from '../../server/features.ts';
import type { Feature } from '../../server/http/define-route.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { newUuid } from '../../server/lib/ids.ts';
import { silentLog } from '../../server/lib/log.ts';
import { openTestStore } from '../support/store.ts';
import { anyPublicRoute, anyRoute, routeRules } from './route-rules.ts';

let store: Store;
let features: readonly Feature[];

beforeAll(async () => {
  store = await openTestStore();
  const machine = { platform: 'linux', homeDir: '/', workingDir: '/', totalMemory: 4e9 } as const;
  const { list } = await createFeatures({
    config: readConfig(['--ephemeral'], {}, machine),
    store,
    clock: systemClock,
    newId: newUuid,
    log: silentLog,
    consoleDir: null,
    staticDir: 'dist/static',
    version: '0.0.0',
    controlSecret: 'secret',
    readServerInfo: () => {
      throw new Error('No server runs here.');
    },
    isReady: () => true,
  });
  features = list;
});

afterAll(async () => {
  for (const feature of features) await feature.close?.();
  await store.close();
});

describe.each(routeRules)('$sentence', ({ check, broken }) => {
  test('holds in this house', () => {
    expect(check(features)).toEqual([]);
  });

  test.each(broken.map((feature) => ({ feature })))('is noticed when broken (%#)', ({ feature }) => {
    expect(check([feature])).toHaveLength(1);
  });

  test('finds no fault where there is none', () => {
    expect(check([{ name: 'things', routes: [anyRoute], publicRoutes: [anyPublicRoute] }])).toEqual([]);
  });
});

test('every feature with routes stands in the list of features', () => {
  const folder = new URL('../../server/features/', import.meta.url);
  const withRoutes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.routes.ts'))
    .map((path) => path.split(/[\\/]/)[0]!);
  expect(features.map(({ name }) => name).toSorted()).toEqual([...new Set(withRoutes)].toSorted());
});
