import { useTimeoutFn } from '@vueuse/core';
import { computed, ref, shallowRef, watch } from 'vue';
import { toast } from 'vue-sonner';
import type { BodyOf } from '../../api/client.ts';
import { ApiFailure } from '../../api/http.ts';
import { undoneSentence } from '../../composables/explain-failure.ts';
import { showFailure } from '../../composables/show-failure.ts';
import type { Definition } from './definition-source.ts';
import { NOUNS } from './definition-labels.ts';
import type { useDefinitionList } from './use-definition-list.ts';

/** Milliseconds for which "Saved" is said. */
const SAVED_TIME = 1600;

/** What can be done with the definitions of a list, and the one that is open. */
export function useDefinitionChanges(list: ReturnType<typeof useDefinitionList>) {
  /** The open one, also when it is not on this page of the list. */
  const distant = shallowRef<Definition | null>(null);
  const saveState = ref('');
  const isDeleting = ref(false);
  const isBusy = ref(false);
  const problem = ref('');
  const { start: clearStateLater } = useTimeoutFn(() => (saveState.value = ''), SAVED_TIME, {
    immediate: false,
  });

  const open = computed(() => {
    const name = list.openName.value;
    if (name === null) return null;
    return list.rows.value.find((row) => row.name === name) ?? distantOf(name);
  });

  function distantOf(name: string): Definition | null {
    return distant.value?.name === name ? distant.value : null;
  }

  async function findDistant(): Promise<void> {
    const name = list.openName.value;
    if (name === null || list.count.value === null || open.value !== null) return;
    const query = { search: name, origin: 'all', limit: 100, offset: 0 } as const;
    try {
      const { definitions } = await list.source.value.list(query);
      distant.value = definitions.find((row) => row.name === name) ?? null;
    } catch (error) {
      showFailure(error, `“${name}” could not be opened`);
    }
  }

  /** Changes a definition; its save status is shown beside its description. */
  async function change(
    definition: Definition,
    wanted: BodyOf<'PATCH P/event_definitions/:id/'>,
  ): Promise<void> {
    saveState.value = 'Saving';
    try {
      show(await list.source.value.change(definition.id, wanted));
      saveState.value = 'Saved';
      clearStateLater();
    } catch (error) {
      saveState.value = 'Not saved';
      complain(error);
    }
  }

  /** Marks several, one after the other; says how many, with the way back. */
  async function changeMany(
    definitions: readonly Definition[],
    wanted: { verified?: boolean; hidden?: boolean },
  ): Promise<void> {
    const before = definitions.filter((row) => isOther(row, wanted));
    try {
      for (const row of before) show(await list.source.value.change(row.id, wanted));
      const done = wanted.hidden ? 'hidden' : 'verified';
      toast(`${before.length} ${done}`, {
        action: { label: 'Undo', onClick: () => void undo(before) },
      });
    } catch (error) {
      complain(error);
    }
  }

  async function undo(before: readonly Definition[]): Promise<void> {
    try {
      for (const row of before)
        show(await list.source.value.change(row.id, { verified: row.isVerified, hidden: row.isHidden }));
    } catch (error) {
      complain(error);
    }
  }

  /** Deletes what was said about one; an event name can be written down again. */
  async function remove(definition: Definition): Promise<void> {
    const source = list.source.value;
    const { restore } = source;
    isBusy.value = true;
    problem.value = '';
    try {
      await source.remove(definition.id);
      isDeleting.value = false;
      list.openName.value = null;
      toast(`Definition of “${definition.name}” deleted`, {
        action: restore
          ? { label: 'Undo', onClick: () => void restore(definition).then(list.ask, complain) }
          : undefined,
      });
      await list.ask();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      problem.value = undoneSentence(error, `“${definition.name}” could not be deleted`);
    } finally {
      isBusy.value = false;
    }
  }

  function show(changed: Definition): void {
    if (distant.value?.id === changed.id) distant.value = changed;
    list.put(changed);
  }

  function complain(error: unknown): void {
    showFailure(error, `The ${NOUNS[list.kind.value].one} could not be saved`);
  }

  watch([list.openName, list.answer], () => void findDistant(), { immediate: true });
  return { open, saveState, isDeleting, isBusy, problem, change, changeMany, remove };
}

function isOther(row: Definition, wanted: { verified?: boolean; hidden?: boolean }): boolean {
  return (
    (wanted.verified !== undefined && row.isVerified !== wanted.verified) ||
    (wanted.hidden !== undefined && row.isHidden !== wanted.hidden)
  );
}
