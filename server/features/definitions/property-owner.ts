/** Whose property it is: 0 events, 1 persons, 2 to 6 groups of type index 0 to 4. */
export type PropertyOwner = number;
export type OwnerType = 'event' | 'person' | 'group';

export const OF_EVENTS: PropertyOwner = 0;
export const OF_PERSONS: PropertyOwner = 1;
/** How many owners there are. */
export const OWNERS = 7;

export function ofGroups(groupTypeIndex: number): PropertyOwner {
  return 2 + groupTypeIndex;
}

export function ownerOf(type: OwnerType, groupTypeIndex: number | null): PropertyOwner {
  if (type === 'event') return OF_EVENTS;
  return type === 'person' ? OF_PERSONS : ofGroups(groupTypeIndex!);
}

export function typeOf(owner: PropertyOwner): OwnerType {
  if (owner === OF_EVENTS) return 'event';
  return owner === OF_PERSONS ? 'person' : 'group';
}

export function groupTypeIndexOf(owner: PropertyOwner): number | null {
  return owner < ofGroups(0) ? null : owner - ofGroups(0);
}
