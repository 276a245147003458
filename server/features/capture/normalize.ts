import { isJsonObject, parseExactly } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import type { JsonSlice } from '../../warehouse/duckdb/json-slice.ts';
import { formatElementsChain } from '../../lib/elements-chain.ts';
import type { GeoipLookup, GeoipProperties } from '../geoip/index.ts';
import { membersToAdd, senderAddress, textWith, type AddedMembers } from './added-members.ts';
import { readClientUuid } from './client-uuid.ts';
import type { Envelope, JsonObject } from './envelope.ts';
import { parseTime, resolveEventTime } from './event-time.ts';
import { warningsOf, type EventWarning } from './event-warnings.ts';
import { contradictsItself, readIdentity } from './identity-update.ts';
import { COOKIELESS_DISTINCT_ID } from '../../lib/cookieless.ts';
import { derivedLater, forEachPersonValue, withDerived, type TakePersonValue } from './person-properties.ts';
import { storedJson, storedName } from './stored-text.ts';
import { forEachRawValue, propertyLists, RAW_PROPERTIES, type RawJson } from './fast/usual-json.ts';

/**
 * The location of an event (ingestion contract 6.7b): of the address in the event, else of its sender. Null when it
 * is unknown or disabled by the event.
 */
function locateEvent(properties: JsonObject, senderIp: string, lookup: GeoipLookup): GeoipProperties | null {
  const { $ip, $geoip_disable } = properties;
  if ($geoip_disable === true) return null;
  // An `$ip` that is not a string counts as an unknown address.
  return lookup($ip === undefined ? senderIp : typeof $ip === 'string' ? $ip : '');
}

/**
 * Why an event is answered 200 and not stored (ingestion contract 3.4, 5, 6.2); not_storable is the
 * store's own verdict, and paused not a fault of the event: capture is paused.
 */
export type DropReason =
  | 'missing_event_name'
  | 'missing_distinct_id'
  | 'empty_distinct_id'
  | 'performance_event'
  | 'skipping_event_invalid_process_person_profile'
  | 'illegal_distinct_id'
  | 'invalid_properties'
  | 'cookieless_disabled'
  | 'not_storable'
  | 'paused';

export interface DroppedEvent {
  reason: DropReason;
  /** Empty when it has no name. */
  event: string;
  lib: string;
  libVersion: string;
}

/** `warnings`: what is stored otherwise than it was sent; null for nearly all events. */
export type Normalized =
  | { event: EventRow; warnings: readonly EventWarning[] | null; dropped?: undefined }
  | { event?: undefined; dropped: DroppedEvent };

export interface NormalizeContext {
  projectId: number;
  /** When the request was received, in Unix milliseconds. */
  now: number;
  /** Kept as `$ip` of events that name none; empty keeps none. */
  clientIp: string;
  /** The address is looked up and then removed (the project's setting `anonymize_ips`). */
  anonymizesIps: boolean;
  /** The path of the request. */
  source: string;
  /** Says where an address lies. */
  lookup: GeoipLookup;
  newId: () => string;
}

/**
 * Turns one item of a request into the event to store, or the reason to drop it (ingestion contract 3.3, 3.4, 4). The
 * item is freshly parsed JSON and changed in place, because copying its properties would cost as much as parsing.
 * Throws invalid_payload for what makes the whole request malformed (1.7): properties that are not an object, an
 * invalid uuid, an offset that is not a whole number, JSON nested too deep.
 */
export function normalizeEvent(item: JsonObject, envelope: Envelope, context: NormalizeContext): Normalized {
  const properties = propertiesOf(item, context);
  const clientUuid = readClientUuid(item.uuid);
  const times = {
    timestamp: item.timestamp,
    offset: item.offset,
    sentAt: envelope.sentAt ?? parseTime(item.sent_at) ?? envelope.querySentAt,
    ignoreSentAt: properties.$ignore_sent_at === true,
    now: context.now,
  };
  const timestamp = resolveEventTime(times);
  const event = typeof item.event === 'string' ? storedName(item.event) : '';
  const distinctId = readDistinctId(item, properties);
  const lib = storedName(textOf(properties.$lib));
  const libVersion = storedName(textOf(properties.$lib_version));
  const isAnonymous = properties.$process_person_profile === false;
  const reason = contradictsItself(event, isAnonymous)
    ? 'skipping_event_invalid_process_person_profile'
    : reasonToDrop(event, distinctId);
  if (reason !== null) return { dropped: { reason, event, lib, libVersion } };

  setPersonUpdates(item, properties);
  const elementsChain = takeElementsChain(properties);
  const sender = senderAddress(properties, context.clientIp);
  const location = locateEvent(properties, sender, context.lookup);
  if (context.anonymizesIps) removeAddresses(properties);
  const added = membersToAdd(properties, context.anonymizesIps ? '' : sender, location);
  const own = readIdentity(event, properties, isAnonymous);
  const raw = rawOf(item);
  const forEachValue = (take: TakePersonValue): void => {
    if (raw === undefined) forEachPersonValue(properties, take);
    else forEachRawValue(raw, take);
  };
  const isLater = raw !== undefined && location === null;
  const row: EventRow = {
    projectId: context.projectId,
    uuid: clientUuid ?? context.newId(),
    hasClientUuid: clientUuid !== null,
    event,
    distinctId: storedName(distinctId!),
    personId: 0,
    timestamp,
    properties: rawProperties(item, added) ?? textWith(properties, added),
    elementsChain,
    receivedAt: context.now * 1_000,
    historical: envelope.historicalMigration,
    lib,
    libVersion,
    source: context.source,
    isAnonymous,
    identity: isLater ? own : withDerived(own, { event, isAnonymous, location, forEachValue }),
    derived: isLater ? derivedLater(raw, { event, isAnonymous, forEachValue }) : null,
    propertyList: raw?.list ?? propertyLists.ofObject(properties),
    addedProperties: added.list,
  };
  return { event: row, warnings: warningsOf({ item, properties, distinctId: distinctId!, times }, row) };
}

function propertiesOf(item: JsonObject, { anonymizesIps }: NormalizeContext): JsonObject {
  const properties = item.properties;
  if (properties === undefined || properties === null) return {};
  if (isJsonObject(properties)) {
    const isRewritten = hasToBeRewritten(properties) || anonymizesIps;
    return isRewritten ? parsedProperties(item) : properties;
  }
  throw fail('invalid_payload', { detail: 'invalid payload: "properties" is not an object.' });
}

/** Updates of an anonymous event are taken out of its properties. */
function hasToBeRewritten({ $process_person_profile, $set, $set_once, $unset }: JsonObject): boolean {
  return (
    $process_person_profile === false &&
    ($set !== undefined || $set_once !== undefined || $unset !== undefined)
  );
}

type WithRaw = { [RAW_PROPERTIES]?: RawJson | undefined };

function rawOf(item: JsonObject): RawJson | undefined {
  return (item as WithRaw)[RAW_PROPERTIES];
}

/** The properties as values where they were kept as bytes. */
function parsedProperties(item: JsonObject): JsonObject {
  const raw = rawOf(item);
  if (raw === undefined) return item.properties as JsonObject;
  (item as WithRaw)[RAW_PROPERTIES] = undefined;
  return (item.properties = parseExactly(raw.bytes.toString('utf8', raw.start, raw.end)) as JsonObject);
}

/**
 * The properties as the bytes they were sent as, with what textWith adds; null when they were parsed. What has to be
 * rewritten is always parsed (usual-json.ts), so that nothing but the additions is missing in them.
 */
function rawProperties(item: JsonObject, { ending }: AddedMembers): JsonSlice | null {
  const raw = rawOf(item);
  return raw === undefined ? null : { bytes: raw.bytes, start: raw.start, end: raw.end, ending };
}

function reasonToDrop(event: string, distinctId: string | null): DropReason | null {
  if (isBlank(event)) return 'missing_event_name';
  if (event === '$performance_event') return 'performance_event';
  if (distinctId === null) return 'missing_distinct_id';
  if (distinctId === COOKIELESS_DISTINCT_ID) return 'cookieless_disabled';
  return distinctId === '' ? 'empty_distinct_id' : null;
}

/** The first spelling that holds an id; empty text when those that are there hold none, null when none is there. */
function readDistinctId(item: JsonObject, properties: JsonObject): string | null {
  const id =
    distinctIdOf(item.distinct_id) || distinctIdOf(item.$distinct_id) || distinctIdOf(properties.distinct_id);
  if (id !== '') return id;
  const isAbsent =
    item.distinct_id === undefined && item.$distinct_id === undefined && properties.distinct_id === undefined;
  return isAbsent ? null : '';
}

function distinctIdOf(value: unknown): string {
  if (typeof value === 'string') return isBlank(value) ? '' : value;
  if (value === undefined || value === null) return '';
  const json = storedJson(value);
  return json === '[]' || json === '{}' ? '' : json;
}

/**
 * Brings the person updates beside the properties into them, the properties' own keys winning; takes all of them from
 * an event that says it is anonymous (6.2).
 */
function setPersonUpdates(item: JsonObject, properties: JsonObject): void {
  const profile = properties.$process_person_profile;
  if (profile === true) remove(properties, '$process_person_profile');
  if (profile === false) {
    remove(properties, '$set');
    remove(properties, '$set_once');
    remove(properties, '$unset');
    return;
  }
  if (isSet(item.$set)) properties.$set = merged(item.$set, properties.$set);
  if (isSet(item.$set_once)) properties.$set_once = merged(item.$set_once, properties.$set_once);
  if (isSet(item.$unset)) properties.$unset = merged(item.$unset, properties.$unset);
}

function merged(beside: unknown, own: unknown): unknown {
  if (!isSet(own)) return beside;
  if (Array.isArray(beside) && Array.isArray(own)) return [...new Set([...own, ...beside])];
  return isJsonObject(beside) && isJsonObject(own) ? { ...beside, ...own } : own;
}

/** Moves the clicked element and its parents out of the properties into the text of their column. */
function takeElementsChain(properties: JsonObject): string | null {
  const elements = properties.$elements;
  let chain = '';
  if (Array.isArray(elements)) {
    remove(properties, '$elements');
    chain = formatElementsChain(elements);
  }
  if (typeof properties.$elements_chain === 'string') {
    if (properties.$elements_chain !== '') chain = properties.$elements_chain;
    remove(properties, '$elements_chain');
  }
  return chain === '' ? null : chain.toWellFormed();
}

/** Names under which SDKs and PostHog send an address: $ip, $initial_ip … */
const ADDRESS_NAME = /^\$(?:\w+_)?ip$/;
const PERSON_UPDATES = ['$set', '$set_once', '$group_set'];

/** Takes addresses out of the properties and of the updates of persons and groups in them. */
function removeAddresses(properties: JsonObject): void {
  for (const name of Object.keys(properties)) if (ADDRESS_NAME.test(name)) remove(properties, name);
  for (const update of PERSON_UPDATES) {
    const values = properties[update];
    if (!isJsonObject(values) || !Object.keys(values).some((name) => ADDRESS_NAME.test(name))) continue;
    properties[update] = Object.fromEntries(
      Object.entries(values).filter(([name]) => !ADDRESS_NAME.test(name)),
    );
  }
}

/** JSON.stringify leaves out what is undefined; `delete` would make the object slow to write. */
function remove(properties: JsonObject, name: string): void {
  if (properties[name] !== undefined) properties[name] = undefined;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
