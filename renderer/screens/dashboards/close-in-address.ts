import type { LocationQueryRaw, Router } from 'vue-router';

/**
 * Closes what the address has opened, leaving `query`. Where the page before is the same without it, this is going back:
 * the history then holds that page once, and the next press of Back leads on.
 */
export function closeInAddress(router: Router, query: LocationQueryRaw): void {
  const { fullPath } = router.resolve({ query });
  if (router.options.history.state['back'] === fullPath) router.back();
  else void router.replace({ query });
}
