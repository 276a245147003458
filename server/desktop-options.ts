import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './lib/config-error.ts';
import { readConfig, SETTINGS_FILE, settingProblem, type Config, type Machine } from './config.ts';
import { listen, type ListenError } from './listen.ts';

/** The options that the desktop app's settings show, by name. */
const SHOWN = ['port', 'host', 'memory-limit', 'log-level'] as const;
type ShownOption = (typeof SHOWN)[number];

export interface OptionReport {
  name: ShownOption;
  /** What the server runs with. */
  running: string;
  /** What its next start takes; bytes for a size. */
  value: string;
  default: string;
  /** Where `value` comes from: `--port`, `BURROW_PORT` or `settings.json`; null: it is the default. */
  source: string | null;
}

/** Option and sentence; null: what is wrong is the file. */
export interface OptionProblem {
  name: ShownOption | null;
  text: string;
}

export interface DesktopOptions {
  /** Throws ConfigError when the file holds no settings any more. */
  list(): OptionReport[];
  /** Writes options into the settings of the data folder, or removes those that are null; nothing when there is a problem. */
  change(changes: Readonly<Record<string, string | null>>): Promise<OptionProblem[]>;
}

interface Options {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  machine: Machine;
  /** The one that this server listens on. */
  port: () => number;
  readSettings: (dataDir: string) => Record<string, unknown>;
}

/** What the desktop app can read and set while the server runs; it counts from the next start. */
export function createDesktopOptions({ argv, env, machine, port, readSettings }: Options): DesktopOptions {
  // The port that windows still show hides the one that is set.
  const given = { ...env, BURROW_KEPT_PORT: undefined };
  const configWith = (settings: (dataDir: string) => Record<string, unknown>): Config =>
    readConfig(argv, given, machine, settings);
  const atStart = configWith(readSettings);
  const defaults = readConfig(['serve'], {}, machine);

  function list(): OptionReport[] {
    const next = configWith(readSettings);
    return SHOWN.map((name) => ({
      name,
      running: name === 'port' && atStart.port !== 0 ? String(port()) : valueOf(atStart, name),
      value: valueOf(next, name),
      default: valueOf(defaults, name),
      source: next.sources[name] ?? null,
    }));
  }

  async function change(changes: Readonly<Record<string, string | null>>): Promise<OptionProblem[]> {
    const problems = problemsOf(changes, atStart);
    if (problems.length > 0) return problems;
    const { dataDir } = atStart;
    const settings = { ...readSettings(dataDir), ...changes };
    for (const [name, value] of Object.entries(changes)) if (value === null) delete settings[name];
    const next = configWith(() => settings);
    const cannot = await listenProblem(next);
    if (cannot !== null) return [cannot];
    const file = join(dataDir, SETTINGS_FILE);
    const draft = `${file}.new`;
    writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
    return [];
  }

  /** Only what changes is tried: this server holds its own port. */
  async function listenProblem({ host, port: wanted }: Config): Promise<OptionProblem | null> {
    try {
      if (host !== atStart.host) await tryListening(host, 0);
    } catch (error) {
      return { name: 'host', text: (error as ListenError).message };
    }
    try {
      if (wanted !== port() && wanted !== 0) await tryListening(host, wanted);
    } catch (error) {
      return { name: 'port', text: (error as ListenError).message };
    }
    return null;
  }

  return { list, change };
}

function problemsOf(
  changes: Readonly<Record<string, string | null>>,
  { ephemeral, sources }: Config,
): OptionProblem[] {
  if (ephemeral) return [{ name: null, text: 'This server stores nothing, and no settings either.' }];
  return Object.entries(changes).flatMap(([key, value]) => {
    const name = SHOWN.find((option) => option === key);
    if (name === undefined) throw new ConfigError(`${key} cannot be set here.`);
    const source = sources[name];
    if (source !== undefined && source !== SETTINGS_FILE) return [{ name, text: `Set by ${source}.` }];
    const problem = value === null ? null : settingProblem(name, value);
    return problem === null ? [] : [{ name, text: `${problem[0]!.toUpperCase()}${problem.slice(1)}.` }];
  });
}

/** Throws ListenError. */
async function tryListening(host: string, port: number): Promise<void> {
  await (await listen(() => undefined, host, port)).drain();
}

function valueOf(config: Config, name: ShownOption): string {
  const values = {
    port: config.port,
    host: config.host,
    'memory-limit': config.memoryLimit,
    'log-level': config.logLevel,
  };
  return String(values[name]);
}
