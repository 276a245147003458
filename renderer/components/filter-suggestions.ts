import { CircleDashed, CircleDot, Clock, Flag, UserRound, UsersRound } from '@lucide/vue';
import { api } from '../api/client.ts';
import type { LookUp } from '../composables/use-lookup.ts';
import { formatCount, formatCountOf } from '../ui/format.ts';
import type { FilterOption, FilterSubject, PropertyType } from '../ui/property-filter-steps.ts';
import type { Operator } from '../ui/property-filter.ts';

/** What a condition may look at, and how. */
export interface FilterSources {
  persons?: true;
  /** Properties of events; of these names only, where some are given. */
  events?: { names: readonly string[] };
  /** The kind of groups whose properties are offered. */
  groupTypeIndex?: number | undefined;
  /** Properties of sessions. */
  sessions?: true;
  cohorts?: true;
  /** Other flags; never the one that is edited. */
  flags?: { except: number | null };
  /** Properties that are offered although no stored person has them. */
  extra?: readonly string[];
  /** The relations that are possible; without it, all. */
  operators?: readonly Operator[];
}

/** A value that is offered, and what is said beside it. */
export interface KnownValue {
  value: string;
  hint: string;
}

const PROPERTY_LIMIT = 50;
const FEW = 20;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  String: 'text',
  Numeric: 'number',
  DateTime: 'date',
  Boolean: 'boolean',
};

/** What a project has that conditions may name. Everything can be typed by hand. */
export function createFilterSuggestions(projectId: number, lookUp: LookUp) {
  const types = new Map<string, PropertyType>();

  /** What a condition may look at: properties first, then cohorts and flags whose names contain what was typed. */
  async function subjects(sources: FilterSources, typed: string): Promise<FilterOption[]> {
    const found = await lookUp(
      eventProperties(sources, typed),
      properties(sources, typed),
      sessionProperties(sources, typed),
      cohorts(sources, typed),
      flags(sources, typed),
    );
    const subject = sources.events ? ({ type: 'event', key: typed } as const) : subjectOf(sources, typed);
    if (typed === '' || !subject || found.some(({ label }) => label === typed)) return found;
    return [
      ...found,
      { id: 'typed', label: typed, hint: 'use this property', isMono: true, adds: { subject } },
    ];
  }

  async function eventProperties({ events }: FilterSources, typed: string): Promise<FilterOption[]> {
    if (!events) return [];
    const page = await api.get('P/property_definitions/', {
      projectId,
      query: {
        search: typed || undefined,
        limit: PROPERTY_LIMIT,
        offset: 0,
        type: 'event',
        ...(events.names.length === 1 && {
          event_names: JSON.stringify(events.names),
          filter_by_event_names: true,
        }),
      },
    });
    return page.results.map(({ name, property_type: type }) => {
      if (type) types.set(`event ${name}`, type as PropertyType);
      return {
        id: `event property ${name}`,
        label: name,
        hint: TYPE_WORDS[type ?? ''] ?? '',
        isMono: true,
        icon: CircleDot,
        adds: { subject: { type: 'event', key: name } },
      };
    });
  }

  async function properties(sources: FilterSources, typed: string): Promise<FilterOption[]> {
    const { groupTypeIndex, extra = [] } = sources;
    if (!subjectOf(sources, '')) return [];
    const page = await api.get('P/property_definitions/', {
      projectId,
      query: {
        search: typed || undefined,
        limit: PROPERTY_LIMIT,
        offset: 0,
        type: groupTypeIndex === undefined ? 'person' : 'group',
        group_type_index: groupTypeIndex,
      },
    });
    for (const { name, property_type: type } of page.results) if (type) types.set(name, type as PropertyType);
    // Flags are evaluated by what is stored, so that nothing else is offered for them.
    const found = sources.flags ? page.results.filter((one) => !('virtual' in one)) : page.results;
    const stored = found.map(({ name }) => name);
    const fits = (name: string) => name.toLowerCase().includes(typed.toLowerCase()) && !stored.includes(name);
    return [...stored, ...extra.filter(fits)].map((name) => ({
      id: `property ${name}`,
      label: name,
      hint: TYPE_WORDS[types.get(name) ?? ''] ?? '',
      isMono: true,
      icon: groupTypeIndex === undefined ? UserRound : UsersRound,
      adds: { subject: subjectOf(sources, name)! },
    }));
  }

  async function sessionProperties({ sessions }: FilterSources, typed: string): Promise<FilterOption[]> {
    if (!sessions) return [];
    const { results } = await api.get('P/sessions/property_definitions/', {
      projectId,
      query: { search: typed || undefined },
    });
    return results.map(({ name, property_type: type }) => {
      types.set(`session ${name}`, type);
      return {
        id: `session property ${name}`,
        label: name,
        hint: `session, ${TYPE_WORDS[type]}`,
        isMono: true,
        icon: Clock,
        adds: { subject: { type: 'session', key: name } },
      };
    });
  }

  async function cohorts(sources: FilterSources, typed: string): Promise<FilterOption[]> {
    if (!sources.cohorts) return [];
    const page = await api.get('P/cohorts/', {
      projectId,
      query: { search: typed || undefined, limit: FEW },
    });
    return page.results.map(({ id, name, count }) => {
      const label = name ?? `#${id}`;
      const hint = count === null ? 'cohort' : `cohort, ${formatCountOf(count, 'person')}`;
      return {
        id: `cohort ${id}`,
        label,
        hint,
        icon: CircleDashed,
        adds: { subject: { type: 'cohort', id, name: label } },
      };
    });
  }

  async function flags(sources: FilterSources, typed: string): Promise<FilterOption[]> {
    if (!sources.flags) return [];
    const { except } = sources.flags;
    const page = await api.get('P/feature_flags/', {
      projectId,
      query: { search: typed || undefined, limit: FEW },
    });
    return page.results
      .filter(({ id }) => id !== except)
      .map(({ id, key }) => ({
        id: `flag ${id}`,
        label: key,
        hint: 'flag',
        isMono: true,
        icon: Flag,
        adds: { subject: { type: 'flag', id, key } },
      }));
  }

  /** The values that a property has most often, or what a flag may answer. */
  async function values(subject: FilterSubject, typed: string): Promise<KnownValue[]> {
    if (subject.type === 'cohort') return [];
    if (subject.type === 'flag') return lookUp(answers(subject.id));
    if (subject.type === 'event') {
      const sample = await lookUp(eventValues(subject.key));
      return sample.map(({ name }) => ({ value: String(name), hint: '' }));
    }
    if (subject.type === 'session') return sessionValues(subject, typed);
    const asked =
      subject.type === 'group'
        ? groupValues(subject.groupTypeIndex, subject.key, typed)
        : api.get('P/persons/values/', { projectId, query: { key: subject.key, value: typed || undefined } });
    const stored = (await lookUp(asked)).map(({ name, count }) => ({
      value: String(name),
      hint: formatCount(count),
    }));
    if (typeOf(subject) !== 'Boolean') return stored;
    const missing = ['true', 'false'].filter((text) => !stored.some(({ value }) => value === text));
    return [...stored, ...missing.map((value) => ({ value, hint: '' }))];
  }

  async function eventValues(key: string) {
    return (await api.get('P/events/values/', { projectId, query: { key } }))!;
  }

  async function sessionValues(
    subject: FilterSubject & { key: string },
    typed: string,
  ): Promise<KnownValue[]> {
    const query = { key: subject.key, value: typed || undefined };
    const found = await lookUp(
      api.get('P/sessions/values/', { projectId, query }).then(({ results }) => results),
    );
    return found.map(({ name }) => ({ value: name, hint: '' }));
  }

  async function groupValues(index: number, key: string, typed: string) {
    const { results } = await api.get('P/groups/property_values/', {
      projectId,
      query: { group_type_index: index, key, value: typed || undefined },
    });
    return results;
  }

  async function answers(flagId: number): Promise<KnownValue[]> {
    const { filters } = await api.get('P/feature_flags/:id/', { projectId, id: flagId });
    const variants = filters.multivariate?.variants ?? [];
    return [
      { value: 'true', hint: variants.length > 0 ? 'on, any variant' : 'on' },
      { value: 'false', hint: 'off' },
      ...variants.map(({ key }) => ({ value: key, hint: 'variant' })),
    ];
  }

  /** The type of a property, once it was offered. */
  function typeOf(subject: FilterSubject): PropertyType | null {
    if (subject.type === 'event' || subject.type === 'session')
      return types.get(`${subject.type} ${subject.key}`) ?? null;
    return subject.type === 'person' || subject.type === 'group' ? (types.get(subject.key) ?? null) : null;
  }

  return { subjects, values, typeOf };
}

/** A property as the sources mean it: of groups where a kind is given. */
function subjectOf({ persons, groupTypeIndex }: FilterSources, key: string): FilterSubject | null {
  if (groupTypeIndex !== undefined) return { type: 'group', key, groupTypeIndex };
  return persons ? { type: 'person', key } : null;
}
