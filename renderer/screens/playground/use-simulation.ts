import { onScopeDispose, watch } from 'vue';
import { simulateFlag, type FeatureFlag } from '../../api/feature-flags.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import { withRollouts } from './share-rows.ts';

/** Milliseconds without a key after which it is counted again. */
const PAUSE = 150;

/** What a flag answers over everybody stored with these rollouts, counted anew a moment after either changed. */
export function useSimulation(flag: () => FeatureFlag, rollouts: () => readonly string[]) {
  const projectId = useProjectStore().current!.id;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const simulation = useAnswer(() => {
    const { key, filters, bucketing_identifier: bucketing, ensure_experience_continuity: isKept } = flag();
    return simulateFlag(projectId, {
      key,
      filters: withRollouts(filters, rollouts()) ?? filters,
      bucketing_identifier: bucketing,
      ensure_experience_continuity: isKept === true,
    });
  });

  watch([rollouts, () => flag().id, () => flag().version], ([texts], [before]) => {
    clearTimeout(timer);
    const isTyped = texts.join() !== before.join();
    if (withRollouts(flag().filters, texts) !== null)
      timer = setTimeout(() => void simulation.ask(), isTyped ? PAUSE : 0);
  });
  onScopeDispose(() => clearTimeout(timer));
  void simulation.ask();
  return simulation;
}
