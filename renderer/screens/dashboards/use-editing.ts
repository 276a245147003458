import { ref, type Ref } from 'vue';
import { toast } from 'vue-sonner';
import { useHotkeys } from '../../composables/use-hotkeys.ts';
import type { useDashboardDraft } from './use-dashboard-draft.ts';
import type { useTileEdits } from './use-tile-edits.ts';

interface Editing {
  isEditing: Ref<boolean>;
  mayEdit(): boolean;
  draft: ReturnType<typeof useDashboardDraft>;
  edits: ReturnType<typeof useTileEdits>;
  /** What Esc does while it is looked at. */
  goBack(): void;
}

/** How editing a dashboard begins and ends, with the keys for it, and which tile is in hand meanwhile. */
export function useEditing({ isEditing, mayEdit, draft, edits, goBack: leaveZoom }: Editing) {
  const pickedKey = ref<string | null>(null);
  const settingsKey = ref<string | null>(null);

  /** False when who looks at it may not edit it. */
  function begin(): boolean {
    if (!mayEdit()) return false;
    isEditing.value = true;
    return true;
  }

  /** Discards unsaved changes. */
  function end(): void {
    draft.discard();
    isEditing.value = false;
    settingsKey.value = null;
    pickedKey.value = null;
  }

  function goBack(): void {
    if (settingsKey.value !== null) settingsKey.value = null;
    else if (!isEditing.value) leaveZoom();
    else if (!draft.isChanged.value) end();
  }

  function undo(): void {
    const label = isEditing.value ? draft.undo() : null;
    if (label !== null) edits.said.value = `Undone: ${label}`;
  }

  function redo(): void {
    const label = isEditing.value ? draft.redo() : null;
    if (label !== null) edits.said.value = `Redone: ${label}`;
  }

  async function save(): Promise<void> {
    if (!isEditing.value || !(await draft.save())) return;
    isEditing.value = false;
    settingsKey.value = null;
    edits.said.value = 'Saved';
    toast('Saved', { description: draft.saved.value?.name ?? '' });
  }

  const group = 'Dashboard';
  useHotkeys([
    { keys: 'e', label: 'Edit dashboard', group, run: begin },
    { keys: 'mod+s', label: 'Save', group, isGlobal: true, run: () => void save() },
    { keys: 'mod+z', label: 'Undo', group, run: undo },
    { keys: 'mod+shift+z', label: 'Redo', group, run: redo },
    { keys: 'mod+y', run: redo },
    { keys: 'escape', label: 'Close, exit edit mode, or leave the selected range', group, run: goBack },
  ]);

  return { pickedKey, settingsKey, begin, end, undo, redo, save };
}
