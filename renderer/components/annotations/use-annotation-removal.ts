import { api } from '../../api/client.ts';
import type { AnnotationJson as Annotation } from '../../../server/features/annotations/annotations.contract.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { offerUndo } from '../../composables/offer-undo.ts';
import { useAnnotationsStore } from '../../stores/annotations.store.ts';

/** Deletes annotations, with undo; calls `onChanged` after each deletion and undo. */
export function useAnnotationRemoval(projectId: number, onChanged: () => void) {
  const store = useAnnotationsStore();

  async function setDeleted({ id }: Annotation, deleted: boolean): Promise<void> {
    store.put(projectId, await api.patch('P/annotations/:id/', { projectId, id, body: { deleted } }));
    onChanged();
  }

  async function remove(annotation: Annotation): Promise<boolean> {
    try {
      await setDeleted(annotation, true);
    } catch (error) {
      showFailure(error, 'The annotation could not be deleted');
      return false;
    }
    offerUndo('Annotation deleted', 'The annotation', () => setDeleted(annotation, false));
    return true;
  }

  return { remove };
}
