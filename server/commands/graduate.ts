import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { CopyJson } from '../features/copies/index.ts';
import { ConfigError } from '../lib/config-error.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, write, type Terminal } from './terminal.ts';

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;

const amounts = z.object({ events: z.int(), persons: z.int(), groups: z.int(), definitions: z.int() });
const job = z.looseObject({
  id: z.string(),
  direction: z.enum(['to_host', 'from_host']),
  host: z.string(),
  host_project: z.string(),
  state: z.enum(['running', 'checked', 'done', 'failed', 'canceled', 'interrupted']),
  phase: z.enum(['start', 'events', 'persons', 'groups', 'definitions', 'check', 'done']),
  totals: amounts,
  copied: amounts,
  added_events: z.int(),
  not_copied: z.array(z.object({ what: z.string(), count: z.int(), reason: z.string() })),
  checks: z.array(z.object({ what: z.string(), source: z.int().nullable(), target: z.int().nullable() })),
  problem: z.string().nullable(),
}) satisfies z.ZodType<Partial<CopyJson>>;
type Job = z.output<typeof job>;
const list = z.object({ results: z.array(job) });

/** Copies a project to a host, and says what is there and what is not. */
export async function graduate(config: Config, terminal: Terminal): Promise<void> {
  const { call } = config;
  if (call.to === null) throw new ConfigError('graduate requires a host: --to https://posthog.example.');
  // A dry run calls no host.
  const keys = call.dryRun
    ? {}
    : {
        project_key: keyOf(terminal, 'graduate', '--project-key-env', call.projectKeyEnv),
        host_api_key: keyOf(terminal, 'graduate', '--personal-key-env', call.personalKeyEnv),
      };
  const order = {
    host: call.to,
    ...keys,
    ...(call.hostProject !== null && { host_project: call.hostProject }),
    dry_run: call.dryRun,
  };
  await copy(config, terminal, { direction: 'to_host', path: 'copies/', order, keys });
}

/** Imports a project of a host: events, persons, groups and definitions. */
export async function importFromHost(config: Config, terminal: Terminal): Promise<void> {
  const { call } = config;
  if (call.hostProject === null)
    throw new ConfigError('import --from-host requires the ID of the project there: --host-project.');
  const keys = { host_api_key: keyOf(terminal, 'import --from-host', '--key-env', call.keyEnv) };
  const order = { host: call.fromHost!, ...keys, project_id: call.hostProject, dry_run: call.dryRun };
  await copy(config, terminal, { direction: 'from_host', path: 'imports/from_host/', order, keys });
}

interface Order {
  direction: CopyJson['direction'];
  /** Below `burrow/` of the project. */
  path: string;
  order: { host: string };
  /** What a copy that goes on needs again. */
  keys: object;
}

async function copy(
  { call, dataDir, json }: Config,
  terminal: Terminal,
  { direction, path, order, keys }: Order,
): Promise<void> {
  const client = await signIn(dataDir, terminal);
  try {
    const project = `/api/projects/${client.projectId(call.project)}/burrow/`;
    const copies = `${project}copies/`;
    const { id } = call.resume
      ? await resume(client, copies, direction, order.host, keys)
      : job.parse(await client.json(project + path, { method: 'POST', body: order }));
    const ended = await wait(client, `${copies}${id}/`, terminal);
    if (json) await write(terminal, `${JSON.stringify(ended)}\n`);
    else await write(terminal, textOf(ended));
  } finally {
    await client.close();
  }
}

function keyOf({ env }: Terminal, command: string, option: string, name: string | null): string {
  if (name === null)
    throw new ConfigError(`${command} requires ${option}, the name of an environment variable with the key.`);
  const key = env[name];
  if (!key) throw new CommandError(`The environment variable ${shown(name)} of ${option} is not set.`);
  return key;
}

async function resume(
  client: ServerClient,
  path: string,
  direction: CopyJson['direction'],
  host: string,
  keys: object,
): Promise<Job> {
  const { results } = list.parse(await client.json(path));
  const origin = URL.canParse(host) ? new URL(host).origin : host;
  const found = results.find(
    (one) =>
      one.direction === direction &&
      one.host === origin &&
      (one.state === 'failed' || one.state === 'canceled' || one.state === 'interrupted'),
  );
  if (found === undefined)
    throw new CommandError(
      `There is no copy ${direction === 'to_host' ? 'to' : 'from'} ${shown(host)} that could go on.`,
    );
  return job.parse(await client.json(`${path}${found.id}/resume/`, { method: 'POST', body: keys }));
}

/** Until it has ended; shows the progress where a person looks. Ctrl+C ends the copy too. */
async function wait(client: ServerClient, own: string, { stdout, stderr, signal }: Terminal): Promise<Job> {
  const isSeen = stdout.isTTY === true;
  for (;;) {
    const found = job.parse(await client.json(own));
    const { state, phase, copied, totals, problem } = found;
    if (state === 'failed' || state === 'interrupted')
      throw new CommandError(`The copy ended in the phase ${phase}: ${problem} Go on with --resume.`);
    if (state === 'canceled') throw new CommandError('The copy was canceled. Go on with --resume.');
    if (isSeen) stderr.write(`\r${phase}: ${copied.events} of ${counted(totals.events, 'event')} \u001b[K`);
    if (state === 'done' || state === 'checked') {
      if (isSeen) stderr.write('\r\u001b[K');
      return found;
    }
    try {
      await sleep(LOOK_MS, undefined, { signal });
    } catch (error) {
      await client.lastly(`${own}cancel/`, 'POST');
      throw error;
    }
  }
}

function textOf(found: Job): string {
  const { state, direction, host, host_project: project, totals, copied, checks } = found;
  const isDryRun = state === 'checked';
  const isThere = direction === 'to_host';
  const way = isThere ? 'to' : 'from';
  const { events, persons, groups, definitions } = isDryRun ? totals : copied;
  const amounts = `${counted(events, 'event')}, ${counted(persons, 'person')}, ${counted(groups, 'group')} and ${counted(definitions, 'definition')}`;
  const lines = [
    isDryRun
      ? `Would copy ${amounts} ${way} ${shown(host)}.`
      : `Copied ${amounts} ${way} ${shown(host)}, project ${shown(project)}.`,
  ];
  if (found.added_events > 0)
    lines.push(
      `${counted(found.added_events, 'event')} more complete persons and groups, with the property $import_job_id.`,
    );
  for (const { what, source, target } of checks) {
    const [here, there] = isThere ? [source, target] : [target, source];
    if (here === there) continue;
    lines.push(
      `${what}: ${here ?? 'unknown'} here, ${there === null ? 'not readable with this key' : there} there.`,
    );
  }
  if (checks.length > 0 && checks.every(({ source, target }) => source === target))
    lines.push('Counted on both sides: equal.');
  for (const { what, count, reason } of found.not_copied)
    lines.push(`Not copied: ${what}${count > 0 ? ` (${count})` : ''}. ${shown(reason)}`);
  return `${lines.join('\n')}\n`;
}
