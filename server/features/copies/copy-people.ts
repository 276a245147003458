import { hash } from 'node:crypto';
import { isJsonObject, parseExactly, stringifyExactly } from '../../lib/exact-number.contract.ts';
import { leaveOut, type CopyState } from './copy-state.ts';
import { RefusedByHost, type HostClient } from './host-client.ts';

/** Persons and groups of one answer. */
const PAGE = 200;
const MAX_ROWS = 50_000;
const BATCH_EVENTS = 200;
const BATCH_CHARACTERS = 1_000_000;
/** The property that marks events of a copy itself, by PostHog's name for what an import has created. */
export const MARK = '$import_job_id';

export interface PeopleContext {
  source: HostClient;
  target: HostClient;
  state: CopyState;
  copyId: string;
  save: () => Promise<void>;
}

interface Person {
  id: string;
  properties: Record<string, unknown>;
  isIdentified: boolean;
  /** ISO 8601, UTC. */
  createdAt: string;
  distinctIds: string[];
}

const PERSON = "toString(id), properties, is_identified, toString(toTimeZone(created_at, 'UTC'))";

/**
 * Persons follow from the events that arrived. Each is compared with the source, and what differs (an ID or a property that
 * was set without an event, or events that came in another order) is sent as events that change the person only.
 */
export async function completePersons({ source, target, state, copyId, save }: PeopleContext): Promise<void> {
  const sender = createSender(target, state, copyId);
  for (;;) {
    const rows = await source.rows(
      `SELECT ${PERSON} FROM persons WHERE toString(id) > {after} ORDER BY toString(id) LIMIT ${PAGE}`,
      { after: state.person },
    );
    const persons = rows.map(personOf);
    if (persons.length === 0) return;
    const owners = await ownersOf(
      source,
      'person_id',
      persons.map(({ id }) => id),
    );
    const byId = new Map(persons.map((person) => [person.id, person]));
    for (const [distinctId, id] of owners) byId.get(id)?.distinctIds.push(distinctId);
    const there = await ownersOf(target, 'distinct_id', [...owners.keys()]);
    const known = await personsOf(target, [...new Set(there.values())]);
    for (const person of persons) await complete(person, there, known, sender, state);
    await sender.flush();
    state.person = persons.at(-1)!.id;
    state.copied.persons += persons.length;
    await save();
  }
}

async function complete(
  { properties, isIdentified, createdAt, distinctIds }: Person,
  there: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, Person>,
  sender: Sender,
  state: CopyState,
): Promise<void> {
  const [main, ...others] = distinctIds.toSorted((a, b) => rank(a, there) - rank(b, there));
  if (main === undefined)
    return leaveOut(state, 'persons', 'They have no distinct ID by which they could be found.');
  const ownId = there.get(main);
  const apart = others.filter((other) => ownId === undefined || there.get(other) !== ownId);
  const present = [...new Set([main, ...apart].map((one) => there.get(one)))].flatMap(
    (one) => known.get(one ?? '') ?? [],
  );
  const merged = Object.assign({}, ...present.map((one) => one.properties)) as Record<string, unknown>;
  const set = Object.fromEntries(
    Object.entries(properties).filter(
      ([name, value]) => apart.length > 0 || !Object.hasOwn(merged, name) || !isSame(merged[name], value),
    ),
  );
  const unset = Object.keys(merged).filter((name) => !Object.hasOwn(properties, name));
  const isKnownAs = apart.length > 0 || present.some((one) => one.isIdentified);
  for (const alias of apart)
    await sender.add({ event: '$merge_dangerously', distinctId: main, at: createdAt, properties: { alias } });
  const isNew = ownId === undefined && apart.length === 0;
  const isIdentifying = isIdentified && !isKnownAs;
  if (!isNew && !isIdentifying && Object.keys(set).length === 0 && unset.length === 0) return;
  await sender.add({
    event: isIdentifying ? '$identify' : '$set',
    distinctId: main,
    at: createdAt,
    properties: {
      $set: set,
      ...(unset.length > 0 && { $unset: unset }),
    },
  });
}

/** IDs of the person that is there come first, so that the rest joins it. */
function rank(distinctId: string, there: ReadonlyMap<string, string>): number {
  return there.has(distinctId) ? 0 : 1;
}

function personOf([id, properties, isIdentified, createdAt]: readonly unknown[]): Person {
  return {
    id: String(id),
    properties: objectOf(properties),
    isIdentified: isIdentified === true || isIdentified === 1,
    createdAt: isoText(createdAt),
    distinctIds: [],
  };
}

export function isoText(time: unknown): string {
  return `${String(time)
    .replace(' ', 'T')
    .replace(/\+00:00$|Z$/, '')}Z`;
}

function objectOf(text: unknown): Record<string, unknown> {
  const value = typeof text === 'string' && text !== '' ? parseExactly(text) : text;
  return isJsonObject(value) ? value : {};
}

/** Distinct IDs, each with its person. */
async function ownersOf(
  client: HostClient,
  column: 'person_id' | 'distinct_id',
  ids: readonly string[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  const select = column === 'person_id' ? 'toString(person_id)' : 'distinct_id';
  for (let at = 0; at < ids.length; at += 1_000) {
    for (let after = ''; ;) {
      const rows = await client.rows(
        `SELECT distinct_id, toString(person_id) FROM person_distinct_ids
         WHERE ${select} IN {ids} AND distinct_id > {after} ORDER BY distinct_id LIMIT ${MAX_ROWS}`,
        { ids: ids.slice(at, at + 1_000), after },
      );
      for (const [distinctId, personId] of rows) owners.set(String(distinctId), String(personId));
      if (rows.length < MAX_ROWS) break;
      after = String(rows.at(-1)![0]);
    }
  }
  return owners;
}

async function personsOf(client: HostClient, ids: readonly string[]): Promise<Map<string, Person>> {
  const persons = new Map<string, Person>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const rows = await client.rows(
      `SELECT ${PERSON} FROM persons WHERE toString(id) IN {ids} LIMIT ${PAGE}`,
      {
        ids: ids.slice(at, at + PAGE),
      },
    );
    for (const person of rows.map(personOf)) persons.set(person.id, person);
  }
  return persons;
}

/** The name of each group type of a project, by its index. */
export async function groupTypesOf(client: HostClient): Promise<Map<number, string>> {
  const types = (await client.get('groups_types/')) as { group_type: string; group_type_index: number }[];
  return new Map(
    types
      .toSorted((a, b) => a.group_type_index - b.group_type_index)
      .map(({ group_type: name, group_type_index: index }) => [index, name]),
  );
}

const GROUP = "index, key, properties, toString(toTimeZone(created_at, 'UTC'))";

/** Group types get their index by their order of arrival: those that the target lacks arrive in that of the source. */
export async function sendGroupTypes({ source, target, state, copyId }: PeopleContext): Promise<void> {
  const there = new Set((await groupTypesOf(target)).values());
  const sender = createSender(target, state, copyId);
  for (const [index, name] of await groupTypesOf(source)) {
    if (there.has(name)) continue;
    const [row] = await source.rows(
      `SELECT ${GROUP} FROM groups WHERE index = ${index} ORDER BY key LIMIT 1`,
    );
    const [event] = await source.rows(
      `SELECT distinct_id, toString(toTimeZone(timestamp, 'UTC')) FROM events ORDER BY timestamp, toString(uuid) LIMIT 1`,
    );
    if (row === undefined || event === undefined) {
      leaveOut(state, 'group types', `${name} has no group, or there is no event to send it with.`);
      continue;
    }
    await sender.add({
      event: '$groupidentify',
      distinctId: String(event[0]),
      at: isoText(event[1]),
      properties: { $group_type: name, $group_key: String(row[1]), $group_set: objectOf(row[2]) },
    });
    // One request for each, so that a host that sorts what arrives together has the same order.
    await sender.flush();
  }
}

/** As persons: what differs is set by events, and what is too much is removed through the API. */
export async function completeGroups({ source, target, state, copyId, save }: PeopleContext): Promise<void> {
  const sender = createSender(target, state, copyId);
  const names = await groupTypesOf(source);
  for (;;) {
    const after = state.group ?? { index: -1, key: '' };
    const rows = await source.rows(
      `SELECT ${GROUP} FROM groups WHERE index > ${after.index} OR (index = ${after.index} AND key > {key})
       ORDER BY index, key LIMIT ${PAGE}`,
      { key: after.key },
    );
    if (rows.length === 0) return;
    const indexes = new Map([...(await groupTypesOf(target))].map(([index, name]) => [name, index]));
    for (const index of new Set(rows.map(([one]) => Number(one)))) {
      const name = names.get(index);
      const there = name === undefined ? undefined : indexes.get(name);
      const own = rows.filter(([one]) => Number(one) === index);
      if (name === undefined) {
        leaveOut(state, 'groups', 'Their group type has no name.', own.length);
        continue;
      }
      const known = new Map<string, Record<string, unknown>>();
      if (there !== undefined) {
        const found = await target.rows(
          `SELECT key, properties FROM groups WHERE index = ${there} AND key IN {keys} LIMIT ${PAGE}`,
          { keys: own.map(([, key]) => String(key)) },
        );
        for (const [key, properties] of found) known.set(String(key), objectOf(properties));
      }
      for (const [, key, text, createdAt] of own) {
        const properties = objectOf(text);
        const held = known.get(String(key));
        const set = Object.fromEntries(
          Object.entries(properties).filter(
            ([one, value]) => held === undefined || !Object.hasOwn(held, one) || !isSame(held[one], value),
          ),
        );
        if (held === undefined || Object.keys(set).length > 0)
          await sender.add({
            event: '$groupidentify',
            distinctId: state.distinctId ?? String(key),
            at: isoText(createdAt),
            properties: { $group_type: name, $group_key: String(key), $group_set: set },
          });
        for (const one of Object.keys(held ?? {}))
          if (!Object.hasOwn(properties, one))
            await removeGroupProperty(target, state, there!, String(key), one);
      }
    }
    await sender.flush();
    const [index, key] = rows.at(-1)!;
    state.group = { index: Number(index), key: String(key) };
    state.copied.groups += rows.length;
    await save();
  }
}

async function removeGroupProperty(
  target: HostClient,
  state: CopyState,
  index: number,
  key: string,
  property: string,
): Promise<void> {
  const path = `groups/delete_property/?group_type_index=${index}&group_key=${encodeURIComponent(key)}`;
  try {
    await target.post(path, { $unset: property });
  } catch (error) {
    if (!(error instanceof RefusedByHost)) throw error;
    leaveOut(state, 'removed properties of groups', error.message);
  }
}

interface Completion {
  event: string;
  distinctId: string;
  at: string;
  properties: Record<string, unknown>;
}

type Sender = ReturnType<typeof createSender>;

/** Sends events of the copy itself, in batches. */
function createSender(target: HostClient, state: CopyState, copyId: string) {
  let batch: string[] = [];
  let characters = 0;
  const sender = {
    async add({ event, distinctId, at, properties }: Completion): Promise<void> {
      const body = {
        event,
        distinct_id: distinctId,
        timestamp: at,
        properties: { ...properties, [MARK]: copyId, $geoip_disable: true },
      };
      const text = stringifyExactly(body);
      // Sent again after a kill it is the same event.
      const sent = `${text.slice(0, -1)},"uuid":"${uuidOf(text)}"}`;
      if (batch.length >= BATCH_EVENTS || characters + sent.length > BATCH_CHARACTERS) await sender.flush();
      batch.push(sent);
      characters += sent.length;
    },
    async flush(): Promise<void> {
      await target.send(batch);
      state.completions += batch.length;
      [batch, characters] = [[], 0];
    },
  };
  return sender;
}

/** A UUID of version 5 (RFC 9562) that follows from a text. */
function uuidOf(text: string): string {
  const hex = hash('sha1', `burrow copy|${text}`, 'hex');
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function isSame(a: unknown, b: unknown): boolean {
  return stringifyExactly(sorted(a)) === stringifyExactly(sorted(b));
}

/** With members in the order of their names: two hosts may write one object in two orders. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
