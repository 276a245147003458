import { useTimeoutFn } from '@vueuse/core';
import { useRoute, useRouter, type LocationQueryRaw, type RouteLocation, type Router } from 'vue-router';

let journey: RouteLocation | null = null;

/** Watches a router's journeys, so that what reaches the address late ends none of them. */
export function watchJourneys(router: Router): void {
  router.beforeEach((to) => {
    journey = to;
  });
  router.afterEach((to) => {
    if (journey === to) journey = null;
  });
  router.onError(() => (journey = null));
}

/**
 * Writes into the query of the address after `pause` milliseconds without another call. A new address ends a journey that
 * is under way, and a screen may take long to load: while somebody travels, or `mayWrite` says no, it waits for another pause.
 */
export function useLateAddress(pause: number, mayWrite: () => boolean = () => true) {
  const route = useRoute();
  const router = useRouter();
  const { name } = route;
  let latest: () => LocationQueryRaw | null = () => null;
  const { start } = useTimeoutFn(
    () => {
      if (journey !== null || !mayWrite()) return start();
      const by = route.name === name ? latest() : null;
      if (by) void router.replace({ query: { ...route.query, ...by } });
    },
    pause,
    { immediate: false },
  );

  /** `change` is asked for the parameters when the time has come; `undefined` takes one away, `null` changes nothing. */
  function write(change: () => LocationQueryRaw | null): void {
    latest = change;
    start();
  }

  return write;
}
