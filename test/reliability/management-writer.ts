import { expect } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { send } from './send.ts';
import { isBrokenConnection, WriteModel } from './write-model.ts';

type Fields = Record<string, unknown>;

/** Objects of one path below `P/`: the field that names them, and what their version `n` holds. */
interface Kind {
  path: string;
  name: string;
  fields: (version: number, home: number) => Fields;
}

const KINDS: readonly Kind[] = [
  {
    path: 'insights',
    name: 'name',
    fields: (version, home) => ({
      description: `v${version}`,
      favorited: version % 2 === 0,
      dashboards: version % 3 === 0 ? [home] : [],
      query: { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [seriesOf(version)] } },
    }),
  },
  {
    path: 'dashboards',
    name: 'name',
    fields: (version) => ({ description: `v${version}`, pinned: version % 2 === 0, tags: [`v${version}`] }),
  },
  {
    path: 'feature_flags',
    name: 'key',
    fields: (version) => ({
      name: `v${version}`,
      active: version % 2 === 0,
      filters: { groups: [{ properties: [], rollout_percentage: version % 100 }] },
    }),
  },
  {
    path: 'annotations',
    name: 'content',
    fields: (version) => ({
      date_marker: new Date(Date.UTC(2026, 0, 1) + version * 1_000).toISOString().replace('Z', '000Z'),
      scope: version % 2 === 0 ? 'project' : 'organization',
    }),
  },
  {
    path: 'cohorts',
    name: 'name',
    fields: (version) => ({ description: `v${version}`, filters: filtersOf(version) }),
  },
];

const HOME = 'home of tiles';
const SETTINGS = 'settings';

const seriesOf = (version: number) => ({ kind: 'EventsNode', event: `v${version}` });
const filtersOf = (version: number) => ({
  properties: {
    type: 'AND',
    values: [{ type: 'AND', values: [{ key: 'm_a', type: 'person', value: [version], operator: 'exact' }] }],
  },
});

/** Creates, changes and deletes its own objects of every kind, and changes settings of the project. */
export class ManagementWriter {
  readonly model = new WriteModel<Fields>();
  /** Kind and what was done -> how many were acknowledged. */
  readonly counts: Record<string, number> = {};
  private readonly name: string;
  private readonly random: () => number;
  private readonly hasSettings: boolean;
  private readonly ids = new Map<string, number>();
  private home = 0;
  private made = 0;

  constructor(name: string, random: () => number, hasSettings: boolean) {
    this.name = name;
    this.random = random;
    this.hasSettings = hasSettings;
  }

  /** Finds or makes the dashboard on which insights are put; before the first kill. */
  async prepare(server: RunningServer): Promise<void> {
    const name = `${HOME} of ${this.name}`;
    const found = (await listOf(server, 'dashboards')).find((dashboard) => dashboard['name'] === name);
    this.home = Number((found ?? (await ask(server, 'POST', 'dashboards/', { name })))['id']);
  }

  async writeUntilKilled(server: RunningServer): Promise<void> {
    try {
      for (;;) await this.writeNext(server);
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
    }
  }

  /** Compares what is stored of this writer's objects with its model. */
  async settle(server: RunningServer): Promise<void> {
    const stored = new Map<string, Fields>();
    for (const { path, name, fields } of KINDS) {
      for (const object of await listOf(server, path)) {
        const key = `${path}/${String(object[name])}`;
        if (!String(object[name]).startsWith(`${this.name}-`)) continue;
        expect(stored.has(key), `${key} is there twice`).toBe(false);
        stored.set(key, pick(object, Object.keys(fields(0, 0))));
        this.ids.set(key, Number(object['id']));
      }
    }
    const settings = await ask(server, 'GET', '');
    if (this.hasSettings && (settings['data_attributes'] as string[])[0]?.startsWith('v'))
      stored.set(SETTINGS, pick(settings, Object.keys(settingsOf(0))));
    this.model.settle(stored, `objects of ${this.name}`);
    const { tiles } = await ask(server, 'GET', `dashboards/${this.home}/`);
    const onHome = [...stored.values()].filter(({ dashboards }) => (dashboards as number[])?.length > 0);
    expect(tiles, `tiles of ${this.name}`).toHaveLength(onHome.length);
  }

  private async writeNext(server: RunningServer): Promise<void> {
    const version = ++this.made;
    const next = new Map(this.model.state);
    if (this.hasSettings && this.random() < 0.15) {
      next.set(SETTINGS, settingsOf(version));
      return void (await this.write(server, next, 'change settings', 'PATCH', '', settingsOf(version)));
    }
    const { path, name, fields } = KINDS[Math.floor(this.random() * KINDS.length)]!;
    const own = [...next.keys()].filter((key) => key.startsWith(`${path}/`));
    const key = own[Math.floor(this.random() * own.length)];
    const dice = this.random();
    const values = fields(version, this.home);
    if (key === undefined || dice < 0.35) {
      const created = `${this.name}-${version}`;
      next.set(`${path}/${created}`, values);
      const body = { [name]: created, ...values };
      const { id } = await this.write(server, next, `create ${path}`, 'POST', `${path}/`, body);
      this.ids.set(`${path}/${created}`, Number(id));
      return;
    }
    const place = `${path}/${this.ids.get(key)}/`;
    if (dice < 0.75) {
      next.set(key, values);
      await this.write(server, next, `change ${path}`, 'PATCH', place, values);
    } else {
      next.delete(key);
      await this.write(server, next, `delete ${path}`, 'PATCH', place, { deleted: true });
    }
  }

  private async write(
    server: RunningServer,
    next: ReadonlyMap<string, Fields>,
    what: string,
    method: string,
    path: string,
    body: Fields,
  ): Promise<Fields> {
    this.model.begin(next);
    const answer = await ask(server, method, path, body);
    this.model.acknowledge();
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    return answer;
  }
}

function settingsOf(version: number): Fields {
  return { data_attributes: [`v${version}`], person_display_name_properties: [`v${version}`, 'email'] };
}

function pick(object: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

async function listOf(server: RunningServer, path: string): Promise<Fields[]> {
  const found: Fields[] = [];
  for (let url: string | null = `${path}/?limit=5000`; url !== null;) {
    const page = (await ask(server, 'GET', url)) as { next: string | null; results: Fields[] };
    found.push(...page.results);
    url = page.next?.split('/').slice(6).join('/') ?? null;
  }
  return found;
}

/** Sends a request about the first project; rejects as `send` does, and when it is refused. */
async function ask(server: RunningServer, method: string, path: string, body?: Fields): Promise<Fields> {
  const { status, text } = await send(`${server.url}/api/projects/${server.projectId}/${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return JSON.parse(text) as Fields;
}
