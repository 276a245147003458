import { z } from 'zod';
import { fail } from '../../../errors.ts';
import { safeParseExactly } from '../../../http/exact-values.ts';

const MAX_NAME_LENGTH = 400;

const object = z.record(z.string(), z.unknown());
const id = z.union([z.int(), z.string().regex(/^\d{1,9}$/)]).transform(Number);
/** What is null counts as absent. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined);

const flag = z.looseObject({
  id: optional(id),
  key: z.union([z.string(), z.number()]).transform(String),
  deleted: optional(z.boolean()),
  filters: optional(object),
  /** Of flags that had no conditions yet. */
  rollout_percentage: optional(z.number()),
});

const cohort = z.looseObject({
  id,
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  description: optional(z.string()),
  is_static: optional(z.boolean()),
  filters: optional(object),
});

/** A flag as the file has it: what is said beside id and filters is checked where flags are written. */
export interface FileFlag {
  readonly id: number | null;
  readonly key: string;
  readonly filters: Readonly<Record<string, unknown>>;
  /** Everything that the file says of it. */
  readonly said: Readonly<Record<string, unknown>>;
}

export interface FileCohort {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isStatic: boolean;
  readonly filters: Readonly<Record<string, unknown>> | null;
}

export interface FlagFile {
  readonly flags: readonly FileFlag[];
  readonly cohorts: readonly FileCohort[];
  /** Names of types of groups by the index by which the file names them; null: the file does not say. */
  readonly groupTypes: ReadonlyMap<number, string> | null;
  /** Whether every cohort that is computed is in the file: one that is missing is a fixed list. */
  readonly hasAllCohorts: boolean;
  readonly notes: readonly string[];
}

/**
 * Reads a flag file of version 1, a list of flags as PostHog answers it, or its answer for local evaluation. Throws
 * invalid_input with a sentence that says what is wrong and where. The route limits its size: what was exported has to be read again.
 */
export function readFlagFile(value: unknown): FlagFile {
  if (Array.isArray(value)) return readList(value, []);
  if (typeof value !== 'object' || value === null) throw wrong('it is not a JSON object');
  const sent = value as Record<string, unknown>;
  if (Array.isArray(sent['results'])) {
    const isPart = typeof sent['next'] === 'string' && sent['next'] !== '';
    const note = 'The list has more pages (`next`) that are not in this file.';
    return readList(sent['results'], isPart ? [note] : []);
  }
  if (!Array.isArray(sent['flags'])) throw wrong('it has neither flags nor results');
  if (Array.isArray(sent['cohorts']) || sent['version'] !== undefined) return readOwn(sent);
  return readLocalEvaluation(sent);
}

function readOwn(sent: Record<string, unknown>): FlagFile {
  const { version, group_types: groupTypes } = sent;
  if (version !== 1)
    throw wrong(`its version is ${JSON.stringify(version) ?? 'missing'}; only version 1 is supported`);
  const cohorts = readItems(cohort, sent['cohorts'] ?? [], 'cohorts');
  return {
    flags: readFlags(sent['flags'] as unknown[], 'flags'),
    cohorts: cohorts.map((one) => ({
      id: one.id,
      name: one.name,
      description: one.description ?? '',
      isStatic: one.is_static ?? false,
      filters: one.filters ?? null,
    })),
    groupTypes: readGroupTypes(groupTypes, 'group_types'),
    hasAllCohorts: false,
    notes: [],
  };
}

function readList(results: readonly unknown[], notes: readonly string[]): FlagFile {
  const flags = readFlags(results, 'results');
  return { flags, cohorts: [], groupTypes: null, hasAllCohorts: false, notes };
}

/** Its cohorts have no names; where a condition says how its cohort is called, that is taken. */
function readLocalEvaluation(sent: Record<string, unknown>): FlagFile {
  const trees = sent['cohorts'] ?? {};
  if (typeof trees !== 'object' || Array.isArray(trees)) throw wrong('its cohorts are not an object');
  const flags = readFlags(sent['flags'] as unknown[], 'flags');
  const names = cohortNames(flags);
  const cohorts = Object.entries(trees as object).map(([key, tree]) => {
    if (!/^\d{1,9}$/.test(key)) throw wrong(`a cohort id is not a number: ${key.slice(0, 40)}`);
    return {
      id: Number(key),
      name: names.get(Number(key)) ?? `Cohort ${key}`,
      description: '',
      isStatic: false,
      filters: { properties: tree as unknown },
    };
  });
  return {
    flags,
    cohorts,
    groupTypes: readGroupTypes(sent['group_type_mapping'], 'group_type_mapping'),
    hasAllCohorts: cohorts.length > 0,
    notes: [],
  };
}

function readFlags(items: readonly unknown[], name: string): FileFlag[] {
  const live = readItems(flag, items, name).filter(({ deleted }) => deleted !== true);
  return live.map((one) => {
    const { id: ownId, key, filters, rollout_percentage: rollout, deleted: _, ...said } = one;
    return { id: ownId ?? null, key, filters: conditionsOf(filters ?? {}, rollout), said };
  });
}

/** The oldest flags have one condition, without a list around it. */
function conditionsOf(filters: Readonly<Record<string, unknown>>, rollout: number | undefined) {
  if (Array.isArray(filters['groups'])) return filters;
  const { properties = [], ...rest } = filters;
  return { ...rest, groups: [{ properties, rollout_percentage: rollout ?? null }] };
}

/** How cohorts are called by the conditions that name them, by their ids. */
export function cohortNames(flags: readonly FileFlag[]): Map<number, string> {
  const found = new Map<number, string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== 'object' || value === null) return;
    const { type, value: cohortId, cohort_name: name } = value as Record<string, unknown>;
    if (type === 'cohort' && typeof name === 'string' && name !== '') found.set(Number(cohortId), name);
    Object.values(value).forEach(look);
  };
  for (const { filters } of flags) look(filters['groups']);
  return found;
}

function readItems<S extends z.ZodType>(schema: S, items: unknown, name: string): z.output<S>[] {
  if (!Array.isArray(items)) throw wrong(`its ${name} are not a list`);
  return items.map((item: unknown, index) => {
    const parsed = safeParseExactly(schema, item);
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0]!;
    throw wrong(`${[`${name}[${index}]`, ...path.map(String)].join('.')}: ${message}`);
  });
}

function readGroupTypes(sent: unknown, name: string): Map<number, string> | null {
  if (sent === undefined || sent === null) return null;
  const parsed = z
    .record(z.string().regex(/^[0-4]$/), z.string().min(1).max(MAX_NAME_LENGTH))
    .safeParse(sent);
  if (!parsed.success) throw wrong(`its ${name} must map group types to an index from 0 to 4`);
  return new Map(Object.entries(parsed.data).map(([index, type]) => [Number(index), type]));
}

function wrong(what: string) {
  return fail('invalid_input', { detail: `This is not a flag file: ${what}.` });
}
