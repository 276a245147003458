/**
 * Other words for commands, by their ids: what users type who call it otherwise. The palette shows those that
 * match, so each is a word as it is written in a sentence.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  'demo-data': 'example, sample, fake data, playground project, tour',
  'import-data':
    'upload, csv, parquet, Mixpanel, Amplitude, Segment, Umami, Matomo, GA4, migrate, move in, history',
  'go-imports': 'upload, csv, migrate, history',
  'go-exports': 'download, archive, zip, everything, move out, leave, parquet, csv',
  'go-home': 'start, overview',
  'go-live': 'stream, realtime, activity',
  'go-explore': 'events, event explorer, search events, activity, log, csv, export',
  'go-sessions': 'visits, session list, timeline, journeys',
  'go-dashboards': 'boards, reports',
  'go-insights': 'charts, graphs, trends, funnels, reports, csv, export',
  'go-alerts': 'notifications, thresholds, monitoring, webhooks',
  'go-sql': 'query, HogQL, database, table, csv, export, download',
  'go-persons': 'users, people, customers, profiles',
  'go-groups': 'companies, accounts, organizations, teams',
  'go-cohorts': 'segments, audiences, csv, upload',
  'go-flags': 'feature flags, toggles, rollout, experiments, export, import',
  'go-playground': 'test flags, evaluate, debug flags',
  'go-data': 'events, properties, definitions, schema, taxonomy',
  'go-actions': 'events, clicks, autocapture',
  'go-annotations': 'notes, releases, comments',
  'go-ingestion': 'warnings, errors, dropped events, queue, SDK versions',
  'go-activity': 'history, audit, changes',
  'go-connect': 'install, setup, SDK, snippet, get started, integrate',
  'go-guides': 'help, docs, documentation, manual, how to, tutorial',
  'go-settings': 'preferences, options, configuration',
  'settings-app': 'port, tray, start at login, desktop, background, data folder',
  'settings-general': 'project name, time zone, rename, currency, project token',
  'settings-retention': 'delete old events, age limit, cleanup, expire',
  'settings-test-accounts': 'internal users, exclude, filter, employees',
  'settings-capture': 'autocapture, replay, recording, pause, privacy',
  'settings-forwarding': 'PostHog Cloud, mirror, copy events, second host, export',
  'settings-profile': 'my account, name, email, me',
  'settings-keys': 'token, api key, secret, password, credentials, access',
  'settings-appearance': 'theme, dark, light, colors, mode',
  'settings-projects': 'workspaces, delete project, empty project, token',
  'settings-members': 'users, team, people, invite, roles, permissions',
  'settings-storage': 'backup, restore, export, disk, size, database, file, memory, compact',
  'settings-sharing': 'public links, shared links, embed',
  'settings-privacy': 'outgoing, webhooks, network, requests, telemetry',
  'settings-geoip': 'country, city, location, IP address, map',
  'create-project': 'add project, workspace',
  'copy-host': 'address, url, endpoint, server, port',
  'copy-key': 'token, api key, phc, write key',
  resume: 'start, continue, unpause',
  'theme-system': 'auto, appearance, mode',
  'theme-light': 'bright, day, appearance, mode',
  'theme-dark': 'night, black, appearance, mode',
  sidebar: 'menu, navigation, hide',
  'api-reference': 'docs, documentation, help, endpoints, Swagger, OpenAPI',
  keys: 'shortcuts, hotkeys, help',
  'sign-out': 'log out, logout, quit, exit',
  'New personal API key': 'token, secret, credentials',
  'New member': 'invite, add user',
  'New flag': 'toggle, experiment',
  'New insight': 'chart, graph, trends, report',
  'New dashboard from file': 'import, JSON',
  'New cohort': 'segment, audience',
  'New annotation': 'note, release',
};

/** The other words for a command; none for most. */
export function synonymsOf(id: string): readonly string[] {
  if (id.startsWith('deleted-')) return ['delete', 'trash', 'restore', 'undo', 'recover'];
  if (id.startsWith('pause-')) return ['stop', 'disable', 'mute'];
  return SYNONYMS[id]?.split(', ') ?? [];
}

export const KNOWN_SYNONYMS = Object.keys(SYNONYMS);
