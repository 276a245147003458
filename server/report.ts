import type { Config } from './config.ts';
import type { ProjectRef } from './http/define-route.ts';
import { isLoopback } from './http/host-check.ts';
import type { Notice } from './lib/notices.ts';
import type { Serving } from './serve.ts';

interface Report {
  config: Config;
  serving: Serving;
  version: string;
  pid: number;
  /** What is wrong with the server as it starts. */
  notices: readonly Pick<Notice, 'title' | 'text'>[];
}

/** A key for everything, as the owner, until the process ends; `secret` is the same key of a server that has restarted since. */
export function giveRunKey({ app }: Serving, secret?: string): string {
  const { users, keys } = app.features;
  return keys.createRunKey(() => users.owner().id, { label: 'This run', scopes: ['*'], secret });
}

/** The line of `--json`: where the server is, and keys to use it with. */
export function readyLine({ config, serving, version, pid }: Report, personalApiKey: string): string {
  const project = currentProjectOf(serving);
  return JSON.stringify({
    url: serving.url,
    consoleUrl: serving.newConsoleUrl(),
    port: serving.port,
    pid,
    dataDir: config.ephemeral ? null : config.dataDir,
    projectId: project?.id ?? null,
    projectApiKey: project?.apiToken ?? null,
    personalApiKey,
    version,
  });
}

/** What a person reads who started the server; `linkCommand` prints another link. */
export function readyText({ config, serving, version, notices }: Report, linkCommand: string | null): string {
  const token = currentProjectOf(serving)?.apiToken ?? '';
  return `Burrow ${version} is running at ${serving.url}

  Console  ${serving.newConsoleUrl()}
           (signs you in once, within 10 minutes${linkCommand === null ? '' : `; for another, run: ${linkCommand}`})
  Token    ${token}
  Data     ${config.ephemeral ? 'in memory: lost when Burrow stops' : config.dataDir}
${openDoor(config)}${notices.map(({ title, text }) => `\n  ${title}. ${text}\n`).join('')}
Press Ctrl+C to stop.
`;
}

function openDoor({ host }: Config): string {
  if (isLoopback(host)) return '';
  return `\n  ${openDoorWarning(host)}\n`;
}

/** What listening beyond this machine means. */
export function openDoorWarning(host: string): string {
  return `Open to the network through ${host}: anyone who can reach this port can send events, and read flags and configuration with the project API key. The console and the API require a sign-in or a personal API key, over unencrypted HTTP.`;
}

/** The project that the owner looks at. */
function currentProjectOf({ app: { features } }: Serving): ProjectRef | null {
  return features.projects.find(features.users.actorFor(null).currentProjectId);
}
