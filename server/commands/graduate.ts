import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { CopyJson } from '../features/copies/index.ts';
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
export async function graduate({ call, dataDir, json }: Config, terminal: Terminal): Promise<void> {
  const host = call.to;
  if (host === null) throw new CommandError('graduate requires a host: --to https://eu.posthog.com.');
  const keys = {
    project_key: keyOf(terminal, '--project-key-env', call.projectKeyEnv),
    host_api_key: keyOf(terminal, '--personal-key-env', call.personalKeyEnv),
  };
  const client = await signIn(dataDir, terminal);
  try {
    const path = `/api/projects/${client.projectId(call.project)}/burrow/copies/`;
    const { id } = call.resume
      ? await resume(client, path, host, keys)
      : job.parse(
          await client.json(path, {
            method: 'POST',
            body: {
              host,
              ...keys,
              ...(call.hostProject !== null && { host_project: call.hostProject }),
              dry_run: call.dryRun,
            },
          }),
        );
    const own = `${path}${id}/`;
    const ended = await wait(client, own, terminal);
    if (json) await write(terminal, `${JSON.stringify(ended)}\n`);
    else await write(terminal, textOf(ended));
  } finally {
    await client.close();
  }
}

function keyOf({ env }: Terminal, option: string, name: string | null): string {
  if (name === null)
    throw new CommandError(`graduate requires ${option}, the name of an environment variable with the key.`);
  const key = env[name];
  if (!key) throw new CommandError(`The environment variable ${shown(name)} of ${option} is not set.`);
  return key;
}

async function resume(client: ServerClient, path: string, host: string, keys: object): Promise<Job> {
  const { results } = list.parse(await client.json(path));
  const origin = URL.canParse(host) ? new URL(host).origin : host;
  const found = results.find(
    (one) =>
      one.direction === 'to_host' &&
      one.host === origin &&
      (one.state === 'failed' || one.state === 'canceled' || one.state === 'interrupted'),
  );
  if (found === undefined) throw new CommandError(`There is no copy to ${shown(host)} that could go on.`);
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

function textOf({ state, host, host_project: project, totals, copied, ...rest }: Job): string {
  const isDryRun = state === 'checked';
  const { events, persons, groups, definitions } = isDryRun ? totals : copied;
  const amounts = `${counted(events, 'event')}, ${counted(persons, 'person')}, ${counted(groups, 'group')} and ${counted(definitions, 'definition')}`;
  const lines = [
    isDryRun
      ? `Would copy ${amounts} to ${shown(host)}.`
      : `Copied ${amounts} to ${shown(host)}, project ${shown(project)}.`,
  ];
  if (rest.added_events > 0)
    lines.push(
      `${counted(rest.added_events, 'event')} more complete persons and groups, with the property $import_job_id.`,
    );
  for (const { what, source, target } of rest.checks)
    if (target === null)
      lines.push(`${what}: ${source ?? '?'} here; there they cannot be read with this key.`);
    else if (source !== target) lines.push(`${what}: ${source ?? '?'} here, ${target} there.`);
  if (!isDryRun && rest.checks.every(({ source, target }) => source === target))
    lines.push('Counted on both sides: equal.');
  for (const { what, count, reason } of rest.not_copied)
    lines.push(`Not copied: ${what}${count > 0 ? ` (${count})` : ''}. ${shown(reason)}`);
  return `${lines.join('\n')}\n`;
}
