import { expect as baseExpect, test as base } from '@playwright/test';
import { burrowFixtures, matchers } from 'burrow-analytics/testing/playwright';

const test = base.extend(burrowFixtures({ port: 2899 }));
const expect = baseExpect.extend(matchers);

test('a purchase is captured', async ({ page, burrow }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect(burrow).toHaveCapturedInOrder(['$pageview', ['bought', { price: 12 }]]);
});

test('each test begins without events', async ({ page, burrow }) => {
  await page.goto('/');
  await expect(burrow).toHaveCaptured('$pageview', {}, { times: 1 });
  await expect(burrow).not.toHaveCaptured('bought');
});
