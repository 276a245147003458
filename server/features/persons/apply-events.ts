import { growthOf, MAX_PROPERTIES_SIZE } from '../../lib/properties-size.ts';
import type { EventRow, IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import type { PersonUnitOfWork } from './person-unit-of-work.ts';
import { changesTo, joined, type PersonState, type PropertyChange } from './person-state.ts';
import { isWorthWriting } from './write-saving.ts';
import { COOKIELESS_DISTINCT_ID } from '../../lib/cookieless.ts';

const ILLEGAL_ANY_CASE =
  'anonymous guest distinctid distinct_id id not_authenticated email undefined true false';
const ILLEGAL_THIS_CASE = '[object Object]|NaN|None|none|null|0|undefined';

const illegal: ReadonlySet<string> = new Set([
  ...ILLEGAL_THIS_CASE.split('|').flatMap(quotings),
  COOKIELESS_DISTINCT_ID,
]);
const illegalLowerCase: ReadonlySet<string> = new Set(ILLEGAL_ANY_CASE.split(' ').flatMap(quotings));

function quotings(id: string): string[] {
  return [id, `"${id}"`, `'${id}'`];
}

/** Whether an ID is a generic value, so that merging by it would join unrelated persons (contract 6.6.2). */
function isIllegalDistinctId(distinctId: string): boolean {
  return (
    distinctId.trim() === '' || illegal.has(distinctId) || illegalLowerCase.has(distinctId.toLowerCase())
  );
}

type Merge = NonNullable<IdentityUpdate['merge']>;

/** The id whose person stays, and the one whose person is taken in: an alias becomes the main id (contract 6.5). */
function sidesOf(distinctId: string, { kind, otherId }: Merge): { survivorId: string; absorbedId: string } {
  return kind === '$create_alias'
    ? { survivorId: otherId, absorbedId: distinctId }
    : { survivorId: distinctId, absorbedId: otherId };
}

/**
 * Whether two persons who both exist stay apart (contract 6.6.4): an identified person is not absorbed by another,
 * except dangerously; an alias is refused only between two of them, because SDKs disagree which side of it is the new
 * one.
 */
function isMergeRefused(
  kind: Merge['kind'],
  survivor: { isIdentified: boolean },
  absorbed: { isIdentified: boolean },
): boolean {
  if (kind === '$merge_dangerously') return false;
  if (kind === '$create_alias') return survivor.isIdentified && absorbed.isIdentified;
  return absorbed.isIdentified;
}

/** The reason why a requested change was refused. */
export type PersonRefusal =
  | 'cannot_merge_already_identified'
  | 'cannot_merge_with_illegal_distinct_id'
  | 'person_properties_size_violation';

export interface ApplyContext {
  unit: PersonUnitOfWork;
  onRefusal(row: EventRow, refusal: PersonRefusal): void;
}

/**
 * Finds or creates the person of an event, applies the event's identity update and stores the person on the row (6.1
 * to 6.6).
 */
export function applyEvent(row: EventRow, context: ApplyContext): void {
  const { unit } = context;
  const { projectId, distinctId } = row;
  if (row.isAnonymous) {
    row.personId =
      unit.ownerOf(projectId, distinctId)?.personId ?? unit.createPlaceholder(projectId, distinctId);
    return;
  }
  if (row.identity !== null && row.identity.merge !== null) applyMerge(row, row.identity.merge, context);
  const owner = unit.ownerOf(projectId, distinctId);
  const personId =
    owner !== null && owner.hasPerson
      ? owner.personId
      : unit.createPerson(projectId, distinctId, row.timestamp).id;
  row.personId = personId;
  // The event itself changes nothing, but its person was loaded for another event, which may have changed it.
  if (row.derived !== null && unit.find(personId) !== null) readDerived(row);
  const { identity } = row;
  if (identity === null || (identity.set ?? identity.setOnce ?? identity.unset) === null) return;
  if (isWorthWriting(row.event, unit.person(personId).properties, identity)) {
    const isSmallEnough = updatePerson(unit, personId, identity, row.event, row.timestamp);
    if (!isSmallEnough) context.onRefusal(row, 'person_properties_size_violation');
  }
}

/** Adds changes derived from event properties to the identity update. */
export function readDerived(row: EventRow): void {
  if (row.derived !== null) row.identity = row.derived.joinedWith(row.identity);
  row.derived = null;
}

/**
 * Changes a person's properties and records the source of each; `at` is in Unix microseconds. Returns false, with
 * nothing changed, when they would exceed the size limit.
 */
export function updatePerson(
  unit: PersonUnitOfWork,
  personId: number,
  change: PropertyChange,
  event: string,
  at: number,
): boolean {
  const changes = changesTo(unit.person(personId).properties, change);
  if (changes === null) return true;
  const before = unit.person(personId);
  const put = changes.put.map(({ name, value }) => [name, value] as const);
  const growth = growthOf(before.properties, put, changes.removed);
  if (growth > 0 && before.size + growth > MAX_PROPERTIES_SIZE) return false;
  const person = unit.edit(personId);
  const { properties, sources } = person;
  const time = new Date(at / 1_000).toISOString();
  const bySource = {
    $set: { event, by: '$set', at: time },
    $set_once: { event, by: '$set_once', at: time },
  } as const;
  for (const { name, value, by } of changes.put) {
    properties[name] = value;
    sources[name] = bySource[by];
  }
  for (const name of changes.removed) {
    delete properties[name];
    delete sources[name];
  }
  person.size += growth;
  return true;
}

function applyMerge(row: EventRow, merge: NonNullable<IdentityUpdate['merge']>, context: ApplyContext): void {
  const { unit } = context;
  const { projectId } = row;
  const { survivorId, absorbedId } = sidesOf(row.distinctId, merge);
  if (survivorId === absorbedId) return;
  if (isIllegalDistinctId(survivorId) || isIllegalDistinctId(absorbedId)) {
    context.onRefusal(row, 'cannot_merge_with_illegal_distinct_id');
    return;
  }
  const find = (distinctId: string): PersonState | null => {
    const owner = unit.ownerOf(projectId, distinctId);
    return owner !== null && owner.hasPerson ? unit.person(owner.personId) : null;
  };
  const survivor = find(survivorId);
  const absorbed = find(absorbedId);
  const mergeEvent = { distinctId: absorbedId, event: row.event, at: row.timestamp };
  if (survivor !== null && absorbed !== null) {
    if (survivor.id === absorbed.id) return;
    if (isMergeRefused(merge.kind, survivor, absorbed)) {
      context.onRefusal(row, 'cannot_merge_already_identified');
      return;
    }
  }
  let person: PersonState;
  if (survivor === null && absorbed !== null) {
    person = unit.edit(absorbed.id);
    unit.addDistinctId(person, survivorId, { ...mergeEvent, distinctId: survivorId });
  } else {
    const id = survivor?.id ?? unit.createPerson(projectId, survivorId, row.timestamp).id;
    person = unit.edit(id);
    if (absorbed === null) unit.addDistinctId(person, absorbedId, mergeEvent);
    else if (!absorbPerson(person, unit.edit(absorbed.id), mergeEvent, unit)) {
      context.onRefusal(row, 'person_properties_size_violation');
    }
  }
  // An alias becomes the main ID (6.5).
  if (merge.kind === '$create_alias') unit.placeFirst(person, survivorId);
  person.isIdentified = true;
}

/** Returns false when the combined properties exceed the size limit; then those of the survivor stay. */
function absorbPerson(
  survivor: PersonState,
  absorbed: PersonState,
  mergeEvent: { distinctId: string; event: string; at: number },
  unit: PersonUnitOfWork,
): boolean {
  const isSmaller = survivor.size < absorbed.size;
  const isSmallEnough = absorbed.size === 0 || survivor.size + absorbed.size <= MAX_PROPERTIES_SIZE;
  if (isSmallEnough) {
    survivor.properties = joined(survivor.properties, absorbed.properties, isSmaller);
    survivor.sources = joined(survivor.sources, absorbed.sources, isSmaller);
    survivor.size += absorbed.size;
  }
  survivor.createdAt = Math.min(survivor.createdAt, absorbed.createdAt);
  unit.absorb(survivor, absorbed, mergeEvent);
  return isSmallEnough;
}
