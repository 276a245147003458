import type { Feature } from '../../http/define-route.ts';
import { testingRoutes } from './testing.routes.ts';
import { createTesting, type TestingParts } from './testing.service.ts';

/** What tests of other projects ask of a server in memory. */
export function testingFeature(needs: TestingParts): Feature {
  const testing = createTesting(needs);
  return {
    name: 'testing',
    routes: testingRoutes(testing),
    unlisted: 'They exist in a server for tests only, and docs/testing.md has them.',
    close: testing.close,
  };
}
