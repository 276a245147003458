import { expectStatus } from './owner-calls.ts';
import type { TestApp, TestResponse } from './test-app.ts';

export interface DashboardsOptions {
  project?: number;
  /** Whose; the owner's when absent. */
  key?: string;
}

/** The dashboards and insights of a project, by one person's key. Each call throws when it is refused. */
export interface Dashboards {
  /** `/api/projects/<project>/dashboards/`. */
  readonly path: string;
  /** Any request below the dashboards; answers refusals too. */
  ask(method: string, path: string, body?: unknown): Promise<TestResponse>;
  create(body?: object): Promise<any>;
  get(id: number): Promise<any>;
  patch(id: number, body: object): Promise<any>;
  names(): Promise<string[]>;
  createInsight(body?: object): Promise<any>;
  getInsight(id: number): Promise<TestResponse>;
}

/** Dashboards of that app's first project, requested by its owner by default. */
export function dashboardsOf({ ask }: TestApp, { project = 1, key }: DashboardsOptions = {}): Dashboards {
  const base = `/api/projects/${project}/`;
  const path = `${base}dashboards/`;
  const by = key === undefined ? {} : { key };
  const send = (method: string, to: string, body?: unknown) => ask(to, { method, body, ...by });
  return {
    path,
    ask: (method, rest, body) => send(method, path + rest, body),
    create: async (body = {}) => expectStatus(201, await send('POST', path, body)).json,
    get: async (id) => expectStatus(200, await send('GET', `${path}${id}/`)).json,
    patch: async (id, body) => expectStatus(200, await send('PATCH', `${path}${id}/`, body)).json,
    async names() {
      const { results } = expectStatus(200, await send('GET', `${path}?limit=1000`)).json;
      return results.map(({ name }: { name: string }) => name);
    },
    createInsight: async (body = {}) =>
      expectStatus(201, await send('POST', `${base}insights/`, { ...PAGE_VIEWS, ...body })).json,
    getInsight: (id) => send('GET', `${base}insights/${id}/`),
  };
}

const PAGE_VIEWS = {
  name: 'Page views',
  saved: true,
  query: {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  },
};

/** A template with two tiles: a text above an insight. */
export function templateOf(name: string): object {
  const source = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview' }],
  };
  return {
    template_name: name,
    dashboard_description: 'What happens here',
    dashboard_filters: { date_from: '-7d' },
    tags: ['made'],
    tiles: [
      {
        type: 'TEXT',
        body: 'Read me',
        layouts: { sm: { x: 0, y: 0, w: 6, h: 2 } },
      },
      {
        type: 'INSIGHT',
        name: 'Page views',
        description: 'How often pages were seen',
        query: { kind: 'InsightVizNode', source },
        layouts: { sm: { x: 0, y: 2, w: 6, h: 5 } },
        color: 'blue',
      },
    ],
  };
}
