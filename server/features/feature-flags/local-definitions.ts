import type {
  CohortDefinition,
  FlagCondition,
  FlagFilters,
  FlagProperty,
  FlagSet,
} from '../../conditions/index.ts';
import { idOf } from './check-property.ts';
import { cohortsNamedBy, leavesOf } from './flag-dependencies.ts';
import type { FlagDefinitionsJson } from './feature-flags.contract.ts';
import type { Flag } from './flag-row.ts';
import { minimalFlagOf } from './minimal-flag.ts';

export interface DefinitionParts {
  readonly flags: readonly Flag[];
  readonly set: Pick<FlagSet, 'dependencyChain'>;
  readonly cohorts: readonly CohortDefinition[];
  /** Names of the types of groups by their index, as text. */
  readonly groupTypes: Readonly<Record<string, string>>;
}

/**
 * Flags as SDKs need them to evaluate by themselves (ingestion contract 9.3). Flags that others depend on are named by
 * their keys, with the order in which to evaluate them; what SDKs do not read is written as what they do.
 */
export function localDefinitionsOf(parts: DefinitionParts, sendCohorts: boolean): FlagDefinitionsJson {
  const { flags, set, cohorts, groupTypes } = parts;
  const seen = new Set(flags.map(({ key }) => key));
  /** Without a way to evaluate it, SDKs ask the server: of a flag that is hidden they get no key. */
  const chainOf: ChainOf = (id) => {
    const chain = set.dependencyChain(id) ?? [];
    return chain.every((key) => seen.has(key)) ? chain : [];
  };
  return {
    flags: flags.map((flag) => ({
      ...minimalFlagOf(flag),
      filters: localFilters(minimalFlagOf(flag).filters as FlagFilters, chainOf) as Record<string, unknown>,
      property_matching_version: 2,
    })),
    group_type_mapping: { ...groupTypes },
    cohorts: sendCohorts ? cohortsOf(flags, cohorts) : {},
    property_matching_version: 2,
  };
}

type ChainOf = (id: string | number) => readonly string[];

function localFilters(filters: FlagFilters, chainOf: ChainOf): FlagFilters {
  const groups = (filters.groups ?? []).map((group) => ({
    ...group,
    properties: (group.properties ?? []).map((property) => localProperty(property, chainOf)),
  }));
  const holdout = filters.holdout ?? holdoutOf(filters.holdout_groups ?? []);
  return { ...filters, groups, ...(holdout === null ? {} : { holdout }) };
}

function localProperty(property: FlagProperty, chainOf: ChainOf): FlagProperty {
  if (property.type === 'flag') {
    const chain = chainOf(property.key);
    return {
      ...property,
      key: chain.at(-1) ?? String(property.key),
      dependency_chain: chain,
    } as FlagProperty;
  }
  if (property.type !== 'cohort') return property;
  const { negation, operator, ...rest } = property;
  const isNegated = (operator === 'not_in') !== (negation === true);
  return { ...rest, operator: isNegated ? 'not_in' : 'in' };
}

/** The older form of a holdout: a condition whose variant is `holdout-<id>`. */
function holdoutOf([first]: readonly FlagCondition[]): NonNullable<FlagFilters['holdout']> | null {
  const id = /^holdout-(\d{1,9})$/.exec(first?.variant ?? '')?.[1];
  if (id === undefined) return null;
  return { id: Number(id), exclusion_percentage: first?.rollout_percentage ?? 100 };
}

/** The dynamic cohorts that flags name, and those that these name. A static one is for the server to know. */
function cohortsOf(flags: readonly Flag[], cohorts: readonly CohortDefinition[]): Record<string, unknown> {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const wanted = new Set(flags.flatMap(({ filters }) => cohortsNamedBy(filters)));
  const found: Record<string, unknown> = {};
  // What is added meanwhile is walked too.
  for (const id of wanted) {
    const cohort = byId.get(id);
    if (cohort === undefined || cohort.isStatic || cohort.properties === null) continue;
    found[String(id)] = cohort.properties;
    for (const { type, value } of leavesOf(cohort.properties)) if (type === 'cohort') wanted.add(idOf(value));
  }
  return found;
}
