import type { LocationQueryRaw, Router } from 'vue-router';

/**
 * Closes what a query parameter has opened: leaves `query`, which is without it. If the previous page has exactly this
 * URL, it goes back instead, so that the history does not contain the page twice.
 */
export function dropQueryParam(router: Router, query: LocationQueryRaw): void {
  const { fullPath } = router.resolve({ query });
  if (router.options.history.state['back'] === fullPath) router.back();
  else void router.replace({ query });
}
