import type { Actor, ManagementRoute, ProjectRef } from '../../http/define-route.ts';
import { Reply } from '../../http/define-route.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { ArchiveFile } from './write-archive.ts';

const PAGE = 1_000;

/** Lists of the API by the name of their file. */
const LISTS: Readonly<Record<string, string>> = {
  actions: 'actions/',
  alerts: 'alerts/',
  annotations: 'annotations/',
  cohorts: 'cohorts/',
  dashboards: 'dashboards/',
  early_access_features: 'early_access_feature/',
  event_definitions: 'event_definitions/',
  event_property_definitions: 'property_definitions/?type=event',
  insight_variables: 'insight_variables/',
  insights: 'insights/?basic=true',
  person_property_definitions: 'property_definitions/?type=person',
  surveys: 'surveys/',
};
/** Of the project, and no part of a copy. */
const SECRETS = ['api_token', 'live_events_token', 'secret_api_token', 'secret_api_token_backup'];

type Json = Readonly<Record<string, unknown>>;

interface DefinitionParts {
  /** Of all features. */
  routes: readonly ManagementRoute[];
  actor: Actor;
  project: ProjectRef;
  signal: AbortSignal;
}

/** What the API answers of the definitions of a project, by its own routes. */
export function createDefinitions({ routes, actor, project, signal }: DefinitionParts) {
  /** Calls a GET route of the project; `path` has its query. */
  async function read(route: string, path = route, params: Json = {}): Promise<unknown> {
    const found = routes.find((one) => one.method === 'GET' && one.path === `P/${route}`);
    if (found === undefined) throw new Error(`There is no route GET P/${route}`);
    const url = new URL(`http://localhost/api/projects/${project.id}/${path}`);
    const context: Record<string, unknown> = {
      actor,
      project,
      url,
      signal,
      params: found.params?.parse(params),
      query: found.query?.parse(Object.fromEntries(url.searchParams)),
      format: 'json',
      sent: {},
    };
    context['found'] = await found.lookup?.(context as never);
    const answer = await found.handle(context as never);
    return answer instanceof Reply ? answer.body : answer;
  }

  async function* list(path: string): AsyncGenerator<Json> {
    const [route, query = ''] = path.split('?') as [string, string?];
    for (let offset = 0; ; offset += PAGE) {
      const answer = await read(route, `${route}?${query}&limit=${PAGE}&offset=${offset}`);
      const { results, next } = answer as { results: Json[]; next?: string | null };
      yield* results;
      if ((next ?? null) === null) return;
    }
  }

  /** With its tiles; what their insights are is in the file of insights. */
  async function dashboard({ id }: Json): Promise<Json> {
    const route = 'dashboards/:id/';
    const found = (await read(route, `dashboards/${String(id)}/?refresh=force_cache`, {
      id: String(id),
    })) as Json;
    const tiles = (found['tiles'] as Json[]).map(({ id: tile, insight, text, layouts, color, ...rest }) => ({
      id: tile,
      insight: insight === null || insight === undefined ? null : reference(insight as Json),
      text,
      layouts,
      color,
      filters_overrides: rest['filters_overrides'] ?? {},
    }));
    return { ...found, tiles };
  }

  async function* texts(path: string): AsyncGenerator<string> {
    let isFirst = true;
    for await (const item of list(path)) {
      yield `${isFirst ? '[' : ',\n'}${stringifyExactly(path === LISTS['dashboards'] ? await dashboard(item) : item)}`;
      isFirst = false;
    }
    yield isFirst ? '[]\n' : ']\n';
  }

  async function* single(route: string): AsyncGenerator<string> {
    const answer = (await read(route)) as Json;
    yield `${stringifyExactly(Object.fromEntries(Object.entries(answer).filter(([name]) => !SECRETS.includes(name))))}\n`;
  }

  return {
    files: (): ArchiveFile[] => [
      { name: 'project.json', read: () => single('') },
      // Imported again as it is.
      { name: 'flags.json', read: () => single('burrow/flag_file/') },
      ...Object.entries(LISTS).map(([name, path]) => ({
        name: `definitions/${name}.json`,
        read: () => texts(path),
      })),
    ],
    groupTypes: async () =>
      (await read('groups_types/')) as { group_type: string; group_type_index: number }[],
    /** IDs of cohorts whose members follow from no rule. */
    async staticCohorts(): Promise<number[]> {
      const ids: number[] = [];
      for await (const { id, is_static: isStatic } of list('cohorts/'))
        if (isStatic === true) ids.push(Number(id));
      return ids;
    },
  };
}

function reference({ id, short_id: shortId, name }: Json): Json {
  return { id, short_id: shortId, name };
}
