import type {
  CohortDefinition,
  FlagCondition,
  FlagFilters,
  FlagProperty,
  FlagSet,
} from '../../conditions/index.ts';
import { isUtc } from '../../hogql/zone-sql.ts';
import { OFFSET_PATTERN, readIsoDate } from '../../lib/iso-date.ts';
import { timeZone } from '../../lib/time-zone.ts';
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
  /** The project's, by its IANA name. */
  readonly timezone: string;
}

/**
 * Flags as SDKs need them to evaluate by themselves (ingestion contract 9.3). Flags that others depend on are named by
 * their keys, with the order in which to evaluate them; what SDKs do not read is written as what they do.
 */
export function localDefinitionsOf(parts: DefinitionParts, sendCohorts: boolean): FlagDefinitionsJson {
  const { flags, set, cohorts, groupTypes, timezone } = parts;
  const seen = new Set(flags.map(({ key }) => key));
  /** Without a way to evaluate it, SDKs ask the server: of a flag that is hidden they get no key. */
  const chainOf: ChainOf = (id) => {
    const chain = set.dependencyChain(id) ?? [];
    return chain.every((key) => seen.has(key)) ? chain : [];
  };
  return {
    flags: flags.map((flag) => ({
      ...minimalFlagOf(flag),
      filters: withMoments(
        localFilters(minimalFlagOf(flag).filters as FlagFilters, chainOf),
        timezone,
      ) as Record<string, unknown>,
      property_matching_version: 2,
    })),
    group_type_mapping: { ...groupTypes },
    cohorts: sendCohorts ? withMoments(cohortsOf(flags, cohorts), timezone) : {},
    property_matching_version: 2,
  };
}

/**
 * SDKs take a date without a time zone for one in UTC, or in that of their machine: conditions on dates get the moment that
 * it is in the project's. Any part of filters, at any depth.
 */
function withMoments<T>(part: T, timezone: string): T {
  if (isUtc(timezone) || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one: unknown) => withMoments(one, timezone)) as T;
  const { operator, value } = part as { operator?: unknown; value?: unknown };
  const isDated = typeof operator === 'string' && operator.startsWith('is_date_');
  const moment = isDated && typeof value === 'string' ? momentOf(value, timezone) : null;
  const entries = Object.entries(part).map(([name, one]) => [name, withMoments(one, timezone)]);
  return { ...Object.fromEntries(entries), ...(moment !== null && { value: moment }) };
}

/** The moment of a date without an offset; null for other texts. */
function momentOf(text: string, timezone: string): string | null {
  const date = OFFSET.test(text) ? null : readIsoDate(text, timeZone(timezone));
  return date === null ? null : new Date(date.start / 1000).toISOString();
}

const OFFSET = new RegExp(OFFSET_PATTERN);

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
