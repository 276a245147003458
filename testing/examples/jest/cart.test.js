const { startBurrow } = require('burrow-analytics/testing');
const { PostHog } = require('posthog-node');

let burrow;
let posthog;

beforeAll(async () => {
  burrow = await startBurrow();
  posthog = new PostHog(burrow.projectApiKey, { host: burrow.host, flushAt: 1 });
});
afterAll(() => posthog.shutdown());

test('a purchase is captured with its amount', async () => {
  posthog.capture({ distinctId: 'ada', event: 'purchase', properties: { amount: 480 } });
  await expect(burrow).toHaveCaptured('purchase', { amount: expect.any(Number) });
});
