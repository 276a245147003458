import { shallowRef } from 'vue';
import { listEventDefinitions, listPropertyDefinitions } from '../../api/definitions.api.ts';
import { readSchema } from '../../api/query.api.ts';
import type { KnownProperty, Names } from './hogql-completion.ts';

/** As many names as one page tells; more would not be read in a list either. */
const MOST = 500;

/** What can be named in a query of a project, read once per visit; null until then. */
export function useNames(projectId: number) {
  const names = shallowRef<Names | null>(null);
  const failure = shallowRef<unknown>(null);

  async function read(): Promise<void> {
    try {
      const [schema, events, ofEvents, ofPersons] = await Promise.all([
        readSchema(projectId),
        listEventDefinitions(projectId, { limit: MOST, offset: 0 }),
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
    const { results } = await listPropertyDefinitions(projectId, { kind, limit: MOST, offset: 0 });
    return results.map(({ name, property_type: type, description }) => ({
      name,
      type: type ?? 'String',
      description: description ?? '',
    }));
  }

  void read();
  return { names, failure, read };
}
