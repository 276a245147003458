import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import { askQuery, readSchema, type DatabaseSchema } from '../../api/query.api.ts';
import { hogqlName } from '../../ui/hogql-name.ts';

export interface KnownEvent {
  name: string;
  /** Events of the last 30 days; null where they were not counted. */
  count: number | null;
}

/** A property that definitions know, with what people said of it. */
export interface KnownProperty {
  name: string;
  type: string;
  description: string;
  /** The share of the newest events that have it, from 0 to 1; null where it was not measured. */
  share: number | null;
}

/** What can be named in a query of this project. */
export interface Names {
  schema: DatabaseSchema;
  properties: Readonly<Record<'event' | 'person', readonly KnownProperty[]>>;
  /** The most frequent ones first. */
  events: readonly KnownEvent[];
}

const KEYWORDS =
  'SELECT FROM WHERE GROUP BY ORDER BY HAVING LIMIT JOIN LEFT JOIN ON AS AND OR NOT IN BETWEEN LIKE ILIKE IS NULL DESC ASC DISTINCT CASE WHEN THEN ELSE END WITH UNION ALL INTERVAL OVER PARTITION BY'.match(
    /(?:GROUP|ORDER|PARTITION) BY|LEFT JOIN|UNION ALL|\w+/g,
  )!;

const PATH = /(?:[\w$]+|`[^`]*`)(?:\.(?:[\w$]+|`[^`]*`))*\.(?:[\w$]*|`[^`]*)$/;
const EVENT_VALUE = /\bevent\s*(?:=|==|!=|<>|(?:not\s+)?in\s*\((?:\s*'[^']*'\s*,)*)\s*'[^']*$/i;

/** Offers what can stand at the cursor: names of events in a text, parts of a path after its dot, else everything. */
export function completeHogql(context: CompletionContext, names: Names | null): CompletionResult | null {
  if (names === null) return null;
  const before = context.state.sliceDoc(Math.max(0, context.pos - 500), context.pos);
  const quote = EVENT_VALUE.exec(before);
  if (quote) {
    const from = context.pos - (before.length - before.lastIndexOf("'") - 1);
    return {
      from,
      options: names.events.map(({ name }, index) => eventOption(name, index)),
      validFor: /^[^']*$/,
    };
  }
  const path = PATH.exec(before)?.[0];
  if (path !== undefined) return completePath(path, context.pos, names);
  const word = context.matchBefore(/[\w$]+/);
  if (!word && !context.explicit) return null;
  if (isInsideText(before)) return null;
  return { from: word?.from ?? context.pos, options: everything(names), validFor: /^[\w$]*$/ };
}

function isInsideText(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(/'/g)?.length ?? 0) % 2 === 1 || line.includes('--');
}

function completePath(path: string, pos: number, names: Names): CompletionResult | null {
  const parts = path.split('.').map((part) => part.replaceAll('`', ''));
  const tail = path.slice(path.lastIndexOf('.') + 1);
  const options = optionsBelow(parts.slice(0, -1), names);
  return options.length === 0 ? null : { from: pos - tail.length, options, validFor: /^(?:[\w$]*|`[^`]*)$/ };
}

function optionsBelow(parts: readonly string[], names: Names): Completion[] {
  const last = parts.at(-1)!;
  if (last === 'properties') {
    const owner = parts.at(-2);
    const kind = owner === 'person' || owner === 'persons' || owner === 'p' ? 'person' : 'event';
    return names.properties[kind].map(propertyOption);
  }
  const { tables } = names.schema;
  const lazy = Object.values(tables)
    .map(({ fields }) => fields[last])
    .find((field) => field?.table !== undefined);
  const table = tables[last] ?? (lazy?.table === undefined ? undefined : tables[lazy.table]);
  // An unknown table is treated as an alias of `events`, which is what most queries read.
  return fieldOptions(table ?? tables['events']);
}

function fieldOptions(table: DatabaseSchema['tables'][string] | undefined): Completion[] {
  return Object.values(table?.fields ?? {}).map((field) => ({
    label: field.name,
    apply: field.hogql_value,
    type: 'property',
    detail: field.table ?? field.type,
    boost: 2,
  }));
}

function propertyOption({ name, type, description }: KnownProperty): Completion {
  const option: Completion = { label: name, apply: hogqlName(name), type: 'property', detail: type };
  return description === '' ? option : { ...option, info: description };
}

/** Frequent events come first. */
function eventOption(label: string, index: number): Completion {
  return { label, type: 'constant', detail: 'event', boost: Math.max(0, 50 - index) };
}

function everything({ schema, properties }: Names): Completion[] {
  return [
    ...KEYWORDS.map((label) => ({ label, type: 'keyword', boost: 1 })),
    ...Object.keys(schema.tables).map((label) => ({ label, type: 'class', detail: 'table', boost: 3 })),
    ...fieldOptions(schema.tables['events']),
    ...properties.event.map((property) => ({
      ...propertyOption(property),
      label: `properties.${property.name}`,
      apply: `properties.${hogqlName(property.name)}`,
    })),
    ...schema.functions.map(({ name, signature, help, kind }) => ({
      label: name,
      type: 'function',
      detail: kind === 'function' ? '' : kind,
      info: help === '' ? signature : `${signature}: ${help}`,
      apply: `${name}(`,
    })),
  ];
}

/** The maximum number of names; a longer list would not be read. */
const MOST = 500;
const MOST_PROPERTIES = 2000;
/** Events whose properties are counted. */
const SAMPLE = 1000;

const EVENT_COUNTS = `SELECT event, count() AS times FROM events WHERE timestamp >= now() - INTERVAL 30 DAY
  GROUP BY event ORDER BY times DESC LIMIT ${MOST}`;
/** Of the newest events: how many have each property; the empty name is that of all of them. */
const PROPERTY_COUNTS = `SELECT arrayJoin(arrayConcat([''], JSONExtractKeys(properties))) AS name, count() AS times
  FROM (SELECT toString(properties) AS properties FROM events WHERE timestamp >= now() - INTERVAL 30 DAY
    ORDER BY timestamp DESC LIMIT ${SAMPLE})
  GROUP BY name ORDER BY times DESC LIMIT ${MOST_PROPERTIES}`;

/** What can be named in a query of a project, read once per visit; null until then. */
export function useNames(projectId: number) {
  const names = shallowRef<Names | null>(null);
  const failure = shallowRef<unknown>(null);

  async function read(): Promise<void> {
    try {
      const [schema, events, ofEvents, ofPersons, counts, shares] = await Promise.all([
        readSchema(projectId),
        api.get('P/event_definitions/', { projectId, query: { limit: MOST, offset: 0 } }),
        propertiesOf('event'),
        propertiesOf('person'),
        countsOf(EVENT_COUNTS),
        countsOf(PROPERTY_COUNTS),
      ]);
      const sampled = shares.get('') ?? 0;
      const shareOf = (name: string) => (sampled === 0 ? null : (shares.get(name) ?? 0) / sampled);
      names.value = {
        schema,
        events: events.results
          .map(({ name }): KnownEvent => ({
            name,
            count: counts.size === 0 ? null : (counts.get(name) ?? 0),
          }))
          .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0)),
        properties: {
          event: ofEvents
            .map((one) => ({ ...one, share: shareOf(one.name) }))
            .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)),
          person: ofPersons,
        },
      };
      failure.value = null;
    } catch (error) {
      failure.value = error;
    }
  }

  /** Numbers by name. Without them the names are listed as they are. */
  async function countsOf(query: string): Promise<ReadonlyMap<string, number>> {
    try {
      const { results } = await askQuery(projectId, { kind: 'HogQLQuery', query });
      return new Map(((results ?? []) as [string, number][]).map(([name, count]) => [name, Number(count)]));
    } catch {
      return new Map();
    }
  }

  async function propertiesOf(kind: 'event' | 'person'): Promise<KnownProperty[]> {
    const { results } = await api.get('P/property_definitions/', {
      projectId,
      query: { limit: MOST_PROPERTIES, offset: 0, type: kind },
    });
    return results.map(({ name, property_type: type, description }) => ({
      name,
      type: type ?? 'String',
      description: description ?? '',
      share: null,
    }));
  }

  void read();
  return { names, failure, read };
}
