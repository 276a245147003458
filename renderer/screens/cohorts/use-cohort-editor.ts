import { computed, ref, shallowRef } from 'vue';
import { api, type BodyOf } from '../../api/client.ts';
import type { CohortJson as Cohort, CohortUse } from '../../../server/features/cohorts/cohorts.contract.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useChange } from '../../composables/use-change.ts';
import { draftOfTree, treeOfDraft, type RuleDraft } from './cohort-rule.ts';

/** The draft of a cohort. */
export interface CohortDraft {
  name: string;
  description: string;
  isStatic: boolean;
  rule: RuleDraft;
}

const MOST = 1000;

/** One cohort, or (`null`) a new one: stored, edited, and where it is used. */
export function useCohortEditor(projectId: number, cohortId: number | null) {
  const draft = ref<CohortDraft>(draftOf(null));
  const stored = shallowRef<Cohort | null>(null);
  const others = shallowRef<readonly Cohort[]>([]);
  const uses = shallowRef<CohortUse | null>(null);
  const { isBusy, problem, attr, run } = useChange('The cohort could not be saved');

  const loading = useAnswer(async () => {
    if (cohortId !== null) take(await api.get('P/cohorts/:id/', { projectId, id: cohortId }));
    return true;
  });

  const isChanged = computed(
    () => JSON.stringify(changeOf(draft.value)) !== JSON.stringify(changeOf(base())),
  );
  const tree = computed(() => treeOfDraft(draft.value.rule));

  function base(): CohortDraft {
    return draftOf(stored.value);
  }

  function take(cohort: Cohort): void {
    stored.value = cohort;
    draft.value = draftOf(cohort);
  }

  /** Stores the draft; returns the stored cohort, or `null` when it was refused. */
  async function save(): Promise<Cohort | null> {
    let saved: Cohort | null = null;
    await run(async () => {
      const change = changeOf(draft.value);
      saved =
        cohortId === null
          ? await api.post('P/cohorts/', { projectId, body: { ...change, is_static: draft.value.isStatic } })
          : await api.patch('P/cohorts/:id/', { projectId, id: cohortId, body: change });
      take(saved);
    });
    return saved;
  }

  /** Reads it again after its members were changed, without losing what is typed. */
  async function refresh(): Promise<void> {
    if (cohortId !== null) stored.value = await api.get('P/cohorts/:id/', { projectId, id: cohortId });
  }

  /** Deletes it, or brings it back; `false` when that was refused. */
  async function setDeleted(isDeleted: boolean): Promise<boolean> {
    let isDone = false;
    await run(
      async () => {
        await api.patch('P/cohorts/:id/', { projectId, id: cohortId!, body: { deleted: isDeleted } });
        isDone = true;
      },
      isDeleted ? 'The cohort could not be deleted' : 'The cohort could not be restored',
    );
    return isDone;
  }

  function cohortName(id: number): string | undefined {
    return others.value.find((cohort) => cohort.id === id)?.name ?? undefined;
  }

  async function loadAround(): Promise<void> {
    const [page, used] = await Promise.all([
      api.get('P/cohorts/', { projectId, query: { limit: MOST } }),
      cohortId === null ? { results: [] } : api.get('P/burrow/cohorts/usage/', { projectId }),
    ]);
    others.value = page.results;
    uses.value = used.results.find(({ id }) => id === cohortId) ?? null;
  }

  void loading.ask();
  // The screen works without them, but a user who deletes the cohort would not see where it is used.
  loadAround().catch((error: unknown) => showFailure(error, 'The usage of this cohort could not be loaded'));
  return {
    draft,
    stored,
    uses,
    loading,
    isChanged,
    tree,
    isBusy,
    problem,
    attr,
    save,
    refresh,
    setDeleted,
    cohortName,
  };
}

/** The draft of a cohort; of a new one (`null`), an empty draft. */
function draftOf(cohort: Cohort | null): CohortDraft {
  if (cohort === null) return { name: '', description: '', isStatic: false, rule: draftOfTree(null) };
  return {
    name: cohort.name ?? '',
    description: cohort.description ?? '',
    isStatic: cohort.is_static,
    rule: draftOfTree(cohort.filters?.properties ?? null),
  };
}

function changeOf({ name, description, isStatic, rule }: CohortDraft): BodyOf<'POST P/cohorts/'> {
  const base = { name: name.trim(), description };
  return isStatic ? base : { ...base, filters: { properties: treeOfDraft(rule) } };
}
