import { parseElementsChain } from '../../lib/elements-chain.ts';
import { offsetTime } from './event-page.ts';
import type { StoredEventJson } from './events.contract.ts';
import type { EventWithPerson, PersonOfEvent } from './event-row.ts';

/** An event with its objects as JSON text; `person` is empty when none is known of. */
export function storedEventOf(row: EventWithPerson): StoredEventJson {
  const chain = row.elementsChain ?? '';
  return {
    id: row.uuid,
    distinct_id: row.distinctId,
    properties: row.properties,
    event: row.event,
    timestamp: offsetTime(row.timestamp),
    person: row.person === null ? '' : personText(row.person),
    elements: JSON.stringify(parseElementsChain(chain)),
    elements_chain: chain,
  };
}

function personText({ isIdentified, distinctId, email, name, username }: PersonOfEvent): string {
  const properties = Object.entries({ email, name, username }).flatMap(([key, json]) =>
    json === null || json === 'null' ? [] : [`"${key}":${json}`],
  );
  const ids = JSON.stringify(distinctId === null ? [] : [distinctId]);
  return `{"is_identified":${isIdentified},"distinct_ids":${ids},"properties":{${properties.join(',')}}}`;
}
