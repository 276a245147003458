import {
  changeEventDefinition,
  changePropertyDefinition,
  createEventDefinition,
  deleteEventDefinition,
  deletePropertyDefinition,
  listEventDefinitions,
  listPropertyDefinitions,
  type DefinitionChange,
  type DefinitionQuery,
  type EventDefinition,
  type PropertyDefinition,
} from '../../api/definitions.api.ts';

/** What the address names: event names, or the properties of events, persons or groups. */
export type DataKind = 'events' | 'properties' | 'person-properties' | 'group-properties';

/** An event name or a property, as the list and its panel show it. */
export interface Definition {
  id: string;
  name: string;
  description: string;
  tags: string[];
  isVerified: boolean;
  isHidden: boolean;
  /** `null` for events, and for properties whose values agree on none. */
  type: PropertyDefinition['property_type'];
  firstSeen: string | null;
  lastSeen: string | null;
}

export interface SourceQuery extends DefinitionQuery {
  /** Of event names only. */
  ordering?: string | undefined;
  /** Only the project's own, or only PostHog's. */
  origin: 'all' | 'own' | 'posthog';
}

/** One kind of definitions behind the same four verbs. */
export interface DefinitionSource {
  kind: DataKind;
  list(query: SourceQuery): Promise<{ count: number; definitions: Definition[] }>;
  change(id: string, change: DefinitionChange): Promise<Definition>;
  remove(id: string): Promise<void>;
  /** Writes a removed one down again; properties cannot be. */
  restore: ((definition: Definition) => Promise<Definition>) | null;
}

const EVENT_TYPES = { all: undefined, own: 'event_custom', posthog: 'event_posthog' } as const;
const PROPERTY_KINDS = {
  properties: 'event',
  'person-properties': 'person',
  'group-properties': 'group',
} as const;

/** The definitions of a project that a tab shows. */
export function createSource(projectId: number, kind: DataKind, groupTypeIndex: number): DefinitionSource {
  return kind === 'events' ? eventSource(projectId) : propertySource(projectId, kind, groupTypeIndex);
}

function eventSource(projectId: number): DefinitionSource {
  return {
    kind: 'events',
    async list({ origin, ...query }) {
      const page = await listEventDefinitions(projectId, { ...query, eventType: EVENT_TYPES[origin] });
      return { count: page.count, definitions: page.results.map(ofEvent) };
    },
    change: async (id, change) => ofEvent(await changeEventDefinition(projectId, id, change)),
    remove: (id) => deleteEventDefinition(projectId, id),
    async restore({ name, description, tags, isVerified, isHidden }) {
      const said = { description, tags, verified: isVerified, hidden: isHidden };
      return ofEvent(await createEventDefinition(projectId, { name, ...said }));
    },
  };
}

function propertySource(
  projectId: number,
  kind: Exclude<DataKind, 'events'>,
  groupTypeIndex: number,
): DefinitionSource {
  const owner = {
    kind: PROPERTY_KINDS[kind],
    ...(kind === 'group-properties' ? { groupTypeIndex } : {}),
  };
  return {
    kind,
    async list({ origin, ordering: _, ...query }) {
      const page = await listPropertyDefinitions(projectId, {
        ...query,
        ...owner,
        isOwnOnly: origin === 'own',
      });
      return { count: page.count, definitions: page.results.map(ofProperty) };
    },
    change: async (id, change) => ofProperty(await changePropertyDefinition(projectId, id, change)),
    remove: (id) => deletePropertyDefinition(projectId, id),
    restore: null,
  };
}

function ofEvent(event: EventDefinition): Definition {
  return { ...marksOf(event), type: null };
}

/** A property as the list shows it. */
export function ofProperty(property: PropertyDefinition): Definition {
  return { ...marksOf(property), type: property.property_type };
}

function marksOf(definition: EventDefinition | PropertyDefinition): Omit<Definition, 'type'> {
  return {
    id: definition.id,
    name: definition.name,
    description: definition.description,
    tags: definition.tags,
    isVerified: definition.verified,
    isHidden: definition.hidden,
    firstSeen: definition.first_seen_at,
    lastSeen: definition.last_seen_at,
  };
}
