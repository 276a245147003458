import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { groupTypesOf } from './copy-people.ts';
import { DEFINITION_KINDS, leaveOut, type CopyState, type DefinitionKind } from './copy-state.ts';
import { RefusedByHost, type HostClient } from './host-client.ts';
import { rewriteReferences, type ReferenceKind, type References } from './rewrite-references.ts';

type Json = Record<string, unknown>;

/** Lists of what is copied, in an order in which most of what one names is there before it. */
const LISTS: Readonly<Record<DefinitionKind, string>> = {
  cohorts: 'cohorts/',
  actions: 'actions/',
  insight_variables: 'insight_variables/',
  feature_flags: 'feature_flags/',
  dashboards: 'dashboards/',
  insights: 'insights/?basic=true',
};

/** How reports name them. */
export const LABELS: Readonly<Record<DefinitionKind, string>> = {
  cohorts: 'cohorts',
  actions: 'actions',
  insight_variables: 'variables of SQL',
  feature_flags: 'feature flags',
  dashboards: 'dashboards',
  insights: 'insights',
};

/** What stays behind, with the list by which it is counted. */
const NOT_COPIED: readonly (readonly [what: string, list: string, reason: string])[] = [
  ['annotations', 'annotations/', 'Annotations are not copied.'],
  ['surveys', 'surveys/', 'Surveys are not copied; their targeting flags are, as ordinary flags.'],
  [
    'early access features',
    'early_access_feature/',
    'Early access features are not copied; their flags are.',
  ],
  ['alerts', 'alerts/', 'Alerts are not copied: they notify users and addresses of this server.'],
];

/** Members of each that its target takes, besides what is done by hand below. */
const FIELDS: Readonly<Record<DefinitionKind, readonly string[]>> = {
  cohorts: ['name', 'description', 'filters', 'query', 'is_static'],
  actions: ['name', 'description', 'tags', 'steps', 'post_to_slack', 'slack_message_format', 'pinned_at'],
  insight_variables: ['name', 'type', 'default_value', 'values'],
  feature_flags: [
    'key',
    'name',
    'filters',
    'active',
    'ensure_experience_continuity',
    'tags',
    'evaluation_tags',
    'is_remote_configuration',
    'has_encrypted_payloads',
    'evaluation_runtime',
    'bucketing_identifier',
    'rollback_conditions',
  ],
  dashboards: ['name', 'description', 'pinned', 'tags', 'filters', 'variables', 'restriction_level'],
  insights: ['name', 'derived_name', 'description', 'query', 'tags', 'favorited', 'saved'],
};

/** Names by which a definition is the same on both sides; of other kinds several may have one name. */
const UNIQUE: Partial<Record<DefinitionKind, string>> = {
  actions: 'name',
  feature_flags: 'key',
  insight_variables: 'code_name',
};

export interface DefinitionContext {
  source: HostClient;
  target: HostClient;
  state: CopyState;
  save: () => Promise<void>;
}

type Lists = Record<DefinitionKind, Map<string, Json>>;

/** `state`: of a source, whose lists may be refused; null: the target, of which everything counts. */
async function readLists(client: HostClient, state: CopyState | null): Promise<Lists> {
  const lists = {} as Lists;
  for (const kind of DEFINITION_KINDS) {
    lists[kind] = new Map();
    try {
      for await (const one of client.list(LISTS[kind]))
        if (kind !== 'insights' || state === null || isKept(one)) lists[kind].set(String(one['id']), one);
    } catch (error) {
      if (!(error instanceof RefusedByHost) || state === null) throw error;
      leaveOut(state, LABELS[kind], error.message, 0);
    }
  }
  return lists;
}

/** Queries that were only looked at are kept as insights too. */
function isKept({ saved, dashboards }: Json): boolean {
  return saved === true || (Array.isArray(dashboards) && dashboards.length > 0);
}

export async function countDefinitions(source: HostClient, state: CopyState): Promise<void> {
  const lists = await readLists(source, state);
  state.totals.definitions = DEFINITION_KINDS.reduce((sum, kind) => sum + lists[kind].size, 0);
}

/** Counts what is never copied, so that its user can do it by hand. */
export async function noteLeftBehind(source: HostClient, state: CopyState): Promise<void> {
  for (const [what, list, reason] of NOT_COPIED) {
    try {
      const ids = new Set<unknown>();
      for await (const { id } of source.list(list)) ids.add(id);
      if (ids.size > 0) leaveOut(state, what, reason, ids.size);
    } catch (error) {
      // A host may not have them at all.
      if (!(error instanceof RefusedByHost)) throw error;
    }
  }
  leaveOut(
    state,
    'settings, members, access rules, keys and sharing links',
    'They belong to a server and are set up there.',
    0,
  );
}

/** Creates on the target what the source has, with the IDs that the target gives. */
export async function copyDefinitions({ source, target, state, save }: DefinitionContext): Promise<void> {
  // What is left out is said again when this goes on after a stop.
  const labels: readonly string[] = [...Object.values(LABELS), 'tiles', 'members of cohorts'];
  state.notCopied = state.notCopied.filter(({ what }) => !labels.includes(what));
  const own = await readLists(source, state);
  const there = await readLists(target, null);
  state.before ??= Object.fromEntries(
    DEFINITION_KINDS.map((kind) => [kind, [...there[kind].keys()]]),
  ) as CopyState['before'];
  await save();
  const [types, otherTypes] = [await groupTypesOf(source), await groupTypesOf(target)];
  const indexes = new Map([...otherTypes].map(([index, name]) => [name, index]));
  const references: References = {
    idOf: (kind, id) => state.ids[kind][id] ?? null,
    groupTypeOf: (index) => indexes.get(types.get(index) ?? '') ?? null,
  };
  const creating = new Set<string>();

  /** The ID on the target, once it is there; null: it is not. */
  async function ensure(kind: DefinitionKind, id: string): Promise<string | null> {
    const known = state.ids[kind][id];
    if (known !== undefined && there[kind].has(known)) return known;
    const stored = own[kind].get(id);
    const key = `${kind} ${id}`;
    // What names itself over several steps cannot be created in any order.
    if (stored === undefined || creating.has(key)) return null;
    creating.add(key);
    try {
      const created = await create(kind, id, stored);
      if (created !== null) {
        state.ids[kind][id] = created;
        await save();
      }
      return created;
    } finally {
      creating.delete(key);
    }
  }

  /** The fields of a definition, and what they name with the IDs of the target. */
  async function bodyOf(kind: DefinitionKind, listed: Json): Promise<Json> {
    // The list of dashboards has neither their filters nor their variables.
    const stored = kind === 'dashboards' ? await dashboardOf(source, String(listed['id'])) : listed;
    const picked = Object.fromEntries(
      FIELDS[kind].flatMap((name) => (name in stored ? [[name, stored[name]]] : [])),
    );
    const named = new Set<string>();
    const collect: References = {
      idOf: (of, id) => (named.add(`${of} ${id}`), null),
      groupTypeOf: () => null,
    };
    rewriteReferences(picked, collect);
    for (const one of named) {
      const [of, id] = one.split(' ') as [ReferenceKind, string];
      if ((await ensure(of, id)) === null)
        leaveOut(
          state,
          LABELS[kind],
          `“${nameOf(stored)}” names one of ${LABELS[of]} that is not there: ${id}.`,
        );
    }
    return rewriteReferences(picked, references);
  }

  async function create(kind: DefinitionKind, id: string, stored: Json): Promise<string | null> {
    const left = (reason: string): null => (
      leaveOut(state, LABELS[kind], `“${nameOf(stored)}”: ${reason}`),
      null
    );
    const unique = UNIQUE[kind];
    const twin =
      unique === undefined
        ? undefined
        : [...there[kind].values()].find((one) => one[unique] === stored[unique]);
    if (twin !== undefined) {
      const twinId = String(twin['id']);
      if (state.before![kind].includes(twinId))
        left(`one with this ${unique} was there before, and is used as it is.`);
      return twinId;
    }
    try {
      const body = await bodyOf(kind, stored);
      const adopted = unique === undefined ? adopt(kind, body) : null;
      if (adopted !== null) {
        if (kind === 'cohorts') await addPersons(id, adopted, stored);
        return adopted;
      }
      if (kind === 'feature_flags') {
        body['_should_create_usage_dashboard'] = false;
        if (stored['has_encrypted_payloads'] === true)
          left('its payload is encrypted and cannot be read; set it again.');
      }
      // Before queries there were filters.
      if (kind === 'insights' && !isJsonObject(body['query'])) {
        delete body['query'];
        body['filters'] = stored['filters'];
      }
      // A fixed list has no rule, and a rule no query.
      if (kind === 'cohorts') {
        if (body['query'] === null) delete body['query'];
        if (stored['is_static'] === true) delete body['filters'];
      }
      const made = (await target.post(LISTS[kind].split('?')[0]!, body)) as Json;
      const madeId = String(made['id']);
      there[kind].set(madeId, made);
      state.ids[kind][id] = madeId;
      state.copied.definitions++;
      await save();
      if (kind === 'cohorts') await addPersons(id, madeId, stored);
      return madeId;
    } catch (error) {
      if (!(error instanceof RefusedByHost) || error.status === 401 || error.status === 403) throw error;
      return left(error.message);
    }
  }

  /** One that this copy created before its process ended, which had not been noted. */
  function adopt(kind: DefinitionKind, body: Json): string | null {
    const taken = new Set([...Object.values(state.ids[kind]), ...state.before![kind]]);
    for (const [id, one] of there[kind])
      if (!taken.has(id) && one['name'] === body['name'] && one['description'] === body['description'])
        return id;
    return null;
  }

  /** Persons of a fixed list, found on the target by one of their distinct IDs. */
  async function addPersons(id: string, targetId: string, stored: Json): Promise<void> {
    if (stored['is_static'] !== true) return;
    let missing = 0;
    for (let offset = 0; ; offset += 100) {
      const page = (await source.get(`cohorts/${id}/persons/?limit=100&offset=${offset}`)) as {
        results?: { distinct_ids?: string[] }[];
        next?: string | null;
      };
      const persons = (page.results ?? []).map(({ distinct_ids: ids }) => ids ?? []);
      const rows = await target.rows(
        'SELECT distinct_id, toString(person_id) FROM person_distinct_ids WHERE distinct_id IN {ids} LIMIT 50000',
        { ids: persons.flatMap((ids) => ids.slice(0, 10)) },
      );
      const owners = new Map(rows.map(([distinctId, person]) => [String(distinctId), String(person)]));
      const found = persons.flatMap(
        (ids) => ids.map((one) => owners.get(one)).find((one) => one !== undefined) ?? [],
      );
      missing += persons.length - found.length;
      if (found.length > 0)
        await target.patch(`cohorts/${targetId}/add_persons_to_static_cohort/`, { person_ids: found });
      if (!page.next || persons.length === 0) break;
    }
    if (missing > 0)
      leaveOut(state, 'members of cohorts', `“${nameOf(stored)}”: these persons are not there yet.`, missing);
  }

  for (const kind of DEFINITION_KINDS) for (const id of own[kind].keys()) await ensure(kind, id);
  for (const id of own.dashboards.keys()) {
    const targetId = state.ids.dashboards[id];
    if (targetId !== undefined) await copyTiles({ source, target, state, references }, id, targetId);
  }
}

/** Tiles in the order of the source: insights by the list of their dashboards, which every version of the API takes. */
async function copyTiles(
  { source, target, state, references }: Omit<DefinitionContext, 'save'> & { references: References },
  id: string,
  targetId: string,
): Promise<void> {
  const stored = await dashboardOf(source, id);
  const tiles = listOf(stored['tiles']).toSorted((a, b) => Number(a['id']) - Number(b['id']));
  let there = await tilesOf(target, targetId);
  const viewOf = (tile: Json): Json => rewriteReferences(pickedView(tile), references);
  const placed: { tile: Json; targetTile: Json }[] = [];
  for (const tile of tiles) {
    const insightId = isJsonObject(tile['insight'])
      ? state.ids.insights[String(tile['insight']['id'])]
      : undefined;
    const text = isJsonObject(tile['text']) ? tile['text']['body'] : undefined;
    const find = (): Json | undefined =>
      there.find(
        (one) =>
          !placed.some(({ targetTile }) => targetTile['id'] === one['id']) &&
          (insightId === undefined
            ? isJsonObject(one['text']) && one['text']['body'] === text
            : isJsonObject(one['insight']) && String(one['insight']['id']) === insightId),
      );
    let targetTile = insightId === undefined && text === undefined ? undefined : find();
    if (targetTile === undefined && insightId !== undefined) {
      const insight = (await target.get(`insights/${insightId}/?basic=true`)) as Json;
      const dashboards = (Array.isArray(insight['dashboards']) ? insight['dashboards'] : []).map(Number);
      if (!dashboards.includes(Number(targetId)))
        await target.patch(`insights/${insightId}/`, { dashboards: [...dashboards, Number(targetId)] });
    } else if (targetTile === undefined && typeof text === 'string')
      await target.patch(`dashboards/${targetId}/`, { tiles: [{ text: { body: text }, ...viewOf(tile) }] });
    if (targetTile === undefined && (insightId !== undefined || text !== undefined)) {
      there = await tilesOf(target, targetId);
      targetTile = find();
    }
    if (targetTile === undefined) {
      leaveOut(
        state,
        'tiles',
        `“${nameOf(stored)}”: a tile has neither an insight that was copied nor a text of its own.`,
      );
      continue;
    }
    placed.push({ tile, targetTile });
  }
  if (placed.length > 0)
    await target.patch(`dashboards/${targetId}/`, {
      tiles: placed.map(({ tile, targetTile }) => ({ id: targetTile['id'], ...viewOf(tile) })),
    });
}

/** As it is, without new answers of its insights. */
async function dashboardOf(client: HostClient, id: string): Promise<Json> {
  return (await client.get(`dashboards/${id}/?refresh=force_cache`)) as Json;
}

async function tilesOf(client: HostClient, id: string): Promise<Json[]> {
  return listOf((await dashboardOf(client, id))['tiles']);
}

const VIEW = ['layouts', 'color', 'show_description', 'filters_overrides', 'transparent_background'];

function pickedView(tile: Json): Json {
  return Object.fromEntries(VIEW.flatMap((name) => (tile[name] === undefined ? [] : [[name, tile[name]]])));
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function nameOf({ name, key, derived_name: derived, id }: Json): string {
  return (
    [key, name, derived].find((one): one is string => typeof one === 'string' && one !== '') ??
    `#${id as number}`
  );
}
