import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { DemoProjectJson } from '../features/demo/index.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, write, type Terminal } from './terminal.ts';

const PATH = '/api/burrow/demo/';
/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;
const LIVE_LOOK_MS = 1000;

const liveState = z.object({
  at: z.string(),
  events: z.int(),
  problem: z.string().nullable(),
}) satisfies z.ZodType<Partial<NonNullable<DemoProjectJson['live']>>>;
const project = z.object({
  id: z.int(),
  name: z.string(),
  state: z.enum(['creating', 'ready', 'failed', 'incomplete']),
  progress: z.number(),
  events: z.int(),
  problem: z.string().nullable(),
  live: liveState.nullable(),
}) satisfies z.ZodType<Partial<Omit<DemoProjectJson, 'live'>>>;
const listOf = z.object({ results: z.array(project) });
const count = z.object({ results: z.array(z.array(z.number())) });

/** Creates a project with demo data and waits until it is ready, lets events come, or deletes those that there are. */
export async function demo({ dataDir, call }: Config, terminal: Terminal): Promise<void> {
  const client = await signIn(dataDir, terminal);
  try {
    if (call.remove) return await remove(client, call.project, terminal);
    if (!call.live) {
      for (const name of ['project', 'rate', 'script', 'at'] as const)
        if (call[name] !== null)
          throw new CommandError(
            `--${name} is only for ${name === 'project' ? '--live and --remove' : '--live'}.`,
          );
      return void (await create(client, call, terminal));
    }
    await live(client, call.project ?? (await create(client, call, terminal)), call, terminal);
  } finally {
    await client.close();
  }
}

/** Returns the ID of the project, once all of its events are stored. */
async function create(client: ServerClient, call: Config['call'], terminal: Terminal): Promise<number> {
  const { kind, size, seed } = call;
  const order = { ...(kind && { kind }), ...(size && { size }), ...(seed !== null && { seed }) };
  const { id, name } = project.parse(await client.json(PATH, { method: 'POST', body: order }));
  try {
    await wait(client, id, terminal);
  } catch (error) {
    // A project that is half full would be of no use.
    await client.remove(`${PATH}${id}/`);
    throw error;
  }
  const query = { kind: 'HogQLQuery', query: 'select count() from events' };
  const found = await client.json(`/api/projects/${id}/query/`, { method: 'POST', body: { query } });
  const events = count.parse(found).results[0]![0]!;
  await write(terminal, `Created project ${id}, ${shown(name)}: ${counted(events, 'event')}.\n`);
  return id;
}

/** Until Ctrl+C, which is how it ends. */
async function live(
  client: ServerClient,
  id: number,
  { rate, script, at }: Config['call'],
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr, signal, clock } = terminal;
  const body = {
    ...(rate !== null && { events_per_minute: rate }),
    ...(script && { script }),
    ...(at !== null && { at: nextMoment(at, clock()).toISOString() }),
  };
  const path = `${PATH}${id}/live/`;
  const started = project.parse(await client.json(path, { method: 'PUT', body }));
  const begins = script === null || script === 'steady' ? '' : `, ${script} at ${timeOf(started.live!.at)}`;
  let stored = 0;
  try {
    await write(
      terminal,
      `Events keep coming in project ${id}, ${shown(started.name)}${begins}. Ctrl+C ends it.\n`,
    );
    for (;;) {
      await sleep(LIVE_LOOK_MS, undefined, { signal });
      const { results } = listOf.parse(await client.json(PATH));
      const now = results.find((one) => one.id === id)?.live ?? null;
      if (now === null) throw new CommandError('Live mode was ended elsewhere.');
      stored = now.events;
      const state =
        now.problem === null ? counted(stored, 'event') : `${counted(stored, 'event')}. ${now.problem}`;
      if (stdout.isTTY === true) stderr.write(`\r${state} \u001b[K`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (stdout.isTTY === true) stderr.write('\r\u001b[K');
  }
  await client.remove(path);
  await write(terminal, `Ended after ${counted(stored, 'event')}.\n`);
}

/** The next time at which clocks of this computer show `text`. */
function nextMoment(text: string, now: number): Date {
  const [hour, minute] = text.split(':').map(Number);
  const moment = new Date(now);
  moment.setHours(hour!, minute!, 0, 0);
  if (+moment < now) moment.setDate(moment.getDate() + 1);
  return moment;
}

const timeOf = (moment: string): string =>
  new Date(moment).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });

/** Until all events are stored; shows the progress where a person looks. */
async function wait(client: ServerClient, id: number, { stdout, stderr, signal }: Terminal): Promise<void> {
  const isSeen = stdout.isTTY === true;
  for (;;) {
    const { results } = listOf.parse(await client.json(PATH));
    const found = results.find((one) => one.id === id);
    if (found === undefined) throw new CommandError('The demo data was removed while it was created.');
    if (found.state === 'failed')
      throw new CommandError(`The demo data could not be created. ${found.problem}`);
    if (isSeen)
      stderr.write(`\r${Math.floor(100 * found.progress)}%, ${counted(found.events, 'event')} \u001b[K`);
    if (found.state === 'ready') break;
    await sleep(LOOK_MS, undefined, { signal });
  }
  if (isSeen) stderr.write('\r\u001b[K');
}

async function remove(client: ServerClient, wanted: number | null, terminal: Terminal): Promise<void> {
  const { results } = listOf.parse(await client.json(PATH));
  const chosen = wanted === null ? results : results.filter(({ id }) => id === wanted);
  if (chosen.length === 0)
    throw new CommandError(
      wanted === null ? 'There is no project with demo data.' : `Project ${wanted} has no demo data.`,
    );
  for (const { id, name } of chosen) {
    (await client.open(`${PATH}${id}/`, { method: 'DELETE' })).resume();
    await write(terminal, `Removed project ${id}, ${shown(name)}.\n`);
  }
}
