import { useTimeoutFn } from '@vueuse/core';
import { computed, readonly, ref, shallowRef, watch } from 'vue';
import { api } from '../../api/client.ts';
import type { FlagGroup } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import type { SimulationJson as FlagSimulation } from '../../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import { filtersOf, type FlagDraft } from './flag-draft.ts';
import { problemsOf, suggestKey } from './flag-checks.ts';

/** Milliseconds without a change before the server is queried. */
const PAUSE = 150;

export interface SetReach {
  /** How many pass the conditions of the set, before its share. */
  count: number;
  total: number;
}

/** The stored persons a draft would reach: follows the draft after a pause. The last result stays until the next. */
export function useFlagPreview(projectId: number, draft: () => FlagDraft | null) {
  const simulation = shallowRef<FlagSimulation | null>(null);
  const failure = shallowRef<unknown>(null);
  const isAsking = ref(false);
  /** By the id of the set. */
  const reaches = shallowRef<ReadonlyMap<string, SetReach>>(new Map());
  /** Results by request, so that moving a slider back sends no further request. */
  const known = new Map<string, Promise<SetReach | null>>();
  let latest = 0;

  const { start: schedule } = useTimeoutFn(() => void ask(), PAUSE, { immediate: false });

  watch(draft, () => schedule(), { deep: true, immediate: true });

  async function ask(): Promise<void> {
    const now = draft();
    if (!now) return;
    latest += 1;
    const number = latest;
    isAsking.value = true;
    const [answer] = await Promise.allSettled([simulate(now), askReaches(now)]);
    if (number !== latest) return;
    isAsking.value = false;
    if (answer.status === 'fulfilled') simulation.value = answer.value;
    failure.value = answer.status === 'rejected' ? answer.reason : null;
  }

  /** Nothing is computed of a draft that could not be saved either, but for a key that is still missing. */
  async function simulate(now: FlagDraft): Promise<FlagSimulation | null> {
    const problems = [...problemsOf(now).keys()].filter(
      (part) => part !== 'key' && !part.startsWith('payload'),
    );
    if (problems.length > 0) return simulation.value;
    return api.post('P/burrow/feature_flags/simulate/', {
      projectId,
      body: {
        key: now.key.trim() || suggestKey(now.name) || 'new-flag',
        filters: { ...filtersOf(now), payloads: {} },
        active: now.active,
        bucketing_identifier: now.bucketing === 'device_id' ? 'device_id' : null,
        ensure_experience_continuity: now.continuity,
      },
    });
  }

  async function askReaches({ sets, groupTypeIndex }: FlagDraft): Promise<void> {
    const found = await Promise.all(
      sets.map(async ({ id, properties }) => [id, await reachOf(properties, groupTypeIndex)] as const),
    );
    reaches.value = new Map(found.flatMap(([id, reach]) => (reach ? [[id, reach] as const] : [])));
  }

  /** A set whose conditions cannot be counted is shown without a count. */
  function reachOf(properties: unknown, groupTypeIndex: number | null): Promise<SetReach | null> {
    const condition = { properties, rollout_percentage: 100 } as FlagGroup;
    const asked = JSON.stringify([condition, groupTypeIndex]);
    const before = known.get(asked);
    if (before) return before;
    const answer = api
      .post('P/feature_flags/user_blast_radius/', {
        projectId,
        body: { condition, group_type_index: groupTypeIndex },
      })
      .then(
        ({ users_affected: count, total_users: total }) => ({ count, total }),
        () => null,
      );
    known.set(asked, answer);
    return answer;
  }

  /** The number of stored persons for each value; `null` until they are counted. */
  const counts = computed(() => {
    if (!simulation.value) return null;
    const { values, evaluated, total } = simulation.value;
    const scale = evaluated === 0 ? 0 : total / evaluated;
    return new Map(values.map(({ value, count }) => [String(value), Math.round(count * scale)]));
  });

  return { simulation, counts, failure, isAsking: readonly(isAsking), reaches, again: schedule };
}
