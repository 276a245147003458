import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { DemoProjectJson } from '../features/demo/index.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, write, type Terminal } from './terminal.ts';

const PATH = '/api/burrow/demo/';
/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;

const project = z.object({
  id: z.int(),
  name: z.string(),
  state: z.enum(['creating', 'ready', 'failed', 'incomplete']),
  progress: z.number(),
  events: z.int(),
  problem: z.string().nullable(),
}) satisfies z.ZodType<Partial<DemoProjectJson>>;
const listOf = z.object({ results: z.array(project) });
const count = z.object({ results: z.array(z.array(z.number())) });

/** Creates a project with demo data and waits until it is ready, or deletes those that there are. */
export async function demo({ dataDir, call }: Config, terminal: Terminal): Promise<void> {
  const client = await signIn(dataDir, terminal);
  try {
    if (call.remove) return await remove(client, call.project, terminal);
    if (call.project !== null) throw new CommandError('--project is only for --remove.');
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
    const body = { query };
    const found = await client.json(`/api/projects/${id}/query/`, { method: 'POST', body });
    const events = count.parse(found).results[0]![0]!;
    await write(
      terminal,
      `Created project ${id}, ${shown(name)}: ${counted(events, 'event')}.
`,
    );
  } finally {
    await client.close();
  }
}

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
