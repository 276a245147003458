import { computed, type ComputedRef } from 'vue';
import { notesOf, type ChartPlace } from './annotation-notes.ts';
import { useAnnotationsStore } from '../../stores/annotations.store.ts';
import { useProjectStore } from '../../stores/project.store.ts';

/** The annotations that a chart of the current project marks, for `AnswerView`; they are requested once for all charts. */
export function useChartNotes(place: () => ChartPlace): ComputedRef<{ day: string; text: string }[]> {
  const store = useAnnotationsStore();
  const project = useProjectStore().current!;
  void store.load(project.id);
  return computed(() => notesOf(store.annotations, place(), project.timezone));
}
