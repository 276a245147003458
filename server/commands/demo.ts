import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { demoApi, type DemoProjectJson } from '../features/demo/demo.contract.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, write, type Terminal } from './terminal.ts';

const PATH = '/api/burrow/demo/';
/** Milliseconds between two looks at the progress. */
const LOOK_MS = 250;

const listOf = demoApi['GET /api/burrow/demo/'].response;
const created = demoApi['POST /api/burrow/demo/'].response;
const count = z.object({ results: z.array(z.array(z.number())) });

/** Creates a project with demo data and waits until it is ready, or deletes those that there are. */
export async function demo({ dataDir, call }: Config, terminal: Terminal): Promise<void> {
  const client = await signIn(dataDir, terminal);
  try {
    if (call.remove) return await remove(client, call.project, terminal);
    if (call.project !== null) throw new CommandError('--project is only for --remove.');
    const { kind, size, seed } = call;
    const order = { ...(kind && { kind }), ...(size && { size }), ...(seed !== null && { seed }) };
    const project = created.parse(await client.json(PATH, { method: 'POST', body: order }));
    try {
      await wait(client, project.id, terminal);
    } catch (error) {
      // A project that is half full would be of no use.
      await client.remove(`${PATH}${project.id}/`);
      throw error;
    }
    const query = { kind: 'HogQLQuery', query: 'select count() from events' };
    const body = { query };
    const found = await client.json(`/api/projects/${project.id}/query/`, { method: 'POST', body });
    const events = count.parse(found).results[0]![0]!;
    await write(
      terminal,
      `Created project ${project.id}, ${shown(project.name)}: ${counted(events, 'event')}.\n` +
        `Open it with: burrow open --project ${project.id}\nRemove it with: burrow demo --remove\n`,
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
    const project: DemoProjectJson | undefined = results.find((one) => one.id === id);
    if (project === undefined) throw new CommandError('The demo data was removed while it was created.');
    if (project.state === 'failed')
      throw new CommandError(`The demo data could not be created. ${project.problem}`);
    if (isSeen)
      stderr.write(`\r${Math.floor(100 * project.progress)}%, ${counted(project.events, 'event')} \u001b[K`);
    if (project.state === 'ready') break;
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
