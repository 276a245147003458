import { computed, ref, shallowRef } from 'vue';
import { api, type BodyOf } from '../../api/client.ts';
import type { ActionJson as Action } from '../../../server/features/actions/actions.contract.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useChange } from '../../composables/use-change.ts';
import { changeOf, copyOf, draftOf, exampleDraft, type ActionDraft } from './action-draft.ts';

/** The initial steps of a new action: none, the example, or those of another action by its id. */
export type Beginning = 'nothing' | 'example' | number;

/** One action, or (`null`) a new one: stored and edited. */
export function useActionEditor(projectId: number, actionId: number | null, beginning: Beginning) {
  const draft = ref<ActionDraft>(
    actionId === null && beginning === 'example' ? exampleDraft() : draftOf(null),
  );
  const stored = shallowRef<Action | null>(null);
  const { isBusy, problem, attr, run } = useChange('The action could not be saved');

  const loading = useAnswer(async () => {
    if (actionId !== null) take(await api.get('P/actions/:id/', { projectId, id: actionId }));
    else if (typeof beginning === 'number')
      draft.value = copyOf(await api.get('P/actions/:id/', { projectId, id: beginning }));
    return true;
  });

  const isChanged = computed(
    () => JSON.stringify(changeOf(draft.value)) !== JSON.stringify(changeOf(draftOf(stored.value))),
  );

  function take(action: Action): void {
    stored.value = action;
    draft.value = draftOf(action);
  }

  /** Stores the draft; returns the stored action, or `null` when it was refused. */
  async function save(): Promise<Action | null> {
    let saved: Action | null = null;
    await run(async () => {
      const change = changeOf(draft.value);
      saved =
        actionId === null
          ? await api.post('P/actions/', { projectId, body: change })
          : await api.patch('P/actions/:id/', { projectId, id: actionId, body: change });
      take(saved);
    });
    return saved;
  }

  /** Changes the stored action without what is typed; `false` when that was refused. */
  async function change(next: BodyOf<'PATCH P/actions/:id/'>): Promise<boolean> {
    let isDone = false;
    await run(async () => {
      await api.patch('P/actions/:id/', { projectId, id: actionId!, body: next });
      isDone = true;
    });
    return isDone;
  }

  void loading.ask();
  return { draft, stored, loading, isChanged, isBusy, problem, attr, save, change };
}
