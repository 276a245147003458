import { startBurrow } from 'burrow-analytics/testing';
import { PostHog } from 'posthog-node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signUp } from './sign-up.js';

let burrow;
let posthog;

beforeAll(async () => {
  burrow = await startBurrow({ flags: { invitations: false } });
  posthog = new PostHog(burrow.projectApiKey, { host: burrow.host, flushAt: 1 });
});
beforeEach(() => burrow.reset());
afterAll(() => posthog.shutdown());

test('a sign-up is captured with its plan', async () => {
  await signUp(posthog, { email: 'ada@example.com', plan: 'pro' });
  await expect(burrow).toHaveCaptured('signup', { plan: 'pro' });
  await expect(burrow).not.toHaveCaptured('invitation shown');
  expect(await burrow.person('ada@example.com')).toMatchObject({ properties: { email: 'ada@example.com' } });
});

test('who has the flag is shown an invitation, once and after the sign-up', async () => {
  await burrow.setFlag('invitations', true, 'bob@example.com');
  await signUp(posthog, { email: 'bob@example.com', plan: 'free' });
  await expect(burrow).toHaveCapturedInOrder([['signup', { plan: 'free' }], 'invitation shown']);
  await expect(burrow).toHaveCaptured('invitation shown', {}, { distinctId: 'bob@example.com', times: 1 });
});
