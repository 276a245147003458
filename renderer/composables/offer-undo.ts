import { toast } from 'vue-sonner';
import { showFailure } from './show-failure.ts';

/** Says that something is deleted, and offers to take that back; `what` names it where that fails: `The flag`. */
export function offerUndo(message: string, what: string, undo: () => Promise<unknown>): void {
  toast(message, {
    duration: 8000,
    action: {
      label: 'Undo',
      onClick: () =>
        void undo().catch((error: unknown) => {
          showFailure(error, `${what} could not be restored`);
        }),
    },
  });
}
