import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import { hogqlName, readSchema, type DatabaseSchema } from '../../api/query.api.ts';

/** A property that definitions know, with what people said of it. */
export interface KnownProperty {
  name: string;
  type: string;
  description: string;
}

/** What can be named in a query of this project. */
export interface Names {
  schema: DatabaseSchema;
  properties: Readonly<Record<'event' | 'person', readonly KnownProperty[]>>;
  events: readonly string[];
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
    return { from, options: names.events.map(eventOption), validFor: /^[^']*$/ };
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

function eventOption(label: string): Completion {
  return { label, type: 'constant', detail: 'event' };
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

/** The maximum number of names, which is one page of the API; a longer list would not be read. */
const MOST = 500;

/** What can be named in a query of a project, read once per visit; null until then. */
export function useNames(projectId: number) {
  const names = shallowRef<Names | null>(null);
  const failure = shallowRef<unknown>(null);

  async function read(): Promise<void> {
    try {
      const [schema, events, ofEvents, ofPersons] = await Promise.all([
        readSchema(projectId),
        api.get('P/event_definitions/', { projectId, query: { limit: MOST, offset: 0 } }),
        propertiesOf('event'),
        propertiesOf('person'),
      ]);
      names.value = {
        schema,
        events: events.results.map(({ name }) => name),
        properties: { event: ofEvents, person: ofPersons },
      };
      failure.value = null;
    } catch (error) {
      failure.value = error;
    }
  }

  async function propertiesOf(kind: 'event' | 'person'): Promise<KnownProperty[]> {
    const { results } = await api.get('P/property_definitions/', {
      projectId,
      query: { limit: MOST, offset: 0, type: kind },
    });
    return results.map(({ name, property_type: type, description }) => ({
      name,
      type: type ?? 'String',
      description: description ?? '',
    }));
  }

  void read();
  return { names, failure, read };
}
