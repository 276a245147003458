import { parseExactly } from '../../../lib/exact-number.contract.ts';
import { setImmediate } from 'node:timers/promises';
import type { Analytics } from '../../../db/db.ts';
import { ApiError, fail } from '../../../errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { timeZone } from '../../../lib/time-zone.ts';
import { readFilters } from '../read-filters.ts';
import type { CohortSource } from '../flag-memory.ts';
import type { FeatureFlags } from '../feature-flags.service.ts';
import type { FlagContext, FlagDefinition, FlagFilters, PropertyLayers } from '../../../conditions/index.ts';
import { ANONYMOUS_ID_PATTERN, personName } from '../../persons/index.ts';
import type {
  BlastRadius,
  BlastRadiusBody,
  SimulateBody,
  SimulationJson,
} from './flag-simulation.contract.ts';
import { countSubjects, streamGroups, streamPersons, type StoredSubject } from './flag-simulation.reads.ts';
import { compileSimulation, needsOf, type Simulation } from './simulation.ts';
import { createTally, type Example } from './tally.ts';

/** Default sample: shares are within half a percent, and the result is there while a user types. */
const DEFAULT_SAMPLE = 20_000;
/** Subjects per turn of the event loop, so that other requests are answered in between. */
const A_TURN = 200;
const EXAMPLES = 10;
/** An exact count of a million persons takes its time. */
const TIMEOUT_MS = 300_000;

/** What flags would answer to the persons and groups that are stored: by the evaluator that answers SDKs. */
export interface FlagSimulation {
  /** Counts whom a condition is about, exactly. Throws what filters are refused for, at `condition`. */
  blastRadius(projectId: number, body: BlastRadiusBody, signal: AbortSignal): Promise<BlastRadius>;
  /** Ids of the stored persons for whom a live flag is on. Throws invalid_input for one that is about groups. */
  personsOn(projectId: number, flag: FlagDefinition, signal: AbortSignal): Promise<number[]>;
  /** Throws what filters are refused for. */
  simulate(
    projectId: number,
    body: SimulateBody,
    options: { signal: AbortSignal; shows: (kind: SimulationJson['subject']) => boolean },
  ): Promise<SimulationJson>;
}

export interface SimulationParts {
  flags: Pick<FeatureFlags, 'list' | 'set' | 'findByKey'>;
  cohorts: Pick<CohortSource, 'definitions'>;
  /** Names of a project's types of groups by their index, as text. */
  groupTypes: (projectId: number) => Promise<Record<string, string>>;
  projects: { find(id: number): { readonly timezone: string } | null };
  analytics: Analytics;
  clock: Clock;
}

type Subject = StoredSubject & { readonly values: Readonly<Record<string, unknown>> };

export function createFlagSimulation(parts: SimulationParts): FlagSimulation {
  const { flags, cohorts, analytics, clock } = parts;

  async function groupTypesOf(projectId: number): Promise<(string | undefined)[]> {
    const names = await parts.groupTypes(projectId);
    return [0, 1, 2, 3, 4].map((index) => names[index]);
  }

  function ask(projectId: number, wanted: FlagDefinition, attr: string): Simulation {
    const stored = flags.list(projectId);
    const asked = { stored, set: flags.set(projectId), cohorts: cohorts.definitions(projectId) };
    const simulation = compileSimulation(wanted, asked);
    if (typeof simulation !== 'string') return simulation;
    throw fail('invalid_input', { attr, detail: simulation });
  }

  /** Calls `add` for each stored subject of the simulation, a few in each turn of the event loop. */
  async function walk(
    projectId: number,
    simulation: Simulation,
    { limit, signal }: { limit: number; signal: AbortSignal },
    add: (subject: Subject, context: Omit<FlagContext, 'set'>) => void,
  ): Promise<void> {
    const groupTypes = await groupTypesOf(projectId);
    const options = { signal, timeoutMs: TIMEOUT_MS };
    const { groupTypeIndex } = simulation;
    const wanted = { projectId, limit };
    const pieces =
      groupTypeIndex === null
        ? streamPersons(
            analytics,
            { ...wanted, ...needsOf(simulation), anonymousPattern: ANONYMOUS_ID_PATTERN },
            options,
          )
        : streamGroups(analytics, { ...wanted, groupTypeIndex }, options);
    const now = clock();
    const zone = timeZone(parts.projects.find(projectId)?.timezone ?? 'UTC');
    const groupType = groupTypeIndex === null ? null : (groupTypes[groupTypeIndex] ?? null);
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += A_TURN) {
        for (const row of piece.slice(at, at + A_TURN)) {
          const subject = { ...row, values: parseExactly(row.properties) as Subject['values'] };
          add(subject, { ...contextOf(subject, groupType), groupTypes, now, zone, trace: false });
        }
        await setImmediate();
        signal.throwIfAborted();
      }
    }
  }

  return {
    async blastRadius(projectId, { condition, group_type_index: index = null }, signal) {
      const filters = readCondition(condition, index);
      const simulation = ask(projectId, { ...NEW, key: ' blast radius', filters }, 'condition');
      const counts = { users_affected: 0, total_users: 0 };
      const tally = createTally({ ...simulation, conditions: [] });
      await walk(projectId, simulation, { limit: ALL_SUBJECTS, signal }, (_, context) => {
        counts.total_users++;
        if (tally.add(context).value !== false) counts.users_affected++;
      });
      return counts;
    },
    async personsOn(projectId, flag, signal) {
      const simulation = ask(projectId, flag, 'filters');
      if (simulation.groupTypeIndex !== null)
        throw fail('invalid_input', { detail: 'This flag matches by group, not by person.' });
      const tally = createTally({ ...simulation, conditions: [] });
      const ids: number[] = [];
      await walk(projectId, simulation, { limit: ALL_SUBJECTS, signal }, ({ personId }, context) => {
        if (tally.add(context).value !== false && personId !== null) ids.push(personId);
      });
      return ids;
    },
    async simulate(projectId, body, { signal, shows }) {
      const simulation = ask(projectId, definitionOf(body, flags.findByKey(projectId, body.key)), 'filters');
      const { groupTypeIndex, note } = simulation;
      const kind = groupTypeIndex === null ? 'person' : 'group';
      const isShown = shows(kind);
      const options = { signal, timeoutMs: TIMEOUT_MS };
      const [total, groupTypes] = await Promise.all([
        countSubjects(analytics, projectId, groupTypeIndex, options),
        groupTypesOf(projectId),
      ]);
      const tally = createTally(simulation);
      const examples: SimulationJson['examples'] = [];
      const limit = body.sample ?? DEFAULT_SAMPLE;
      await walk(projectId, simulation, { limit, signal }, (subject, context) => {
        const counted = tally.add(context);
        const isOn = counted.value !== false || (counted.before ?? false) !== false;
        if (isShown && isOn && examples.length < EXAMPLES) examples.push(exampleOf(subject, counted));
      });
      return {
        subject: kind,
        group_type: groupTypeIndex === null ? null : (groupTypes[groupTypeIndex] ?? null),
        total,
        ...tally.result(),
        examples,
        note,
      };
    },
  };
}

/** More than a project can have. */
const ALL_SUBJECTS = 2_147_483_647;

const NEW: Omit<FlagDefinition, 'key' | 'filters'> = {
  id: 0,
  name: '',
  active: true,
  version: 1,
  ensureExperienceContinuity: false,
  bucketingIdentifier: null,
  evaluationRuntime: 'all',
  evaluationTags: [],
  isRemoteConfiguration: false,
};

/** A flag's filters for all who have the properties of a condition; what is wrong with them is wrong with `condition`. */
function readCondition(condition: BlastRadiusBody['condition'], groupTypeIndex: number | null): FlagFilters {
  try {
    return readFilters({
      groups: [{ ...condition, rollout_percentage: 100, variant: null }],
      aggregation_group_type_index: groupTypeIndex,
    });
  } catch (error) {
    if (error instanceof ApiError) throw fail(error.errorName, { attr: 'condition', detail: error.message });
    throw error;
  }
}

/** The flag as it would be saved; what the body does not say is as it is stored. */
function definitionOf(body: SimulateBody, stored: FlagDefinition | null): FlagDefinition {
  const old = stored ?? NEW;
  return {
    ...old,
    key: body.key,
    active: body.active ?? true,
    filters: readFilters(body.filters),
    ensureExperienceContinuity: body.ensure_experience_continuity ?? old.ensureExperienceContinuity,
    bucketingIdentifier:
      body.bucketing_identifier === undefined ? old.bucketingIdentifier : body.bucketing_identifier,
  };
}

/** The context of a request for flags that sends nothing but the identity of the subject. */
function contextOf(
  { id, distinctId, personId, values, cohorts, hashKeys }: Subject,
  groupType: string | null,
): Omit<FlagContext, 'set' | 'now' | 'zone' | 'groupTypes' | 'trace'> {
  const isPerson = personId !== null;
  const stored: PropertyLayers = { request: null, geoip: null, stored: values };
  const groups = groupType === null ? [] : [[groupType, { key: id, properties: stored }] as const];
  return {
    distinctId: distinctId ?? id,
    anonDistinctId: null,
    deviceId: null,
    hashKeys: hashKeys === null ? null : new Map(Object.entries(JSON.parse(hashKeys) as object)),
    person: isPerson ? stored : { ...stored, stored: null },
    groups: isPerson ? new Map() : new Map(groups),
    memberOf: isPerson ? new Set(cohorts ?? []) : null,
  };
}

function exampleOf({ id, personId, distinctId, values }: Subject, { value, before }: Example) {
  const name = personId === null ? id : personName(personId, values, distinctId === null ? [] : [distinctId]);
  return { id, name, distinct_id: distinctId, value, before };
}
