import { useTimeoutFn } from '@vueuse/core';
import { watch } from 'vue';
import { previewCohort, type CohortTree } from '../../api/cohorts.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useProjectStore } from '../../stores/project.store.ts';

/** Milliseconds without a change after which it is counted again. */
const PAUSE = 150;

/** Who would be in a cohort of this rule, counted anew a moment after it changed; `null` for a rule that says nothing yet. */
export function usePreview(tree: () => CohortTree | null) {
  const projectId = useProjectStore().current!.id;

  const preview = useAnswer(async () => {
    const asked = tree();
    return asked === null || asked.values.length === 0 ? null : previewCohort(projectId, asked);
  });

  const { start: countLater } = useTimeoutFn(() => void preview.ask(), PAUSE, { immediate: false });
  watch(
    () => JSON.stringify(tree()),
    () => countLater(),
  );
  void preview.ask();
  return preview;
}
