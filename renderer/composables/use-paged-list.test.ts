import { createApp, effectScope, nextTick, watch, type EffectScope } from 'vue';
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
          filters: { kind: ['all', 'static'], who: 'anyone', place: ['project', 'organization'] },
          scope: ['place'],
          resets: ['detail'],
          orders: { name: 'name', changed: 'updated_at' },
          load: async (query, filters) => {
            loaded.push({ ...query, ...filters });
            return { results: [{ id: 1, name: 'a' }], count: 250 };
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
    const asked = { kind: 'static', who: 'anyone', place: 'project' };
    expect(loaded).toEqual([{ limit: 100, offset: 200, search: 'a', order: '-name', ...asked }]);
    expect(list.isFiltered.value).toBe(true);
    await settled();
    expect(list.rows.value).toEqual([{ id: 1, name: 'a' }]);
    expect(list.count.value).toBe(250);
    expect(list.pages.value).toEqual({ offset: 200, shown: 1, total: 250, hasNext: true });
  });

  test('uses defaults for missing and invalid URL parameters', async () => {
    const { list, loaded } = await listAt('/things?kind=none&page=-1&sort=constructor');
    const asked = { kind: 'all', who: 'anyone', place: 'project' };
    expect(loaded).toEqual([{ limit: 100, offset: 0, search: undefined, order: '-updated_at', ...asked }]);
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

  test('a filter with any value has the one of the URL, and its default stays out of it', async () => {
    const { list, loaded, url } = await listAt('/things?who=7');
    expect(loaded).toMatchObject([{ who: '7' }]);
    list.who.value = 'anyone';
    await settled();
    expect(url()).toBe('/things');
  });

  test('a change of page or filter removes the parameters that it resets, a change of the order does not', async () => {
    const { list, url } = await listAt('/things?detail=7');
    list.sort.value = { columnId: 'name', isDescending: false };
    await settled();
    expect(url()).toBe('/things?detail=7&sort=name');
    list.page.value = 2;
    await settled();
    expect(url()).toBe('/things?sort=name&page=2');
  });

  test('rows of another list are not shown while the list is loaded; which list it is does not count as a filter', async () => {
    const { list, loaded } = await listAt('/things');
    await settled();
    expect(list.rows.value).toHaveLength(1);
    const shown: number[] = [];
    scope!.run(() => watch(list.rows, ({ length }) => shown.push(length), { flush: 'sync' }));
    list.place.value = 'organization';
    await settled();
    expect(shown).toEqual([0, 1]);
    expect(loaded).toMatchObject([{ place: 'project' }, { place: 'organization' }]);
    expect(list.isFiltered.value).toBe(false);
    list.clear();
    await settled();
    expect(list.place.value).toBe('organization');
  });

  test('turns pages as far as there are any', async () => {
    const { list, url } = await listAt('/things');
    list.turn(true);
    await settled();
    expect(url()).toBe('/things');
    list.turn(true);
    await settled();
    expect(url()).toBe('/things?page=2');
    list.turn(false);
    await settled();
    list.turn(false);
    await settled();
    expect(url()).toBe('/things');
  });

  test('shows a changed row without loading again', async () => {
    const { list, loaded } = await listAt('/things');
    await settled();
    list.put({ id: 1, name: 'b' });
    list.put({ id: 2, name: 'c' });
    expect(list.rows.value).toEqual([{ id: 1, name: 'b' }]);
    expect(loaded).toHaveLength(1);
  });

  test('does not load again when the user leaves for another screen', async () => {
    const { router, loaded } = await listAt('/things?kind=static');
    await router.push('/others');
    await settled();
    expect(loaded).toHaveLength(1);
  });
});
