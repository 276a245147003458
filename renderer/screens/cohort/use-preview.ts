import { onScopeDispose, watch } from 'vue';
import { previewCohort, type CohortTree } from '../../api/cohorts.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useProjectStore } from '../../stores/project.store.ts';

/** Milliseconds without a change after which it is counted again. */
const PAUSE = 150;

/** Who would be in a cohort of this rule, counted anew a moment after it changed; `null` for a rule that says nothing yet. */
export function usePreview(tree: () => CohortTree | null) {
  const projectId = useProjectStore().current!.id;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const preview = useAnswer(async () => {
    const asked = tree();
    return asked === null || asked.values.length === 0 ? null : previewCohort(projectId, asked);
  });

  watch(
    () => JSON.stringify(tree()),
    () => {
      clearTimeout(timer);
      timer = setTimeout(() => void preview.ask(), PAUSE);
    },
  );
  onScopeDispose(() => clearTimeout(timer));
  void preview.ask();
  return preview;
}
