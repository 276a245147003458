import type { RouteLocationRaw } from 'vue-router';

interface NamedType {
  group_type: string;
  name_singular: string | null;
  name_plural: string | null;
}

/** What one group of a kind is called: `company`. */
export function singularOf(type: NamedType): string {
  return type.name_singular ?? type.group_type;
}

/** What many groups of a kind are called, with a capital letter: `Companies`. */
export function pluralOf(type: NamedType): string {
  const plural = type.name_plural ?? pluralize(singularOf(type));
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}

/** The English plural of most nouns. */
function pluralize(noun: string): string {
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}

/** What a group is called: its name, else its key. */
export function groupTitleOf(group: {
  group_key: string;
  group_properties: Record<string, unknown>;
}): string {
  const { name } = group.group_properties;
  return typeof name === 'string' && name.trim() !== '' ? name : group.group_key;
}

/** The tabs of persons and of each kind of groups; one that teaches what groups are while there is no kind. */
export function peopleTabs(
  projectId: number,
  types: readonly (NamedType & { group_type_index: number })[],
): { id: string; label: string; to: RouteLocationRaw }[] {
  const kinds = types.map((type) => ({
    id: `groups-${type.group_type_index}`,
    label: pluralOf(type),
    to: { name: 'groups', params: { projectId, typeIndex: type.group_type_index } },
  }));
  const none = { id: 'groups', label: 'Groups', to: { name: 'groups', params: { projectId } } };
  return [
    { id: 'persons', label: 'Persons', to: { name: 'persons', params: { projectId } } },
    ...(kinds.length > 0 ? kinds : [none]),
  ];
}
