/** A page of the documentation that the console shows. */
export interface GuidePage {
  /** In the address. */
  id: string;
  title: string;
  about: string;
  /** Below `docs`. */
  file: string;
  /** Other words that it is found by. */
  also: string;
}

/** Task by task, in the order in which they are offered. */
export const GUIDES: readonly GuidePage[] = [
  guide(
    'connect',
    'Connect an app',
    'From nothing to your first event in five minutes.',
    'install, SDK, setup, snippet, get started, posthog-js, first event',
  ),
  guide(
    'flags',
    'Test flags',
    'A feature flag for one user or for everyone, on this machine.',
    'feature flags, override, rollout, toggle',
  ),
  guide(
    'assert-events',
    'Assert events in tests',
    'Tests that look at what your app has sent.',
    'testing, vitest, jest, playwright, pytest, CI',
  ),
  guide(
    'demo',
    'Give a demo',
    'A year of invented data, and events that come while you talk.',
    'sample data, presentation, talk, example',
  ),
  guide(
    'share-a-dashboard',
    'Share a dashboard',
    'A link that shows one dashboard without signing in.',
    'public link, embed, iframe',
  ),
  guide(
    'import',
    'Import history',
    'Files of other products, logs and tables become events.',
    'migrate, move in, csv, Mixpanel, Amplitude, GA4',
  ),
  guide(
    'backup-and-export',
    'Back up and export',
    'Copies to go back to, and open formats to take elsewhere.',
    'save, restore, archive, parquet, csv, download',
  ),
  guide(
    'graduate',
    'Move on to PostHog',
    'A whole project to PostHog or another Burrow, and new events as they come.',
    'graduate, migrate, move out, forward, copy project, PostHog Cloud',
  ),
  guide(
    'grow-to-clickhouse',
    'Grow to ClickHouse',
    'ClickHouse stores and answers beside the file.',
    'warehouse, scale, large, slow, cluster, more events',
  ),
  guide(
    'ask-an-assistant',
    'Ask from an assistant',
    'Claude, Cursor and others answer from your events.',
    'AI, MCP, Claude, Cursor, LLM, chat',
  ),
  guide(
    'compatibility',
    'PostHog compatibility',
    'What works as in PostHog, and what does not.',
    'differences, supported, SDKs, API',
  ),
  guide(
    'comparison',
    'Is Burrow right for you?',
    'An honest comparison, with limits.',
    'alternatives, PostHog, Plausible, Umami, Matomo, limits',
  ),
];

/** What the guides lead to. */
export const REFERENCES: readonly GuidePage[] = [
  reference('options', 'Options', 'Options of the server, environment, exit codes.'),
  reference('command-line', 'Command line', 'Every command of burrow.'),
  reference('testing', 'Testing', 'The package for tests of your app.'),
  reference('import', 'Import formats', 'Formats, mapping, time zones, crashes.'),
  reference('assistants', 'Assistants', 'Configuration of each, tools, writes.'),
  reference('alerts', 'Alerts', 'Conditions, schedule, webhooks.'),
  reference('forwarding', 'Forwarding', 'New events to a second host as well.'),
  reference('growing', 'Growing', 'ClickHouse beside the file.'),
  reference('api', 'API', 'Paths, and examples of queries.'),
  reference('differences', 'Differences', 'Where Burrow differs from PostHog.'),
  reference('desktop', 'Desktop app', 'What it does, and what it does not do yet.'),
  reference('packages', 'Packages', 'Linux, Docker, systemd.'),
  reference('performance', 'Performance', 'Measured rates and query times.'),
  reference('reliability', 'Reliability', 'Faults that were injected, and what was lost.'),
];

function guide(id: string, title: string, about: string, also: string): GuidePage {
  return { id, title, about, also, file: `guides/${id}.md` };
}

/** Beside the guides, some of which have the same name. */
function reference(name: string, title: string, about: string): GuidePage {
  return { id: `reference-${name}`, title, about, also: 'documentation, manual', file: `${name}.md` };
}
