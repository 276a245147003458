import { createApp, effectScope, nextTick, type EffectScope } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchNavigations } from './use-debounced-query-param.ts';
import { useTypedSearch } from './use-typed-search.ts';

let scope: EffectScope | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  scope?.stop();
  vi.useRealTimers();
});

/** The search field of a screen at this URL. */
async function searchAt(url: string) {
  const component = { render: () => null };
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/things/:kind?', name: 'things', component },
      { path: '/others', name: 'others', component },
    ],
  });
  watchNavigations(router);
  await router.push(url);
  scope = effectScope();
  const app = createApp(component).use(router);
  const { typed } = app.runWithContext(() => scope!.run(() => useTypedSearch(['page'])))!;
  const type = async (text: string) => {
    typed.value = text;
    await nextTick();
  };
  return { typed, type, router, url: () => router.currentRoute.value.fullPath };
}

test('a search is in the URL after a pause, without the page', async () => {
  const { type, url } = await searchAt('/things?page=2&open=7');
  await type('a');
  await vi.advanceTimersByTimeAsync(100);
  await type('ab');
  await vi.advanceTimersByTimeAsync(150);
  expect(url()).toBe('/things?page=2&open=7');
  await vi.advanceTimersByTimeAsync(100);
  expect(url()).toBe('/things?open=7&search=ab');
});

test('a search is in the URL also after another tab of the same screen was opened', async () => {
  const { typed, type, router, url } = await searchAt('/things/cars?search=a');
  await router.push('/things/boats');
  expect(typed.value).toBe('');
  await type('b');
  await vi.advanceTimersByTimeAsync(250);
  expect(url()).toBe('/things/boats?search=b');
});

test('a search is not written to the URL of another screen', async () => {
  const { type, router, url } = await searchAt('/things/cars');
  await type('a');
  await router.push('/others');
  await vi.advanceTimersByTimeAsync(250);
  expect(url()).toBe('/others');
});
