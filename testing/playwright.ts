import { startBurrow, type Burrow, type StartOptions } from './burrow.ts';
import { matchers, type BurrowMatchers } from './matchers.ts';

export { matchers };
export type { Burrow, StartOptions };

declare global {
  namespace PlaywrightTest {
    // TypeScript merges only interfaces with the same parameters.
    interface Matchers<R, T> extends BurrowMatchers {}
  }
}

/** Fixtures of a worker. */
export interface BurrowWorkerFixtures {
  /** The server of this worker, empty at the beginning of each test. */
  burrow: Burrow;
}

/** Fixtures of a test. */
export interface BurrowFixtures {
  burrowReset: void;
}

/** The part of Playwright's browser context that is used. */
interface Context {
  addInitScript(script: () => void): Promise<void>;
}

type Use<T> = (value: T) => Promise<void>;

/** What `test.extend` takes. */
export interface BurrowFixtureTable {
  burrow: [(fixtures: {}, use: Use<Burrow>) => Promise<void>, { scope: 'worker' }];
  burrowReset: [(fixtures: { burrow: Burrow }, use: Use<void>) => Promise<void>, { auto: true }];
  // oxlint-disable-next-line no-explicit-any -- it is Playwright's own context, whose types are not here
  context: (fixtures: { context: any }, use: Use<any>) => Promise<void>;
}

export interface FixtureOptions extends Omit<StartOptions, 'reuse'> {
  /**
   * true, as when absent: pages see a browser as users have it, without the marks of one that is driven, since posthog-js sends
   * nothing from such a one. false: the app has to set `opt_out_useragent_filter`.
   */
  hideAutomation?: boolean;
}

/** One server per worker, reset before each test; and pages from which posthog-js sends. */
export function burrowFixtures({
  hideAutomation = true,
  ...options
}: FixtureOptions = {}): BurrowFixtureTable {
  return {
    burrow: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads from its text which fixtures it needs
      async ({}, use) => {
        const burrow = await startBurrow({ ...options, reuse: false });
        await use(burrow);
        await burrow.stop();
      },
      { scope: 'worker' },
    ],
    burrowReset: [
      async ({ burrow }, use) => {
        await burrow.reset();
        await use();
      },
      { auto: true },
    ],
    context: async ({ context }: { context: Context }, use) => {
      if (hideAutomation) await context.addInitScript(hideAutomationMarks);
      await use(context);
    },
  };
}

/**
 * Runs in the page, before its scripts. posthog-js takes a browser for a bot by `navigator.webdriver`, by the user agent and by the
 * brands of `userAgentData`; these lose what a driven browser adds to them, and nothing else.
 */
function hideAutomationMarks(): void {
  const page = globalThis as unknown as { navigator: object & { userAgent: string; userAgentData?: object } };
  const replace = (owner: object, name: string, value: unknown): void => {
    Object.defineProperty(Object.getPrototypeOf(owner) as object, name, {
      get: () => value,
      configurable: true,
    });
  };
  const { navigator } = page;
  replace(navigator, 'webdriver', false);
  replace(navigator, 'userAgent', navigator.userAgent.replace('HeadlessChrome', 'Chrome'));
  const data = navigator.userAgentData as { brands: { brand: string; version: string }[] } | undefined;
  if (data === undefined) return;
  const brands = data.brands.map(({ brand, version }) => ({
    brand: brand.replace('HeadlessChrome', 'Chrome'),
    version,
  }));
  replace(data, 'brands', brands);
}
