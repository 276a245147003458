import type { LocalProperty } from './local-property.ts';
import { whyNotLocally } from './local-property.ts';

/** What SDKs that evaluate flags themselves are given (ingestion contract 9.3), as far as it decides whether they can. */
export interface LocalDefinitions {
  readonly flags: readonly LocalFlag[];
  readonly group_type_mapping: Readonly<Record<string, string>>;
  /** By id, with trees of conditions; static ones are missing. */
  readonly cohorts: Readonly<Record<string, unknown>>;
}

interface LocalFlag {
  readonly key: string;
  readonly active: boolean;
  readonly ensure_experience_continuity: boolean;
  readonly bucketing_identifier: string | null;
  readonly filters: Readonly<Record<string, unknown>>;
}

interface Filters {
  readonly groups?:
    | readonly {
        readonly properties?: readonly Property[] | null;
        readonly aggregation_group_type_index?: number | null;
      }[]
    | null;
  readonly aggregation_group_type_index?: number | null;
  readonly feature_enrollment?: boolean | null;
  readonly super_groups?: readonly unknown[] | null;
}

interface Property extends LocalProperty {
  readonly type?: string | null;
  readonly dependency_chain?: readonly string[];
}

interface Tree {
  readonly values: readonly (Tree | Property)[];
}

/** Whether SDKs decide a flag themselves. */
export interface LocalEvaluation {
  readonly works: boolean;
  /** Why they ask the server instead, or would decide otherwise than it, in a sentence. */
  readonly reason: string | null;
  /** Names of the properties of the person or group that the caller has to pass, in order. */
  readonly properties: readonly string[];
}

/** What is known of a cohort beside what SDKs are given. */
export interface NamedCohort {
  readonly name: string;
  readonly isStatic: boolean;
}

/** What SDKs know by themselves. */
const OWN_PROPERTIES = new Set(['distinct_id', '$group_key']);
const MAX_DEPTH = 50;

/** For each flag by its key, whether SDKs decide it themselves, as posthog-node 5.70 does it, and why not. */
export function localEvaluations(
  definitions: LocalDefinitions,
  cohortsById: ReadonlyMap<number, NamedCohort>,
): ReadonlyMap<string, LocalEvaluation> {
  const flags = new Map(definitions.flags.map((flag) => [flag.key, flag]));
  const reasons = new Map<LocalFlag, string | null>();
  const known = new Map<string, LocalEvaluation>();

  /** The first reason of a flag by itself, apart from the flags that it depends on. */
  function reasonOf(flag: LocalFlag): string | null {
    let reason = reasons.get(flag);
    if (reason === undefined) reasons.set(flag, (reason = findReason(flag)));
    return reason;
  }

  function findReason(flag: LocalFlag): string | null {
    if (!flag.active) return null;
    if (flag.ensure_experience_continuity)
      return 'It persists across login (experience continuity), which requires the server.';
    const filters = flag.filters as Filters;
    if (filters.feature_enrollment || (filters.super_groups?.length ?? 0) > 0)
      return 'It has early access, which SDKs do not evaluate.';
    const index = filters.aggregation_group_type_index ?? null;
    if (index !== null && !Object.hasOwn(definitions.group_type_mapping, String(index)))
      return 'It matches by a group type without any events yet.';
    // posthog-node applies conditions on the person to the group.
    if (index !== null && (filters.groups ?? []).some((one) => one.aggregation_group_type_index === null))
      return 'It matches by group, but one condition set uses person properties, which SDKs apply to the group.';
    return firstOf(propertiesOf(filters), (property) => reasonOfProperty(property, 0));
  }

  function reasonOfProperty(property: Property, depth: number): string | null {
    if (property.type === 'flag') return reasonOfDependency(property);
    if (property.type === 'cohort') return reasonOfCohort(Number(property.value), depth);
    if (property.type === 'behavioral') return 'It uses a cohort with behavioral conditions.';
    return whyNotLocally(property);
  }

  function reasonOfDependency({ key, dependency_chain: chain = [] }: Property): string | null {
    if (chain.length === 0) return `It depends on the flag '${key}', which cannot be evaluated.`;
    const missing = chain.find((one) => !flags.has(one));
    return missing === undefined ? null : `It depends on the flag '${missing}', which does not exist.`;
  }

  function reasonOfCohort(id: number, depth: number): string | null {
    const cohort = cohortsById.get(id);
    if (cohort === undefined) return `It uses a cohort that does not exist (id ${id}).`;
    if (cohort.isStatic)
      return `It uses the static cohort '${cohort.name}', whose members are only available on the server.`;
    const tree = Object.hasOwn(definitions.cohorts, String(id)) ? definitions.cohorts[String(id)] : null;
    if (tree === null || depth > MAX_DEPTH)
      return `It uses the cohort '${cohort.name}', which is not sent to SDKs.`;
    return reasonOfTree(tree as Tree, cohort.name, depth + 1);
  }

  function reasonOfTree({ values = [] }: Tree, name: string, depth: number): string | null {
    const trees = values.filter((value): value is Tree => 'values' in value);
    // posthog-node takes the first part for what all of them are.
    if (trees.length > 0 && trees.length < values.length)
      return `It uses the cohort '${name}', which mixes conditions and condition groups.`;
    return firstOf(values, (value) =>
      'values' in value ? reasonOfTree(value, name, depth + 1) : reasonOfProperty(value, depth),
    );
  }

  /** Names of properties that the flag itself reads. */
  function readsOf(flag: LocalFlag): Set<string> {
    const reads = new Set<string>();
    const seen = new Set<string>();
    const read = (property: Property | Tree): void => {
      if ('values' in property) return property.values.forEach(read);
      if (property.type === 'flag') return;
      if (property.type !== 'cohort') return void reads.add(property.key);
      const id = String(property.value);
      if (seen.has(id) || !Object.hasOwn(definitions.cohorts, id)) return;
      seen.add(id);
      read(definitions.cohorts[id] as Tree);
    };
    const filters = flag.filters as Filters;
    propertiesOf(filters).forEach(read);
    const isAboutPersons = (filters.aggregation_group_type_index ?? null) === null;
    if (flag.bucketing_identifier === 'device_id' && isAboutPersons) reads.add('$device_id');
    return reads;
  }

  /** The active flags that a flag depends on, also by way of others. */
  function dependenciesOf(flag: LocalFlag): LocalFlag[] {
    const found = new Set<LocalFlag>();
    const open = [flag];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const { dependency_chain: chain = [] } of propertiesOf(one.filters as Filters)) {
        for (const key of chain) {
          const needed = flags.get(key);
          if (needed === undefined || !needed.active || needed === flag || found.has(needed)) continue;
          found.add(needed);
          open.push(needed);
        }
      }
    }
    return [...found];
  }

  for (const flag of definitions.flags) {
    const needed = flag.active ? dependenciesOf(flag) : [];
    const own = reasonOf(flag);
    const hindered = needed.find((one) => reasonOf(one) !== null);
    const reason =
      own ??
      (hindered === undefined
        ? null
        : `It depends on the flag '${hindered.key}', which does not work with local evaluation.`);
    const reads = flag.active ? new Set([flag, ...needed].flatMap((one) => [...readsOf(one)])) : [];
    const properties = [...reads].filter((name) => !OWN_PROPERTIES.has(name)).sort();
    known.set(flag.key, { works: reason === null, reason, properties });
  }
  return known;
}

function propertiesOf({ groups }: Filters): Property[] {
  return (groups ?? []).flatMap(({ properties }) => properties ?? []);
}

function firstOf<T>(items: readonly T[], reasonOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const reason = reasonOf(item);
    if (reason !== null) return reason;
  }
  return null;
}
