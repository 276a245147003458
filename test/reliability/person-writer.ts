import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { v7 } from 'uuid';
import type { ListedPerson } from '../support/list-persons.ts';
import type { RunningServer } from '../support/start-server.ts';
import { send } from './send.ts';
import { isBrokenConnection, WriteModel } from './write-model.ts';

/** A person as the model expects it, under its sorted distinct ids. */
interface Person {
  ids: readonly string[];
  properties: Readonly<Record<string, number>>;
  isIdentified: boolean;
}

/** Own properties; the server adds others, of countries for example. */
const OWN = /^m_/;
/** Persons that are changed again; older ones only have to stay as they are. */
const POOL = 25;
/** The number of distinct ids from which on no further person is merged into a person. */
const MANY_IDS = 8;
const MOST_EVENTS = 4;
const PAUSE_MS = 20;

/** Sends requests of several `$set`, `$identify` and `$create_alias` events about its own persons, one after the other. */
export class PersonWriter {
  readonly model = new WriteModel<Person>();
  /** Kind of event -> how many were acknowledged. */
  readonly counts: Record<string, number> = {};
  private readonly name: string;
  private readonly random: () => number;
  private made = 0;

  constructor(name: string, random: () => number) {
    this.name = name;
    this.random = random;
  }

  async writeUntilKilled(server: RunningServer): Promise<void> {
    for (;;) {
      const persons = new Map(this.model.state);
      const batch = Array.from({ length: 1 + this.upTo(MOST_EVENTS) }, () => this.nextEvent(persons));
      this.model.begin(persons);
      try {
        const body = JSON.stringify({ api_key: server.projectApiKey, batch });
        const { status, text } = await send(`${server.url}/batch/`, { body });
        expect(status, text).toBe(200);
      } catch (error) {
        if (isBrokenConnection(error)) return;
        throw error;
      }
      this.model.acknowledge();
      for (const { event } of batch) this.counts[event] = (this.counts[event] ?? 0) + 1;
      await sleep(this.random() * PAUSE_MS);
    }
  }

  /** Compares the persons of this writer, among all that are stored, with its model. */
  settle(stored: readonly ListedPerson[]): void {
    const own = stored
      .filter(({ distinct_ids: [id] }) => id!.startsWith(`${this.name}-`))
      .map((person): Person => ({
        ids: person.distinct_ids.toSorted(),
        properties: Object.fromEntries(
          Object.entries(person.properties as Record<string, number>)
            .filter(([name]) => OWN.test(name))
            .toSorted(),
        ),
        isIdentified: person.is_identified,
      }));
    this.model.settle(new Map(own.map((person) => [keyOf(person), person])), `persons of ${this.name}`);
  }

  private upTo(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** An event, whose change is applied to `persons`. */
  private nextEvent(persons: Map<string, Person>): { event: string } {
    const pool = [...persons.values()].slice(-POOL);
    const person = pool[this.upTo(pool.length)];
    const dice = this.random();
    if (person === undefined || dice < 0.25) return this.set(persons, null);
    if (dice < 0.6 || person.ids.length >= MANY_IDS) return this.set(persons, person);
    const others = pool.filter((other) => other !== person && !other.isIdentified);
    const other = this.random() < 0.5 ? undefined : others[this.upTo(others.length)];
    return this.merge(persons, person, other ?? null, dice < 0.8 ? '$identify' : '$create_alias');
  }

  private set(persons: Map<string, Person>, person: Person | null): { event: string } {
    const value = ++this.made;
    const id = person === null ? this.newId() : person.ids[this.upTo(person.ids.length)]!;
    const hasUnset = this.random() < 0.3;
    const before = person ?? { ids: [id], properties: {}, isIdentified: false };
    const { m_b: _, ...kept }: Record<string, number> = { m_first: value, ...before.properties, m_a: value };
    const properties = hasUnset ? kept : { ...kept, m_b: value };
    replace(persons, [person], { ...before, properties });
    return eventOf('$set', id, {
      $set: { m_a: value, ...(hasUnset ? {} : { m_b: value }) },
      $set_once: { m_first: value },
      ...(hasUnset ? { $unset: ['m_b'] } : {}),
    });
  }

  /** `other` is merged into `person`; null: an unused distinct id. */
  private merge(
    persons: Map<string, Person>,
    person: Person,
    other: Person | null,
    event: string,
  ): { event: string } {
    const value = ++this.made;
    const id = person.ids[this.upTo(person.ids.length)]!;
    const otherId = other?.ids[0] ?? this.newId();
    const properties = { ...other?.properties, ...person.properties, m_merged: value };
    replace(persons, [person, other], {
      ids: [...person.ids, ...(other?.ids ?? [otherId])].toSorted(),
      properties,
      isIdentified: true,
    });
    const $set = { m_merged: value };
    // An alias becomes the main id, so its person is the one that stays.
    return event === '$identify'
      ? eventOf(event, id, { $anon_distinct_id: otherId, $set })
      : eventOf(event, otherId, { alias: id, $set });
  }

  private newId(): string {
    return `${this.name}-${++this.made}`;
  }
}

function eventOf(event: string, distinctId: string, properties: object): { event: string } {
  return { event, distinct_id: distinctId, uuid: v7(), properties } as { event: string };
}

function replace(persons: Map<string, Person>, old: readonly (Person | null)[], person: Person): void {
  for (const before of old) if (before !== null) persons.delete(keyOf(before));
  const properties = Object.fromEntries(Object.entries(person.properties).toSorted());
  persons.set(keyOf(person), { ...person, properties });
}

function keyOf({ ids }: Pick<Person, 'ids'>): string {
  return ids.join(' ');
}

/** Every person that is stored. */
export async function walkPersons(server: RunningServer): Promise<ListedPerson[]> {
  const found: ListedPerson[] = [];
  let url: string | null = `${server.url}/api/projects/${server.projectId}/persons/?limit=1000`;
  while (url !== null) {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${server.personalApiKey}` } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { next: string | null; results: ListedPerson[] };
    found.push(...page.results);
    url = page.next;
  }
  return found;
}
