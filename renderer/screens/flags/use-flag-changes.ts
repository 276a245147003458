import { ref } from 'vue';
import { toast } from 'vue-sonner';
import { api, type BodyOf } from '../../api/client.ts';
import type { FeatureFlagJson as FeatureFlag } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { formatCountOf } from '../../ui/format.ts';

interface ChangedList {
  put(flag: FeatureFlag): void;
  ask(): Promise<void>;
}

/** Actions on flags from the list; each applies immediately and can be undone from its message or by Ctrl Z. */
export function useFlagChanges(projectId: number, list: ChangedList) {
  const busyIds = ref<ReadonlySet<number>>(new Set());
  let takeBack: (() => Promise<void>) | null = null;
  /** The message that offers it. */
  let offer: string | number | null = null;

  /** Turns flags on or off. */
  async function turn(flags: readonly FeatureFlag[], active: boolean): Promise<void> {
    const other = flags.filter((flag) => flag.active !== active);
    const done = await changeAll(other, { active });
    if (done.length === 0) return;
    const what = done.length === 1 ? done[0]!.key : formatCountOf(done.length, 'flag');
    offerUndo(`${what} ${done.length === 1 ? 'is' : 'are'} ${active ? 'enabled' : 'disabled'}`, done, {
      active: !active,
    });
  }

  /** Deletes flags; they can be brought back. */
  async function remove(flags: readonly FeatureFlag[]): Promise<void> {
    const done = await changeAll(flags, { deleted: true });
    if (done.length > 0) {
      const what = done.length === 1 ? done[0]!.key : formatCountOf(done.length, 'flag');
      offerUndo(`${what} deleted`, done, { deleted: false });
    }
    await list.ask();
  }

  function offerUndo(
    message: string,
    flags: readonly FeatureFlag[],
    back: BodyOf<'PATCH P/feature_flags/:id/'>,
  ): void {
    const undo = async () => {
      if (takeBack !== undo) return;
      forgetUndo();
      const restored = await changeAll(flags, back);
      if (restored.length > 0) toast('Change undone');
      await list.ask();
    };
    // Only the last change can be taken back, and only its message offers that.
    forgetUndo();
    takeBack = undo;
    offer = toast(message, { duration: 8000, action: { label: 'Undo', onClick: () => void undo() } });
  }

  function forgetUndo(): void {
    if (offer !== null) toast.dismiss(offer);
    offer = null;
    takeBack = null;
  }

  /** Changes one after the other, and returns those that were; the first refusal is explained and ends it. */
  async function changeAll(
    flags: readonly FeatureFlag[],
    change: BodyOf<'PATCH P/feature_flags/:id/'>,
  ): Promise<FeatureFlag[]> {
    const done: FeatureFlag[] = [];
    busyIds.value = new Set([...busyIds.value, ...flags.map(({ id }) => id)]);
    try {
      for (const flag of flags) {
        list.put(await api.patch('P/feature_flags/:id/', { projectId, id: flag.id, body: change }));
        done.push(flag);
      }
    } catch (error) {
      showFailure(error, `${flags[done.length]!.key} was not changed`);
    } finally {
      const settled = new Set(flags.map(({ id }) => id));
      busyIds.value = new Set([...busyIds.value].filter((id) => !settled.has(id)));
    }
    return done;
  }

  return { busyIds, turn, remove, undo: () => void takeBack?.() };
}
