import { useTimeoutFn } from '@vueuse/core';
import { useRoute, useRouter, type LocationQueryRaw, type RouteLocation, type Router } from 'vue-router';

let pending: RouteLocation | null = null;

/** Observes the navigations of a router, so that debounced writes cancel none of them. */
export function watchNavigations(router: Router): void {
  router.beforeEach((to) => {
    pending = to;
  });
  router.afterEach((to) => {
    if (pending === to) pending = null;
  });
  router.onError(() => (pending = null));
}

/**
 * Writes query parameters of the URL after `pause` milliseconds without another call. Writing would cancel a pending
 * navigation, which takes as long as its screen loads: until it is over, and until `mayWrite()`, the write is delayed.
 */
export function useDebouncedQueryParam(pause: number, mayWrite: () => boolean = () => true) {
  const route = useRoute();
  const router = useRouter();
  const { name } = route;
  let latest: () => LocationQueryRaw | null = () => null;
  const { start } = useTimeoutFn(
    () => {
      if (pending !== null || !mayWrite()) return start();
      const by = route.name === name ? latest() : null;
      if (by) void router.replace({ query: { ...route.query, ...by } });
    },
    pause,
    { immediate: false },
  );

  /** `change` returns the parameters when they are written; `undefined` removes one, `null` changes nothing. */
  function write(change: () => LocationQueryRaw | null): void {
    latest = change;
    start();
  }

  return write;
}
