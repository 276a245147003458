import { KnownId } from './arbitrary-of-schema.ts';

/** Ids that answers have shown, by the word under which they stood: `dashboard` -> 1, 2; `user` -> 1, its uuid. */
export interface KnownIds {
  /** Takes the ids out of an answer to the path. */
  learn(path: string, body: unknown): void;
  /** One for the word, or for whatever is known when nothing is under it. */
  pick(id: KnownId): string | number;
  /** The value with real ids for `KnownId`s. */
  fill(value: unknown): unknown;
}

const KEPT = 40;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID_KEYS = new Set(['id', 'uuid', 'short_id', 'user_uuid', 'group_key', 'key']);

export function createKnownIds(): KnownIds {
  const byWord = new Map<string, (string | number)[]>();

  function add(word: string, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const list = byWord.get(word) ?? [];
    if (!list.includes(value)) list.push(value);
    if (list.length > KEPT) list.shift();
    byWord.set(word, list);
  }

  function learn(word: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value.slice(0, KEPT)) learn(word, item);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (ID_KEYS.has(key)) add(word, inner);
      learn(key === 'results' ? word : singular(key), inner);
    }
  }

  const pick = ({ word, pick: index, type }: KnownId): string | number => {
    const fits = (value: string | number): boolean =>
      type === 'uuid' ? UUID.test(String(value)) : type === 'text' || typeof value === 'number';
    const wanted = word.replace(/(_+(id|uuid|ids|uuids)|Id)$/, '').toLowerCase();
    const own = [...byWord]
      .filter(([name]) => name.length > 2 && wanted.includes(name))
      .flatMap(([, list]) => list);
    const list = (own.some(fits) ? own : [...byWord.values()].flat()).filter(fits);
    const value = list[index % list.length] ?? 1;
    return type === 'number' ? value : String(value);
  };

  return {
    learn: (path, body) => learn(wordOf(path), body),
    pick,
    fill: function fill(value: unknown): unknown {
      if (value instanceof KnownId) return pick(value);
      if (Array.isArray(value)) return value.map(fill);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    },
  };
}

/** `/api/projects/{project_id}/dashboards/{id}/` -> dashboard: the last word of a path. */
export function wordOf(path: string): string {
  return singular(path.split('/').findLast((part) => /^[a-z_]+$/.test(part)) ?? '');
}

export function singular(word: string): string {
  return word.replace(/s$/, '');
}
