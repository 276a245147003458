import { ApiError } from '../../errors.ts';
import { isJsonObject } from '../../lib/exact-number.contract.ts';
import type { GeoipProperties } from '../geoip/index.ts';
import type { Imported, ImportedBatch } from './capture-messages.ts';
import type { Envelope, JsonObject } from './envelope.ts';
import { normalizeEvent } from './normalize.ts';
import type { OpenedRequest } from './opened-request.ts';

/** The place that an event names: what its person has of it was derived from it, and is again. */
function placeIn(item: JsonObject): GeoipProperties | null {
  const { properties } = item;
  if (!isJsonObject(properties) || properties['$geoip_country_code'] === undefined) return null;
  const named = Object.entries(properties).filter(
    ([name, value]) => name.startsWith('$geoip_') && value !== undefined && value !== null,
  );
  return Object.fromEntries(named) as GeoipProperties;
}

/** A batch of imported events, each with a UUID, which is answered with those that were not stored. */
export function openImported(envelope: Envelope, imported: Imported): OpenedRequest {
  const notStored: [string, string][] = [];
  return {
    envelope,
    normalize(item, own, context) {
      try {
        const judged = normalizeEvent(
          item,
          own,
          imported === 'as_stored' ? { ...context, lookup: () => placeIn(item) } : context,
        );
        if (judged.event === undefined) notStored.push([String(item['uuid']), judged.dropped.reason]);
        return judged;
      } catch (error) {
        // What would be a fault of a whole request is one of a row here.
        if (!(error instanceof ApiError)) throw error;
        notStored.push([String(item['uuid']), error.message]);
        return { dropped: { reason: 'invalid_properties', event: '', lib: '', libVersion: '' } };
      }
    },
    reply: {
      notStored: (uuid, reason) => void notStored.push([uuid, reason]),
      text: () => JSON.stringify({ notStored } satisfies ImportedBatch),
    },
    notKept: null,
  };
}
