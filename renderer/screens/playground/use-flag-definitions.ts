import { computed, shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import type { FeatureFlagJson as FeatureFlag } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import type { LadderNames } from './checks.ts';
import type { FlagShape } from './ladder.ts';

const MOST = 1000;

/** Definitions of flags and names of cohorts, which make a trace easier to read; without them it is shown all the same. */
export function useFlagDefinitions() {
  const projectId = useProjectStore().current!.id;
  const flags = shallowRef<readonly FeatureFlag[]>([]);
  const cohorts = shallowRef<ReadonlyMap<string, string>>(new Map());

  const byKey = computed(() => new Map(flags.value.map((flag) => [flag.key, flag])));
  const keyOfId = computed(() => new Map(flags.value.map(({ id, key }) => [String(id), key])));
  const names: LadderNames = {
    flag: (id) => keyOfId.value.get(id),
    cohort: (id) => cohorts.value.get(id),
  };

  /** A trace without them names flags and cohorts by key and number. */
  async function load(): Promise<void> {
    await Promise.all([loadFlags(), loadCohorts()].map((task) => task.catch(() => {})));
  }

  async function loadFlags(): Promise<void> {
    flags.value = (await api.get('P/feature_flags/', { projectId, query: { limit: MOST } })).results;
  }

  async function loadCohorts(): Promise<void> {
    const { results } = await api.get('P/cohorts/', { projectId, query: { limit: MOST } });
    cohorts.value = new Map(results.map(({ id, name }) => [String(id), name || `cohort ${id}`]));
  }

  function find(key: string): FeatureFlag | null {
    return byKey.value.get(key) ?? null;
  }

  function shapeOf(key: string): FlagShape | null {
    const flag = find(key);
    if (flag === null) return null;
    return {
      variants: flag.filters.multivariate?.variants ?? [],
      setNames: flag.filters.groups.map(({ description }) => description),
    };
  }

  void load();
  return { names, find, shapeOf, reload: load };
}
