import { shallowRef } from 'vue';

/** A person as far as words about it need it. */
export interface NamedPerson {
  name: string;
  distinct_ids: readonly string[];
  properties: Record<string, unknown>;
}

/** Properties with the name of a person, best first. The server's `name` prefers the email address. */
const NAMES = ['name', 'Name', 'full_name', 'username', 'Username', 'UserName'];
const EMAILS = ['email', 'Email', '$email'];

const RANDOM_ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Whether the project chose the properties that name persons: then the server's `name` is what to call them. */
export const hasChosenNames = shallowRef(false);

/** What to call a person: their name, else what the server calls them. Its last resort, the number, says less than a distinct id. */
export function titleOf(person: NamedPerson): string {
  const name = hasChosenNames.value ? undefined : firstText(person.properties, NAMES);
  if (name !== undefined) return name;
  const isNumber = /^\d+$/.test(person.name) && !person.distinct_ids.includes(person.name);
  return isNumber ? (person.distinct_ids[0] ?? person.name) : person.name;
}

/** The subtitle: the email address, else a distinct id; empty when the title has the same text. */
export function subtitleOf(person: NamedPerson): string {
  const title = titleOf(person);
  const email = firstText(person.properties, EMAILS);
  return [email, person.distinct_ids[0]].find((text) => text !== undefined && text !== title) ?? '';
}

/** Whether a distinct id is one that an SDK drew by chance. */
export function isRandomId(distinctId: string): boolean {
  return RANDOM_ID.test(distinctId);
}

/** Whether a property already is part of what a person is called. */
export function isNameProperty(key: string): boolean {
  return NAMES.includes(key) || EMAILS.includes(key);
}

function firstText(properties: Record<string, unknown>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = properties[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}
