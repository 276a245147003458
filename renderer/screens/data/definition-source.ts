import { api, type BodyOf } from '../../api/client.ts';
import type {
  EventDefinitionJson as EventDefinition,
  PropertyDefinitionJson as PropertyDefinition,
} from '../../../server/features/definitions/definitions.contract.ts';

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

export interface SourceQuery {
  search?: string | undefined;
  verified?: boolean;
  hidden?: boolean;
  limit: number;
  offset: number;
  /** Of event names only. */
  ordering?: string | undefined;
  /** Only the project's own, or only PostHog's. */
  origin: 'all' | 'own' | 'posthog';
}

/** One kind of definitions behind the same four verbs. */
export interface DefinitionSource {
  kind: DataKind;
  list(query: SourceQuery): Promise<{ count: number; definitions: Definition[] }>;
  change(id: string, change: BodyOf<'PATCH P/event_definitions/:id/'>): Promise<Definition>;
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
      const page = await api.get('P/event_definitions/', {
        projectId,
        query: { ...query, event_type: EVENT_TYPES[origin] },
      });
      return { count: page.count, definitions: page.results.map(ofEvent) };
    },
    change: async (id, change) =>
      ofEvent(await api.patch('P/event_definitions/:id/', { projectId, id, body: change })),
    remove: (id) => api.delete('P/event_definitions/:id/', { projectId, id }),
    async restore({ name, description, tags, isVerified, isHidden }) {
      const said = { description, tags, verified: isVerified, hidden: isHidden };
      return ofEvent(await api.post('P/event_definitions/', { projectId, body: { name, ...said } }));
    },
  };
}

function propertySource(
  projectId: number,
  kind: Exclude<DataKind, 'events'>,
  groupTypeIndex: number,
): DefinitionSource {
  const owner = {
    type: PROPERTY_KINDS[kind],
    group_type_index: kind === 'group-properties' ? groupTypeIndex : undefined,
  };
  return {
    kind,
    async list({ origin, ordering: _, ...query }) {
      const page = await api.get('P/property_definitions/', {
        projectId,
        query: { ...query, ...owner, exclude_core_properties: origin === 'own' ? true : undefined },
      });
      const stored = page.results.filter(isStored);
      return {
        count: page.count - (page.results.length - stored.length),
        definitions: stored.map(ofProperty),
      };
    },
    change: async (id, change) =>
      ofProperty(await api.patch('P/property_definitions/:id/', { projectId, id, body: change })),
    remove: (id) => api.delete('P/property_definitions/:id/', { projectId, id }),
    restore: null,
  };
}

function ofEvent(event: EventDefinition): Definition {
  return { ...marksOf(event), type: null };
}

/** Virtual properties, at the end of the list, have no definition that could be changed. */
export function isStored<T extends PropertyDefinition>(property: T | { virtual: true }): property is T {
  return !('virtual' in property);
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
