import { useTimeoutFn } from '@vueuse/core';
import { ref, watch } from 'vue';
import { simulateFlag, type FeatureFlag } from '../../api/feature-flags.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import { withRollouts } from './share-rows.ts';

/** Milliseconds without a key after which it is counted again. */
const PAUSE = 150;

/** What a flag answers over everybody stored with these rollouts, counted anew a moment after either changed. */
export function useSimulation(flag: () => FeatureFlag, rollouts: () => readonly string[]) {
  const projectId = useProjectStore().current!.id;

  const simulation = useAnswer(() => {
    const { key, filters, bucketing_identifier: bucketing, ensure_experience_continuity: isKept } = flag();
    return simulateFlag(projectId, {
      key,
      filters: withRollouts(filters, rollouts()) ?? filters,
      bucketing_identifier: bucketing,
      ensure_experience_continuity: isKept === true,
    });
  });

  const pause = ref(0);
  const { start: countLater, stop } = useTimeoutFn(() => void simulation.ask(), pause, { immediate: false });
  watch([rollouts, () => flag().id, () => flag().version], ([texts], [before]) => {
    stop();
    const isTyped = texts.join() !== before.join();
    pause.value = isTyped ? PAUSE : 0;
    if (withRollouts(flag().filters, texts) !== null) countLater();
  });
  void simulation.ask();
  return simulation;
}
