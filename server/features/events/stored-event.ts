import { parseElementsChain } from '../../lib/elements-chain.ts';
import { offsetTime } from './event-page.ts';
import type { StoredEventJson } from './events.contract.ts';
import type { EventRow } from './event-row.ts';

/** An event with its objects as JSON text. `person` is empty: no person is known of. */
export function storedEventOf(row: EventRow): StoredEventJson {
  const chain = row.elementsChain ?? '';
  return {
    id: row.uuid,
    distinct_id: row.distinctId,
    properties: row.properties,
    event: row.event,
    timestamp: offsetTime(row.timestamp),
    person: '',
    elements: JSON.stringify(parseElementsChain(chain)),
    elements_chain: chain,
  };
}
