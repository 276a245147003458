import {
  CircleDashed,
  CircleDot,
  Clock,
  Flag,
  MousePointerClick,
  Sigma,
  UserRound,
  UsersRound,
} from '@lucide/vue';
import type { Component, InjectionKey } from 'vue';
import { api } from '../api/client.ts';
import { askQuery } from '../api/query.api.ts';
import { hogqlName } from '../ui/hogql-name.ts';
import type { LookUp } from '../composables/use-lookup.ts';
import { formatCountOf } from '../ui/format.ts';
import type { FilterSubject, PropertyType, SubjectOption } from '../ui/property-filter-steps.ts';
import {
  COHORT_OPERATORS,
  FLAG_OPERATORS,
  OPERATORS,
  type Operator,
  type PropertyFilter,
} from '../ui/property-filter.ts';

/** What a condition may look at, and how. */
export interface FilterSources {
  persons?: true;
  /** Properties of events; those of events with these names come first. */
  events?: { names: readonly string[] };
  /** The type of groups whose properties are offered in place of those of persons. */
  groupTypeIndex?: number | undefined;
  /** Properties of all types of groups. */
  groups?: true;
  /** Properties of sessions. */
  sessions?: true;
  cohorts?: true;
  /** Flags, never the one that is edited; or the flags that were sent with an event, by key. */
  flags?: { except: number | null } | 'of events';
  /** The clicked element of an event. */
  elements?: true;
  /** An expression. */
  hogql?: true;
  /** Properties that are offered although no stored person has them. */
  extra?: readonly string[];
  /** The relations that are possible; without it, all. */
  operators?: readonly Operator[];
  /** The time in which values of events are counted; without it, the last 30 days. */
  range?: DateRange | undefined;
}

export interface DateRange {
  date_from?: string | null;
  date_to?: string | null;
}

/** The date range of the query that filters belong to. */
export const FILTER_RANGE: InjectionKey<() => DateRange | undefined> = Symbol('filter range');

/** Everything that a query over events can filter by. */
export function querySources(names: readonly string[], range?: DateRange): FilterSources {
  return {
    events: { names },
    persons: true,
    groups: true,
    sessions: true,
    cohorts: true,
    flags: 'of events',
    elements: true,
    hogql: true,
    operators: [...OPERATORS, ...COHORT_OPERATORS, ...FLAG_OPERATORS],
    range,
  };
}

/** A type of groups, as its category is called. */
interface GroupName {
  index: number;
  name: string;
}

/** One kind of things that conditions look at. */
export interface FilterCategory {
  id: string;
  label: string;
  icon: Component;
}

/** A value that is offered, and how often there is one. */
export interface KnownValue {
  value: string;
  count: number | null;
  hint: string;
}

export const FILTER_ICONS: Readonly<Record<PropertyFilter['type'], Component>> = {
  event: CircleDot,
  person: UserRound,
  session: Clock,
  group: UsersRound,
  cohort: CircleDashed,
  flag: Flag,
  element: MousePointerClick,
  hogql: Sigma,
};

/** Definitions of one kind that are loaded together; a project with more is searched on the server as well. */
const MOST_DEFINITIONS = 2000;
const MOST_OTHERS = 200;
const MOST_VALUES = 100;
/** Lists that are shown while they are reloaded. */
const MOST_REMEMBERED = 24;

const ELEMENT_KEYS = [
  ['text', 'Text of the element'],
  ['tag_name', 'Tag, such as button'],
  ['href', 'Target of a link'],
  ['selector', 'CSS selector'],
] as const;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  String: 'text',
  Numeric: 'number',
  DateTime: 'date',
  Boolean: 'boolean',
};

interface Loaded {
  options: readonly SubjectOption[];
  /** The server has more. */
  isCut: boolean;
}

const remembered = new Map<string, Loaded>();
const types = new Map<string, PropertyType>();

/** The categories of what a condition may look at, in the order in which they are shown. */
function categoriesOf(sources: FilterSources, groupTypes: readonly GroupName[]): FilterCategory[] {
  const { events, persons, groupTypeIndex, groups, sessions, cohorts, flags, elements, hogql } = sources;
  const category = (type: PropertyFilter['type'], label: string, id: string = type) => ({
    id,
    label,
    icon: FILTER_ICONS[type],
  });
  return [
    ...(events ? [category('event', 'Event')] : []),
    ...(groupTypeIndex === undefined
      ? persons
        ? [category('person', 'Person')]
        : []
      : [category('group', 'Group', `group ${groupTypeIndex}`)]),
    ...(groups ? groupTypes : []).map(({ index, name }) => category('group', name, `group ${index}`)),
    ...(sessions ? [category('session', 'Session')] : []),
    ...(cohorts ? [category('cohort', 'Cohort')] : []),
    ...(flags ? [category('flag', 'Flag')] : []),
    ...(elements ? [category('element', 'Element')] : []),
    ...(hogql ? [category('hogql', 'HogQL')] : []),
  ];
}

/** What a project has that conditions may name. Everything can be typed by hand. */
export function createFilterSuggestions(
  projectId: number,
  lookUp: LookUp,
  groupTypes: () => readonly GroupName[],
) {
  const categories = (sources: FilterSources) => categoriesOf(sources, groupTypes());

  /** What was loaded before, to show it while `load` runs. */
  function known(sources: FilterSources): SubjectOption[] {
    return categories(sources).flatMap(({ id }) => [
      ...(remembered.get(memoryKey(sources, id))?.options ?? []),
    ]);
  }

  /** All that a condition may look at; with a typed text, what the server finds beyond the loaded lists too. */
  async function load(sources: FilterSources, typed = ''): Promise<SubjectOption[]> {
    return lookUp(...categories(sources).map(({ id }) => category(sources, id, typed)));
  }

  /** Whether the server has more than what is loaded. */
  function isCut(sources: FilterSources): boolean {
    return categories(sources).some(({ id }) => remembered.get(memoryKey(sources, id))?.isCut === true);
  }

  async function category(
    sources: FilterSources,
    id: string,
    typed: string,
  ): Promise<readonly SubjectOption[]> {
    const key = memoryKey(sources, id);
    const before = remembered.get(key);
    if (typed !== '') {
      if (!before?.isCut) return before?.options ?? [];
      const found = await loaded(sources, id, typed);
      const ids = new Set(before.options.map((option) => option.id));
      return [...before.options, ...found.options.filter((option) => !ids.has(option.id))];
    }
    const next = await loaded(sources, id, '');
    remembered.delete(key);
    remembered.set(key, next);
    for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
    return next.options;
  }

  function memoryKey({ events, flags, extra }: FilterSources, id: string): string {
    return JSON.stringify([projectId, id, id === 'event' ? events : id === 'flag' ? flags : extra]);
  }

  function loaded(sources: FilterSources, id: string, typed: string): Promise<Loaded> {
    const [kind, index] = id.split(' ');
    if (kind === 'event') return definitions(id, { type: 'event' }, sources, typed);
    if (kind === 'person') return definitions(id, { type: 'person' }, sources, typed);
    if (kind === 'group')
      return definitions(id, { type: 'group', group_type_index: Number(index) }, sources, typed);
    if (kind === 'session') return sessionProperties();
    if (kind === 'cohort') return cohorts(typed);
    if (kind === 'flag') return flags(sources.flags!, typed);
    return Promise.resolve({ options: kind === 'element' ? ELEMENTS : HOGQL, isCut: false });
  }

  async function definitions(
    category: string,
    owner: { type: 'event' | 'person' | 'group'; group_type_index?: number },
    { events, flags, extra = [] }: FilterSources,
    typed: string,
  ): Promise<Loaded> {
    const isEvent = owner.type === 'event';
    const { results, count } = await api.get('P/property_definitions/', {
      projectId,
      query: {
        search: typed || undefined,
        limit: MOST_DEFINITIONS,
        offset: 0,
        exclude_hidden: true,
        ...owner,
        ...(isEvent && events!.names.length > 0 && { event_names: JSON.stringify(events!.names) }),
      },
    });
    // Flags are evaluated by what is stored, so that nothing else is offered for them.
    const isOfFlags = typeof flags === 'object';
    const found = isOfFlags ? results.filter((one) => !('virtual' in one)) : results;
    const names = new Set(found.map(({ name }) => name));
    const always = isEvent ? [] : extra.filter((name) => !names.has(name));
    const options = [...found, ...always.map((name) => ({ name, property_type: null, description: '' }))].map(
      ({ name, property_type: type, description }) => {
        if (type) types.set(`${projectId} ${category} ${name}`, type as PropertyType);
        return propertyOption(category, subjectOf(owner, name), TYPE_WORDS[type ?? ''] ?? '', description);
      },
    );
    return { options, isCut: count > results.length };
  }

  async function sessionProperties(): Promise<Loaded> {
    const { results } = await api.get('P/sessions/property_definitions/', { projectId, query: {} });
    const options = results.map(({ name, property_type: type }) => {
      types.set(`${projectId} session ${name}`, type);
      return propertyOption('session', { type: 'session', key: name }, TYPE_WORDS[type] ?? '');
    });
    return { options, isCut: false };
  }

  async function cohorts(typed: string): Promise<Loaded> {
    const { results, count } = await api.get('P/cohorts/', {
      projectId,
      query: { search: typed || undefined, limit: MOST_OTHERS },
    });
    const options = results.map(({ id, name, count: size }): SubjectOption => {
      const label = name ?? `#${id}`;
      return {
        id: `cohort ${id}`,
        category: 'cohort',
        label,
        hint: size === null ? '' : formatCountOf(size, 'person'),
        icon: CircleDashed,
        subject: { type: 'cohort', id, name: label },
      };
    });
    return { options, isCut: count > results.length };
  }

  async function flags(wanted: NonNullable<FilterSources['flags']>, typed: string): Promise<Loaded> {
    const isByKey = wanted === 'of events';
    const { results, count } = await api.get('P/feature_flags/', {
      projectId,
      query: { search: typed || undefined, limit: MOST_OTHERS },
    });
    const options = results
      .filter(({ id }) => isByKey || id !== wanted.except)
      .map(({ id, key, name }): SubjectOption => ({
        id: `flag ${id}`,
        category: 'flag',
        label: key,
        hint: name === key ? '' : name,
        isMono: true,
        icon: Flag,
        subject: { type: 'flag', id, key, ...(isByKey && { isByKey }) },
      }));
    return { options, isCut: count > results.length };
  }

  /** The values that a property has most often, or what a flag may evaluate to. */
  async function values(
    subject: FilterSubject,
    typed: string,
    { events, range }: FilterSources,
  ): Promise<KnownValue[]> {
    switch (subject.type) {
      case 'cohort':
      case 'hogql':
        return [];
      case 'flag':
        return lookUp(variants(subject));
      case 'event':
        return withBooleans(
          subject,
          await lookUp(counted(`properties.${hogqlName(subject.key)}`, typed, events?.names ?? [], range)),
        );
      case 'session':
        return lookUp(counted(`session.${hogqlName(subject.key)}`, typed, [], range));
      case 'element':
        return lookUp(elementValues(subject.key, typed, range));
      default:
        return withBooleans(subject, await lookUp(stored(subject, typed)));
    }
  }

  async function stored(
    subject: Extract<FilterSubject, { type: 'person' | 'session' | 'event' | 'element' | 'group' }>,
    typed: string,
  ): Promise<KnownValue[]> {
    const query = { key: subject.key, value: typed || undefined };
    const found =
      subject.type === 'group'
        ? (
            await api.get('P/groups/property_values/', {
              projectId,
              query: { ...query, group_type_index: subject.groupTypeIndex },
            })
          ).results
        : await api.get('P/persons/values/', { projectId, query });
    return found.map(({ name, count }) => ({ value: String(name), count, hint: '' }));
  }

  /** The most frequent values of an expression over events in a time. */
  async function counted(
    expression: string,
    typed: string,
    names: readonly string[],
    range: DateRange | undefined,
    condition = 'true',
  ): Promise<KnownValue[]> {
    const { results } = await askQuery(projectId, {
      kind: 'HogQLQuery',
      query: `SELECT toString(${expression}) AS value, count() AS events FROM events
        WHERE {filters} AND ${condition} AND isNotNull(value) AND value != ''
        ${names.length > 0 ? 'AND event IN {names}' : ''}
        ${typed === '' ? '' : 'AND positionCaseInsensitive(value, {typed}) > 0'}
        GROUP BY value ORDER BY events DESC, value LIMIT ${MOST_VALUES}`,
      values: { ...(names.length > 0 && { names: [...names] }), ...(typed !== '' && { typed }) },
      filters: { dateRange: { date_from: '-30d', ...range } },
    });
    return ((results ?? []) as [string, number | string][]).map(([value, count]) => ({
      value,
      count: Number(count),
      hint: '',
    }));
  }

  function elementValues(key: string, typed: string, range: DateRange | undefined): Promise<KnownValue[]> {
    const column = { text: 'elements_chain_texts', tag_name: 'elements_chain_elements' }[key];
    if (column) return counted(`arrayJoin(${column})`, typed, [], range, `event = '$autocapture'`);
    if (key === 'href') return counted('elements_chain_href', typed, [], range, `event = '$autocapture'`);
    return Promise.resolve([]);
  }

  async function variants({ id, key, isByKey }: { id: number; key: string; isByKey?: boolean }) {
    const flagId =
      isByKey && id === 0
        ? (
            await api.get('P/feature_flags/', { projectId, query: { search: key, limit: MOST_OTHERS } })
          ).results.find((flag) => flag.key === key)?.id
        : id;
    if (flagId === undefined) return BOOLEANS;
    const { filters } = await api.get('P/feature_flags/:id/', { projectId, id: flagId });
    const known = filters.multivariate?.variants ?? [];
    return [
      { value: 'true', count: null, hint: known.length > 0 ? 'on, any variant' : 'on' },
      { value: 'false', count: null, hint: 'off' },
      ...known.map((variant) => ({ value: variant.key, count: null, hint: 'variant' })),
    ];
  }

  function withBooleans(subject: FilterSubject, found: KnownValue[]): KnownValue[] {
    if (typeOf(subject) !== 'Boolean') return found;
    return [...found, ...BOOLEANS.filter(({ value }) => !found.some((one) => one.value === value))];
  }

  /** The type of a property, once it was offered. */
  function typeOf(subject: FilterSubject): PropertyType | null {
    if (!('key' in subject) || subject.type === 'flag' || subject.type === 'element') return null;
    const category = subject.type === 'group' ? `group ${subject.groupTypeIndex}` : subject.type;
    return types.get(`${projectId} ${category} ${subject.key}`) ?? null;
  }

  return { categories, known, load, isCut, values, typeOf };
}

export type FilterSuggestions = ReturnType<typeof createFilterSuggestions>;

const BOOLEANS: readonly KnownValue[] = [
  { value: 'true', count: null, hint: '' },
  { value: 'false', count: null, hint: '' },
];

function subjectOf(
  { type, group_type_index: index }: { type: 'event' | 'person' | 'group'; group_type_index?: number },
  key: string,
): FilterSubject & { key: string } {
  return type === 'group' ? { type, key, groupTypeIndex: index! } : { type, key };
}

function propertyOption(
  category: string,
  subject: FilterSubject & { key: string },
  hint: string,
  description = '',
): SubjectOption {
  return {
    id: `${category} property ${subject.key}`,
    category,
    label: subject.key,
    hint,
    isMono: true,
    icon: FILTER_ICONS[subject.type],
    subject,
    description,
  };
}

const ELEMENTS: readonly SubjectOption[] = ELEMENT_KEYS.map(([key, hint]) =>
  propertyOption('element', { type: 'element', key }, hint),
);

const HOGQL: readonly SubjectOption[] = [
  {
    id: 'hogql',
    category: 'hogql',
    label: 'HogQL expression',
    hint: 'for what filters cannot say',
    icon: Sigma,
    subject: { type: 'hogql' },
  },
];

/** The property that was typed, where no list has it. */
export function typedSubject(sources: FilterSources, category: string, typed: string): SubjectOption | null {
  const { events, persons, groupTypeIndex } = sources;
  const [kind, index] = category.split(' ');
  const own =
    kind === 'event' || kind === 'person' || kind === 'group'
      ? { type: kind, ...(kind === 'group' && { group_type_index: Number(index) }) }
      : null;
  const usual = events
    ? { type: 'event' as const }
    : groupTypeIndex === undefined
      ? persons && { type: 'person' as const }
      : { type: 'group' as const, group_type_index: groupTypeIndex };
  const owner = category === '' ? usual : own;
  if (!owner) return null;
  return {
    ...propertyOption(category, subjectOf(owner as Parameters<typeof subjectOf>[0], typed), 'new property'),
    id: 'typed',
    label: `Use “${typed}”`,
    isMono: false,
  };
}
