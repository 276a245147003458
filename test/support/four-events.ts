import { iso, send, settle, walk } from './app-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** Four events, a to d, a second apart; b and d have lain in the store for a while. */
export async function openWithFour(): Promise<TestApp> {
  const app = await openTestApp();
  await send(app, [
    { event: 'b', timestamp: iso(2), properties: { plan: 'free', seats: 3 } },
    { event: 'd', timestamp: iso(4), properties: { plan: 'Pro', seats: 10, $browser: 'Firefox' } },
  ]);
  await settle(app);
  await send(app, [
    { event: 'a', timestamp: iso(1), properties: { $browser: 'Firefox', seats: '7' } },
    { event: 'c', timestamp: iso(3), distinct_id: '7', properties: { plan: null } },
  ]);
  return app;
}

/** Values as JSON in a query, each under the same name. */
export function encoded(name: string, ...values: unknown[]): string {
  return values.map((value) => `${name}=${encodeURIComponent(JSON.stringify(value))}`).join('&');
}

/** The names of all events that a query lists, in one word. */
export async function names(app: TestApp, search: string): Promise<string> {
  return (await walk(app, `?${search}`)).join('');
}
