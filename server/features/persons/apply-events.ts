import { growthOf, MAX_PROPERTIES_SIZE } from '../../lib/properties-size.ts';
import type { EventRow, IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import { isIllegalDistinctId, isMergeRefused, sidesOf } from './merge-rules.ts';
import type { PersonBook } from './person-book.ts';
import { changesTo, joined, type PersonState, type PropertyChange } from './person-state.ts';
import { isWorthWriting } from './write-saving.ts';

/** Why what an event asks for did not happen. */
export type PersonRefusal =
  | 'cannot_merge_already_identified'
  | 'cannot_merge_with_illegal_distinct_id'
  | 'person_properties_size_violation';

export interface ApplyContext {
  book: PersonBook;
  onRefusal(row: EventRow, refusal: PersonRefusal): void;
}

/** Finds or makes the person of an event, carries out what the event says about it, and notes it on the row (6.1 to 6.6). */
export function applyEvent(row: EventRow, context: ApplyContext): void {
  const { book } = context;
  const { projectId, distinctId } = row;
  if (row.isAnonymous) {
    row.personId =
      book.ownerOf(projectId, distinctId)?.personId ?? book.createPlaceholder(projectId, distinctId);
    return;
  }
  if (row.identity !== null && row.identity.merge !== null) applyMerge(row, row.identity.merge, context);
  const owner = book.ownerOf(projectId, distinctId);
  const personId =
    owner !== null && owner.hasPerson
      ? owner.personId
      : book.createPerson(projectId, distinctId, row.timestamp).id;
  row.personId = personId;
  // It said nothing new, but its person was read for another event, which may have changed that.
  if (row.derived !== null && book.find(personId) !== null) readDerived(row);
  const { identity } = row;
  if (identity === null || (identity.set ?? identity.setOnce ?? identity.unset) === null) return;
  if (isWorthWriting(row.event, book.person(personId).properties, identity)) {
    const isSmallEnough = updatePerson(book, personId, identity, row.event, row.timestamp);
    if (!isSmallEnough) context.onRefusal(row, 'person_properties_size_violation');
  }
}

/** Adds what follows from the properties of an event to the update of its person. */
export function readDerived(row: EventRow): void {
  if (row.derived !== null) row.identity = row.derived.joinedWith(row.identity);
  row.derived = null;
}

/**
 * Changes a person's properties and notes what set them; `at` is in Unix microseconds. Returns false, with nothing
 * changed, when they would grow beyond their limit.
 */
export function updatePerson(
  book: PersonBook,
  personId: number,
  change: PropertyChange,
  event: string,
  at: number,
): boolean {
  const changes = changesTo(book.person(personId).properties, change);
  if (changes === null) return true;
  const before = book.person(personId);
  const put = changes.put.map(({ name, value }) => [name, value] as const);
  const growth = growthOf(before.properties, put, changes.removed);
  if (growth > 0 && before.size + growth > MAX_PROPERTIES_SIZE) return false;
  const person = book.edit(personId);
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
  const { book } = context;
  const { projectId } = row;
  const { survivorId, absorbedId } = sidesOf(row.distinctId, merge);
  if (survivorId === absorbedId) return;
  if (isIllegalDistinctId(survivorId) || isIllegalDistinctId(absorbedId)) {
    context.onRefusal(row, 'cannot_merge_with_illegal_distinct_id');
    return;
  }
  const find = (distinctId: string): PersonState | null => {
    const owner = book.ownerOf(projectId, distinctId);
    return owner !== null && owner.hasPerson ? book.person(owner.personId) : null;
  };
  const survivor = find(survivorId);
  const absorbed = find(absorbedId);
  const told = { distinctId: absorbedId, event: row.event, at: row.timestamp };
  if (survivor !== null && absorbed !== null) {
    if (survivor.id === absorbed.id) return;
    if (isMergeRefused(merge.kind, survivor, absorbed)) {
      context.onRefusal(row, 'cannot_merge_already_identified');
      return;
    }
  }
  let person: PersonState;
  if (survivor === null && absorbed !== null) {
    person = book.edit(absorbed.id);
    book.addDistinctId(person, survivorId, { ...told, distinctId: survivorId });
  } else {
    const id = survivor?.id ?? book.createPerson(projectId, survivorId, row.timestamp).id;
    person = book.edit(id);
    if (absorbed === null) book.addDistinctId(person, absorbedId, told);
    else if (!takeIn(person, book.edit(absorbed.id), told, book)) {
      context.onRefusal(row, 'person_properties_size_violation');
    }
  }
  // An alias is the main id of the two from now on (6.5).
  if (merge.kind === '$create_alias') book.placeFirst(person, survivorId);
  person.isIdentified = true;
}

/** Returns false when the properties of both are too many for one: those of the survivor stay. */
function takeIn(
  survivor: PersonState,
  absorbed: PersonState,
  told: { distinctId: string; event: string; at: number },
  book: PersonBook,
): boolean {
  const isSmaller = survivor.size < absorbed.size;
  const isSmallEnough = absorbed.size === 0 || survivor.size + absorbed.size <= MAX_PROPERTIES_SIZE;
  if (isSmallEnough) {
    survivor.properties = joined(survivor.properties, absorbed.properties, isSmaller);
    survivor.sources = joined(survivor.sources, absorbed.sources, isSmaller);
    survivor.size += absorbed.size;
  }
  survivor.createdAt = Math.min(survivor.createdAt, absorbed.createdAt);
  book.absorb(survivor, absorbed, told);
  return isSmallEnough;
}
