/** The commands and options of the command line. Parser, help, manual page and completions all read these tables. */

export interface OptionRow {
  /** The name of the value in the help; null: a switch. */
  value: string | null;
  help: string;
  repeatable?: boolean;
  /** Only as environment variable: command lines are readable by every user of the machine. */
  onlyEnvironment?: boolean;
  /** Of one call, and not of an installation: it has no environment variable. */
  onlyArgument?: boolean;
  /** One letter behind a single dash. */
  short?: string;
  choices?: readonly string[];
  /** What shells complete its value with. */
  completes?: 'file' | 'folder';
}

/** Every option, in the order of the help. */
export const OPTIONS = {
  port: { value: '<number>', help: 'Port to listen on; 0 selects any free port (default 2877)' },
  host: { value: '<address>', help: 'Address to listen on (default 127.0.0.1, this machine only)' },
  'data-dir': {
    value: '<folder>',
    help: "Folder of the database (default: the system's application data folder)",
    completes: 'folder',
  },
  ephemeral: { value: null, help: 'Keep all data in memory; nothing is stored on disk' },
  json: { value: null, help: 'Print one JSON line with the URL and the keys when ready' },
  'exit-with-stdin': {
    value: null,
    help: 'End when standard input ends, and so with the process that started it',
  },
  'max-body': { value: '<size>', help: 'Maximum size of an ingestion request (default 20971520 bytes)' },
  'memory-limit': { value: '<size>', help: 'Memory limit of DuckDB (default 25% of RAM, up to 2GB)' },
  'allowed-host': {
    value: '<name>',
    help: 'Additional host name for the console and management API; can be repeated',
    repeatable: true,
  },
  'trust-proxy': { value: null, help: 'Trust X-Forwarded-Host and X-Forwarded-Proto' },
  'geoip-file': {
    value: '<file>',
    help: 'City .mmdb for GeoIP (default: the built-in country file)',
    completes: 'file',
  },
  flags: {
    value: '<file>',
    help: 'Flag file to import at startup, exported by Burrow or a PostHog API response',
    completes: 'file',
  },
  warehouse: {
    value: '<address>',
    help: 'ClickHouse beside the file, as clickhouse://user@host:8123/database (docs/growing.md); with a password, use the environment variable',
  },
  'rate-limits': {
    value: null,
    help: 'Rate limits: those of PostHog for personal API keys, and one per project API key',
  },
  'log-level': {
    value: '<level>',
    help: 'debug, info, warn or error (default info)',
    choices: ['debug', 'info', 'warn', 'error'],
  },
  fast: {
    value: '<on|off>',
    help: 'off: no fast paths (docs/threads.md), to compare results and speed (default on)',
    onlyEnvironment: true,
  },
  'project-api-key': {
    value: '<key>',
    help: 'Project API key of the first project, used at first start',
    onlyEnvironment: true,
  },
  'personal-api-key': {
    value: '<key>',
    help: 'Personal API key of the owner, used at first start',
    onlyEnvironment: true,
  },
  project: {
    value: '<id>',
    help: 'ID of the project (default: the one that the console shows)',
    onlyArgument: true,
  },
  event: { value: '<name>', help: 'Only events of this name', onlyArgument: true },
  all: { value: null, help: 'Everything of the project, to a folder or a ZIP archive', onlyArgument: true },
  events: {
    value: '<names>',
    help: 'Only events of these names, with commas between them',
    onlyArgument: true,
  },
  property: {
    value: '<name=value>',
    help: 'Only events with this property; can be repeated, and all must match',
    repeatable: true,
    onlyArgument: true,
  },
  from: {
    value: '<time>',
    help: 'Only events from this time on: 2026-11-20, 2026-11-20T09:30:00Z (UTC), or -7d',
    onlyArgument: true,
  },
  to: { value: '<time>', help: 'Only events up to this time; a day is included', onlyArgument: true },
  format: { value: '<format>', help: 'Format of the output', onlyArgument: true },
  output: {
    value: '<file>',
    help: 'File to write (default: standard output)',
    onlyArgument: true,
    short: 'o',
    completes: 'file',
  },
  force: { value: null, help: 'Replace a file that exists', onlyArgument: true },
  'allow-writes': { value: null, help: 'Let assistants create, change and delete too', onlyArgument: true },
  kind: {
    value: '<product>',
    help: 'saas, shop or app (default saas)',
    onlyArgument: true,
    choices: ['saas', 'shop', 'app'],
  },
  size: {
    value: '<size>',
    help: 'small, medium or large: about 10,000, 100,000 or 1,000,000 events (default medium)',
    onlyArgument: true,
    choices: ['small', 'medium', 'large'],
  },
  seed: {
    value: '<number>',
    help: 'Another number gives other events; the same one gives the same (default 1)',
    onlyArgument: true,
  },
  remove: { value: null, help: 'Delete the projects with demo data, and create none', onlyArgument: true },
  live: {
    value: null,
    help: 'Let events keep coming until Ctrl+C, in a new project or in that of --project',
    onlyArgument: true,
  },
  rate: { value: '<number>', help: 'Events a minute of --live (default 60)', onlyArgument: true },
  script: {
    value: '<script>',
    help: 'What happens with --live: steady, launch or outage (default steady)',
    onlyArgument: true,
    choices: ['steady', 'launch', 'outage'],
  },
  at: {
    value: '<time>',
    help: 'When the launch or the outage begins, as 14:00 (default: now)',
    onlyArgument: true,
  },
  mapping: {
    value: '<name|file>',
    help: 'Saved mapping of columns, or a JSON file with one',
    onlyArgument: true,
    completes: 'file',
  },
  timezone: { value: '<zone>', help: 'Time zone of times that name none (default UTC)', onlyArgument: true },
  'dry-run': { value: null, help: 'Read everything and store nothing', onlyArgument: true },
  'project-key-env': {
    value: '<name>',
    help: 'Environment variable with the project key of the host',
    onlyArgument: true,
  },
  'personal-key-env': {
    value: '<name>',
    help: 'Environment variable with a personal API key of the host',
    onlyArgument: true,
  },
  'host-project': {
    value: '<id>',
    help: 'ID of the project on the host (default: the one that the key is in)',
    onlyArgument: true,
  },
  'from-host': {
    value: '<host>',
    help: 'Host to import a project from, as https://posthog.example',
    onlyArgument: true,
  },
  'key-env': {
    value: '<name>',
    help: 'Environment variable with a personal API key of that host',
    onlyArgument: true,
  },
  resume: {
    value: null,
    help: 'Go on with the last copy of this host that did not end',
    onlyArgument: true,
  },
  print: { value: null, help: 'Print the sign-in link, and open nothing', onlyArgument: true },
  'no-color': { value: null, help: 'No colors; also with NO_COLOR in the environment', onlyArgument: true },
  man: { value: null, help: 'Print the manual page in troff format', onlyArgument: true },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

export interface ArgumentRow {
  /** As the usage line has it: `<file>` is required, `[file]` is not. */
  name: string;
  /** What a command without it says that it requires; null: it is optional. */
  required: string | null;
  choices?: readonly string[];
  /** It is a path, which is resolved from the working folder. */
  isFile?: boolean;
}

export interface CommandRow {
  /** One line. */
  summary: string;
  /** Further sentences for the help of the command. */
  about?: string;
  argument?: ArgumentRow;
  /** The options of the command, with what differs from OPTIONS. */
  options: { readonly [Name in OptionName]?: Partial<OptionRow> };
  examples?: readonly string[];
}

const DATA_DIR = { 'data-dir': {} };

/** Screens of the console by the first part of their address. */
export const PAGES = [
  'home',
  'live',
  'insights',
  'dashboards',
  'sql',
  'persons',
  'groups',
  'cohorts',
  'flags',
  'playground',
  'data',
  'actions',
  'annotations',
  'activity',
  'ingestion',
  'connect',
  'settings',
] as const;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Every command, in the order of the help. */
export const COMMANDS = {
  serve: {
    summary: 'Start the server (also without a command)',
    options: {
      port: {},
      host: {},
      ...DATA_DIR,
      ephemeral: {},
      json: {},
      'exit-with-stdin': {},
      'max-body': {},
      'memory-limit': {},
      'allowed-host': {},
      'trust-proxy': {},
      'geoip-file': {},
      flags: {},
      warehouse: {},
      'rate-limits': {},
      'log-level': {},
      fast: {},
      'project-api-key': {},
      'personal-api-key': {},
    },
    examples: ['serve --port 3000', 'serve --ephemeral --port 0 --json'],
  },
  open: {
    summary: 'Open the console of the running server in the browser, signed in',
    about: 'BURROW_DESKTOP in the environment names a program that is started instead of the browser.',
    argument: { name: '[page]', required: null, choices: PAGES },
    options: { print: {}, project: {}, ...DATA_DIR },
    examples: ['open', 'open insights', 'open settings/storage --print'],
  },
  url: {
    summary: 'Print a new sign-in link for the console of the running server',
    options: { ...DATA_DIR },
  },
  tail: {
    summary: 'Print events of the running server as they arrive',
    about:
      'It continues when the server restarts, and ends with Ctrl+C. Of more than 200 events per second some are not shown.',
    options: {
      event: {},
      property: {},
      project: {},
      json: { help: 'Print each event as one line of JSON' },
      'no-color': {},
      ...DATA_DIR,
    },
    examples: ['tail --event "invoice paid" --property plan=pro', 'tail --json'],
  },
  query: {
    summary: 'Run a HogQL statement on the running server',
    about:
      'A table has the first 100 rows, or as many as the LIMIT of the statement; the other formats have all rows.',
    argument: {
      name: '<HogQL>',
      required: 'a HogQL statement, or - to read one from standard input',
    },
    options: {
      format: {
        choices: ['table', 'json', 'csv', 'jsonl'],
        help: 'table, json, csv or jsonl (default table)',
      },
      project: {},
      'no-color': {},
      ...DATA_DIR,
    },
    examples: [
      'query "select event, count() from events group by event order by 2 desc"',
      'query - --format csv < report.sql',
    ],
  },
  export: {
    summary: 'Export events of the running server to a file, or everything of a project',
    about:
      "Events that were received when it began, oldest first (Parquet without --all: in no order), with the fields of PostHog's batch exports. --all writes events, persons, groups and definitions to the folder or the .zip archive that is named. What is written gets its name when it is complete.",
    argument: { name: '[folder|archive.zip]', required: null, isFile: true },
    options: {
      all: {},
      format: { choices: ['jsonl', 'csv', 'parquet'], help: 'jsonl, csv or parquet (default jsonl)' },
      output: {},
      force: {},
      from: {},
      to: {},
      event: {},
      events: { help: 'With --all: only events of these names, with commas between them' },
      project: {},
      ...DATA_DIR,
    },
    examples: [
      'export -o events.jsonl',
      'export --format parquet --from -30d -o events.parquet',
      'export --all paperboat.zip',
      'export --all paperboat --format parquet --from 2026-11-01',
    ],
  },
  import: {
    summary: 'Import a file of events into the running server',
    about:
      'CSV, TSV, JSON, JSON lines, Parquet or an access log, also in gzip or ZIP; the format is recognized. Imported again, nothing is stored twice. Ctrl+C ends it, and what is stored stays. --from-host imports a project of PostHog or of another Burrow instead: events, persons, groups and definitions.',
    argument: { name: '[file]', required: null, isFile: true },
    options: {
      format: {
        choices: [
          'posthog',
          'posthog_persons',
          'segment',
          'amplitude',
          'mixpanel',
          'mixpanel_people',
          'umami',
          'matomo',
          'ga4',
          'access_log',
          'custom',
        ],
        help: 'Format of the file (default: recognized)',
      },
      mapping: {},
      timezone: {},
      'dry-run': {},
      output: { help: 'File to write the rows to that are not imported' },
      force: {},
      'from-host': {},
      'key-env': {},
      'host-project': { help: 'ID of the project on the host' },
      resume: {},
      json: { help: 'Print the result as one line of JSON' },
      project: {},
      ...DATA_DIR,
    },
    examples: [
      'import events.jsonl.gz',
      'import orders.csv --timezone Europe/Berlin --dry-run',
      'import orders.csv --mapping Orders -o not-imported.csv',
      'import --from-host https://posthog.example --key-env POSTHOG_KEY --host-project 12345',
    ],
  },
  demo: {
    summary: 'Create a project with the demo data of a year on the running server',
    about:
      'A product of its own with events, dashboards, flags, cohorts, a survey and annotations. Ctrl+C cancels it. --live lets events keep coming, for a talk. --remove deletes all of it, or with --project one project.',
    options: {
      kind: {},
      size: {},
      seed: {},
      live: {},
      rate: {},
      script: {},
      at: {},
      remove: {},
      project: { help: 'ID of the project, for --live and --remove' },
      ...DATA_DIR,
    },
    examples: [
      'demo',
      'demo --kind shop --size large',
      'demo --live --rate 120 --script outage --at 14:00',
      'demo --remove',
    ],
  },
  graduate: {
    summary: 'Copy a project to a host with the API of PostHog',
    about:
      'Events with their times and IDs, persons, groups, cohorts, actions, flags, dashboards and insights; the owner allows it in Settings > Privacy. Sent again, nothing is stored twice. Ctrl+C ends it, and --resume goes on.',
    options: {
      to: { value: '<host>', help: 'Host to copy to, as https://posthog.example' },
      'project-key-env': {},
      'personal-key-env': {},
      'host-project': {},
      'dry-run': { help: 'Count what there is to copy, and send nothing' },
      resume: {},
      json: { help: 'Print the result as one line of JSON' },
      project: {},
      ...DATA_DIR,
    },
    examples: [
      'graduate --to https://posthog.example --project-key-env TO_PROJECT --personal-key-env TO_PERSONAL --dry-run',
      'graduate --to https://posthog.example --project-key-env TO_PROJECT --personal-key-env TO_PERSONAL',
    ],
  },
  backup: {
    summary: 'Create a verified backup, while the server runs or while none does',
    argument: { name: '[file]', required: null, isFile: true },
    about: 'Without a file it is created in the folder "backups" of the data folder, named by its time.',
    options: { force: {}, 'memory-limit': {}, ...DATA_DIR },
    examples: ['backup', 'backup before-migration.duckdb'],
  },
  warehouse: {
    summary: 'Show ClickHouse beside the file, wait until it has everything, or compare both',
    about:
      'status shows how far it has come, copy waits until what was stored before is there and compares, check compares rows and checksums. The server is started with --warehouse (docs/growing.md).',
    argument: { name: '[action]', required: null, choices: ['status', 'copy', 'check'] },
    options: { json: { help: 'Print the result as one line of JSON' }, ...DATA_DIR },
    examples: ['warehouse', 'warehouse copy', 'warehouse check --json'],
  },
  mcp: {
    summary: 'Serve assistants by the Model Context Protocol on standard input and output',
    about:
      'It is started by the assistant (docs/assistants.md), reads as the owner of the running server, and changes nothing without --allow-writes.',
    options: { 'allow-writes': {}, project: {}, ...DATA_DIR },
    examples: ['mcp', 'mcp --allow-writes --project 2'],
  },
  restore: {
    summary: 'Replace the database with a backup; the current database is kept',
    argument: { name: '<file>', required: 'the path of a backup file', isFile: true },
    options: { 'memory-limit': {}, ...DATA_DIR },
  },
  check: {
    summary: 'Verify the database, or a backup',
    argument: { name: '[file]', required: null, isFile: true },
    options: { json: { help: 'Print the result as one line of JSON' }, 'memory-limit': {}, ...DATA_DIR },
  },
  completion: {
    summary: 'Print a script that completes commands and options in a shell',
    about: 'bash: eval "$(burrow completion bash)". zsh: the same. fish: burrow completion fish | source',
    argument: { name: '<shell>', required: 'a shell: bash, zsh or fish', choices: SHELLS },
    options: {},
  },
  help: {
    summary: 'Print this text, or the help of a command',
    argument: { name: '[command]', required: null },
    options: { man: {} },
  },
  version: { summary: 'Print the version', options: {} },
} as const satisfies Record<string, CommandRow>;

export type Command = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as Command[];

export function isCommand(name: string): name is Command {
  return Object.hasOwn(COMMANDS, name);
}

export function commandRow(command: Command): CommandRow {
  return COMMANDS[command];
}

/** The options of a command, with their help. */
export function optionsOf(command: Command): [OptionName, OptionRow][] {
  const own: CommandRow['options'] = COMMANDS[command].options;
  return (Object.keys(own) as OptionName[]).map((name) => [name, { ...OPTIONS[name], ...own[name] }]);
}

/** The environment variable of an option: `data-dir` -> `BURROW_DATA_DIR`. */
export function variableOf(option: string): string {
  return `BURROW_${option.toUpperCase().replaceAll('-', '_')}`;
}

export const EXIT_CODES = [
  ['0', 'Success: all accepted events are stored'],
  ['1', 'Failure: no server is running, port in use, database damaged, query refused, or unexpected'],
  ['2', 'Invalid command, option or value'],
  ['3', 'The data folder is used by another process'],
] as const;
