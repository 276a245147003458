import { createApp, effectScope, nextTick, type EffectScope } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { afterEach, describe, expect, test } from 'vitest';
import { usePagedList } from './use-paged-list.ts';

let scope: EffectScope | undefined;
afterEach(() => scope?.stop());

/** A list of a screen at this URL, and the queries that it has loaded. */
async function listAt(url: string) {
  const component = { render: () => null };
  const router = createRouter({
    history: createMemoryHistory(),
    routes: ['things', 'others'].map((name) => ({ path: `/${name}`, name, component })),
  });
  await router.push(url);
  const loaded: unknown[] = [];
  scope = effectScope();
  const list = createApp(component)
    .use(router)
    .runWithContext(() =>
      scope!.run(() =>
        usePagedList({
          filters: { kind: ['all', 'static'] },
          orders: { name: 'name', changed: 'updated_at' },
          load: async (query, filters) => {
            loaded.push({ ...query, ...filters });
            return { results: [] };
          },
        }),
      ),
    )!;
  const currentUrl = () => router.currentRoute.value.fullPath;
  return { list, router, loaded, url: currentUrl };
}

/** Until the URL and what depends on it have changed. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await nextTick();
  await new Promise((resolve) => setTimeout(resolve));
};

describe('a paged list', () => {
  test('loads the page that the URL describes', async () => {
    const { list, loaded } = await listAt('/things?search=a&kind=static&page=3&sort=-name');
    expect(loaded).toEqual([{ limit: 100, offset: 200, search: 'a', order: '-name', kind: 'static' }]);
    expect(list.isFiltered.value).toBe(true);
    await settled();
    expect(list.answer.value).toEqual({ results: [], offset: 200 });
  });

  test('uses defaults for missing and invalid URL parameters', async () => {
    const { list, loaded } = await listAt('/things?kind=none&page=-1&sort=constructor');
    expect(loaded).toEqual([{ limit: 100, offset: 0, search: undefined, order: '-updated_at', kind: 'all' }]);
    expect(list.isFiltered.value).toBe(false);
  });

  test('writes a filter to the URL, resets the page and reloads', async () => {
    const { list, loaded, url } = await listAt('/things?page=2&open=7');
    list.kind.value = 'static';
    await settled();
    expect(url()).toBe('/things?open=7&kind=static');
    expect(loaded).toHaveLength(2);
    list.kind.value = 'all';
    await settled();
    expect(url()).toBe('/things?open=7');
    expect(loaded).toHaveLength(3);
  });

  test('clears search, filters and page, and keeps the sort order', async () => {
    const { list, url } = await listAt('/things?search=a&kind=static&page=2&sort=name');
    list.clear();
    await settled();
    expect(url()).toBe('/things?sort=name');
    expect(list.typed.value).toBe('');
  });

  test('does not load again when the user leaves for another screen', async () => {
    const { router, loaded } = await listAt('/things?kind=static');
    await router.push('/others');
    await settled();
    expect(loaded).toHaveLength(1);
  });
});
