import type { Config } from './config.ts';
import { isLoopback } from './http/host-check.ts';
import type { Serving } from './serve.ts';

interface Report {
  config: Config;
  serving: Serving;
  version: string;
  pid: number;
}

/** The line of `--json`: where the server is, and keys to use it with. */
export function readyLine({ config, serving, version, pid }: Report): string {
  const { users, projects, keys } = serving.app.features;
  const owner = users.owner();
  const project = projects.find(owner.currentProjectId ?? 1);
  return JSON.stringify({
    url: serving.url,
    consoleUrl: serving.newConsoleUrl(),
    port: serving.port,
    pid,
    dataDir: config.ephemeral ? null : config.dataDir,
    projectId: project?.id ?? null,
    projectApiKey: project?.apiToken ?? null,
    personalApiKey: keys.createRunKey(owner.id, { label: 'This run', scopes: ['*'] }),
    version,
  });
}

/** What a person reads who started the server. */
export function readyText({ config, serving, version }: Report): string {
  const { users, projects } = serving.app.features;
  const token = projects.find(users.owner().currentProjectId ?? 1)?.apiToken ?? '';
  return `Burrow ${version} runs at ${serving.url}

  Console  ${serving.newConsoleUrl()}
           (signs you in once, within ten minutes; "burrow url" prints another)
  Token    ${token}
  Data     ${config.ephemeral ? 'in memory: gone when Burrow stops' : config.dataDir}
${openDoor(config)}
Press Ctrl+C to stop.
`;
}

function openDoor({ host }: Config): string {
  if (isLoopback(host)) return '';
  return `\n  ${openDoorWarning(host)}\n`;
}

/** What listening beyond this machine means. */
export function openDoorWarning(host: string): string {
  return `Open to the network through ${host}: whoever reaches this port can send events, and read flags and configuration with the token. Console and API ask for a sign-in or a personal key, over unencrypted HTTP.`;
}
