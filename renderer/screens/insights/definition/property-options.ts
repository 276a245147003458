import { CircleDashed, CircleDot, Clock, Sigma, UserRound, UsersRound } from '@lucide/vue';
import type { Component } from 'vue';
import { api } from '../../../api/client.ts';
import type { LoadedOptions } from '../../../composables/use-narrowed-options.ts';
import type { LookUp } from '../../../composables/use-lookup.ts';
import type { Breakdown } from '../../../insights/insight-query.ts';
import type { PickerOption } from '../../../ui/step-picker.ts';

export interface PropertyOption extends PickerOption {
  id: string;
  label: string;
  property: Breakdown;
}

/** Whose properties are offered. */
export interface PropertySources {
  projectId: number;
  kinds: readonly Breakdown['type'][];
  /** The kinds of groups of the project. */
  groups: readonly { index: number; name: string }[];
  /** Numbers come first. */
  isNumeric?: boolean;
  lookUp: LookUp;
}

/** Names of one kind that are loaded together; a project with more is searched on the server as well. */
const MOST = 2000;
const MOST_COHORTS = 200;
const ICONS: Readonly<Record<Breakdown['type'], Component>> = {
  event: CircleDot,
  person: UserRound,
  group: UsersRound,
  session: Clock,
  cohort: CircleDashed,
  hogql: Sigma,
};

/** What a query may be broken down by; with a text only what the server finds by it. */
export async function propertyOptions(
  sources: PropertySources,
  typed: string,
): Promise<LoadedOptions<PropertyOption>> {
  const { kinds, groups } = sources;
  const asked = kinds.flatMap((kind) => {
    if (kind === 'group') return groups.map((group) => stored(sources, kind, typed, group));
    return [
      kind === 'event' || kind === 'person' ? stored(sources, kind, typed) : others(sources, kind, typed),
    ];
  });
  let isCut = false;
  const read = async (one: Promise<LoadedOptions<PropertyOption>>): Promise<readonly PropertyOption[]> => {
    const loaded = await one;
    isCut ||= loaded.isCut;
    return loaded.options;
  };
  const options = await sources.lookUp(...asked.map(read));
  return { options, isCut };
}

async function stored(
  { projectId, isNumeric }: PropertySources,
  kind: 'event' | 'person' | 'group',
  typed: string,
  group?: { index: number; name: string },
): Promise<LoadedOptions<PropertyOption>> {
  const { results, count } = await api.get('P/property_definitions/', {
    projectId,
    query: {
      search: typed || undefined,
      limit: MOST,
      offset: 0,
      type: kind,
      group_type_index: group?.index,
    },
  });
  const rank = (type: string | null | undefined) => (isNumeric && type !== 'Numeric' ? 1 : 0);
  const options = results
    .toSorted((a, b) => rank(a.property_type) - rank(b.property_type))
    .map(({ name }) => {
      const property = { property: name, type: kind, ...(group ? { group_type_index: group.index } : {}) };
      return optionOf(property, group?.name ?? (kind === 'event' ? '' : kind));
    });
  return { options, isCut: count > results.length };
}

async function others(
  { projectId, isNumeric }: PropertySources,
  kind: Breakdown['type'],
  typed: string,
): Promise<LoadedOptions<PropertyOption>> {
  if (kind === 'session') {
    const { results } = await api.get('P/sessions/property_definitions/', {
      projectId,
      query: { search: typed || undefined, is_numerical: isNumeric || undefined },
    });
    const options = results.map(({ name }) => optionOf({ property: name, type: 'session' }, 'session'));
    return { options, isCut: false };
  }
  if (kind !== 'cohort') return { options: [], isCut: false };
  const { results, count } = await api.get('P/cohorts/', {
    projectId,
    query: { limit: MOST_COHORTS, search: typed || undefined },
  });
  const options = results.map(({ id, name }) => ({
    ...optionOf({ property: id, type: 'cohort' }, 'cohort'),
    label: name || `Cohort ${id}`,
    isMono: false,
  }));
  return { options, isCut: count > results.length };
}

/** What was typed itself, as a name or as HogQL. */
export function typedOptions(
  kinds: readonly Breakdown['type'][],
  typed: string,
  found: readonly PropertyOption[],
): PropertyOption[] {
  if (typed === '' || found.some(({ label }) => label === typed)) return [];
  const [first] = kinds;
  const isName = first === 'event' || first === 'person';
  const asName = { ...optionOf({ property: typed, type: first! }, 'use this property'), id: 'typed' };
  const asHogql = { ...optionOf({ property: typed, type: 'hogql' }, 'HogQL expression'), id: 'hogql' };
  const isExpression = /[^\w$.\- /]/.test(typed);
  const names = isName ? [asName] : [];
  if (!kinds.includes('hogql')) return names;
  return isExpression ? [asHogql, ...names] : [...names, asHogql];
}

function optionOf(property: Breakdown, hint: string): PropertyOption {
  const { property: name, type, group_type_index: index } = property;
  return {
    id: `${type} ${index ?? ''} ${name}`,
    label: String(name),
    hint,
    isMono: true,
    icon: ICONS[type],
    property,
  };
}
