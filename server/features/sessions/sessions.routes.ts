import { CHANNEL_TYPES } from '../../hogql/tables/channel-type.ts';
import { sessionsTable } from '../../hogql/tables/sessions-table.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type Queries, readQuery } from '../query/index.ts';
import { type SessionPropertyJson, type SessionValueJson, sessionsApi } from './sessions.contract.ts';

const route = routesOf(sessionsApi);

const MAX_VALUES = 10;
const TYPES: Readonly<Record<string, SessionPropertyJson['property_type']>> = {
  String: 'String',
  Int64: 'Numeric',
  UInt64: 'Numeric',
  DateTime: 'DateTime',
  Bool: 'Boolean',
};

/** Columns of sessions that filters and breakdowns name: all single values that begin with a dollar sign. */
const PROPERTIES: readonly SessionPropertyJson[] = [...sessionsTable.columns, ...sessionsTable.expressions!]
  .filter(([name, { type }]) => name.startsWith('$') && type.name in TYPES)
  .map(([name, { type }]) => {
    const propertyType = TYPES[type.name]!;
    return {
      id: name,
      name,
      property_type: propertyType,
      is_numerical: propertyType === 'Numeric',
      is_seen_on_filtered_events: null,
      tags: [],
    };
  })
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

export function sessionRoutes({ queries }: { queries: Pick<Queries, 'open'> }): ManagementRoute[] {
  const read = { auth: 'key', scope: ['query:read'] } as const;
  return [
    route('GET P/sessions/property_definitions/', {
      ...read,
      summary: 'Lists the properties of sessions.',
      handle: ({ query: { search = '', is_numerical: isNumerical } }) => {
        const terms = search.toLowerCase().split(/\s+/);
        const results = PROPERTIES.filter(
          ({ name, is_numerical: isNumber }) =>
            (isNumerical === undefined || isNumber === isNumerical) &&
            terms.every((term) => name.includes(term)),
        );
        return { count: results.length, results };
      },
    }),
    route('GET P/sessions/values/', {
      ...read,
      summary:
        'Lists values of a session property: the most frequent ones of the last seven days, or those that are possible.',
      handle: async ({ actor, project, query: { key, value = '' }, signal }) => {
        const property = PROPERTIES.find(({ name }) => name === key);
        const possible = property && possibleValues(property);
        if (!property || possible)
          return { results: (possible ?? []).filter(contains(value)), refreshing: false };
        const answering = await queries.open(project, { actor, answers: 'any', signal });
        const answer = await answering.answer(readQuery(frequentValues(property.name, value)));
        const rows = answer!['results'] as [string][];
        return { results: rows.map(([name]) => ({ name })), refreshing: false };
      },
    }),
  ];
}

/** Numbers and moments are typed and not chosen. */
function possibleValues({ name, property_type: type }: SessionPropertyJson): SessionValueJson[] | undefined {
  if (name === '$channel_type') return CHANNEL_TYPES.map((channel) => ({ name: channel }));
  if (type === 'String') return undefined;
  return type === 'Boolean' ? [{ name: 'true' }, { name: 'false' }] : [];
}

function contains(text: string): (value: SessionValueJson) => boolean {
  return ({ name }) => name.toLowerCase().includes(text.toLowerCase());
}

function frequentValues(property: string, text: string): object {
  return {
    kind: 'HogQLQuery',
    query: `SELECT ${property} AS name FROM sessions
      WHERE $start_timestamp >= now() - toIntervalDay(7) AND notEmpty(name) AND position(lower(name), lower({text})) > 0
      GROUP BY name ORDER BY count() DESC, name LIMIT ${MAX_VALUES}`,
    values: { text },
  };
}
